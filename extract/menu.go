package extract

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
)

// Bounds of menus.
const (
	maxSections  = 100
	maxDishes    = 1000 // of all sections together
	maxMenuDepth = 8
)

const menuProfile = `{"type":"object","additionalProperties":false,"properties":{
	"merchant":{"type":"object","additionalProperties":false,"properties":{"name":{"type":"string"},"type":{"type":"string","description":"Such as restaurant, cafe or bar."}}},
	"currency":{"type":"string","description":"By its code of three letters, such as EUR."},
	"sections":{"type":"array","items":{"type":"object","additionalProperties":false,"properties":{
		"name":{"type":"string"},"description":{"type":"string"},
		"items":{"type":"array","items":{"type":"object","additionalProperties":false,"properties":{
			"name":{"type":"string"},"description":{"type":"string"},"price":` + priceSchema + `,
			"dietary":{"type":"array","items":{"type":"string"},"description":"Such as vegan or gluten-free."},"calories":{"type":"number"}}}}}}}}}`

// menu returns the food and drink that a page lists, from what the page says for
// machines, else from its text, which needs a model. A page without a menu has none,
// which is no error; the warning says so.
func (x *Extractor) menu(ctx context.Context, src *Source, _ Task) (*Finding, error) {
	found := &Finding{}
	m := &menu{src: src, confidence: 1}
	m.fromFacts()
	if x.Model != nil && m.dishes == 0 {
		f, err := x.profileByModel(ctx, src, menuProfile, "The menu of food and drink that the page lists, section by section. Leave all out if it lists none.")
		if err != nil {
			return nil, err
		}
		found.Tokens, found.Warning = f.Tokens, f.Warning
		m.read(f)
	}
	if m.dishes == 0 {
		return &Finding{Tokens: found.Tokens, Warning: noProfile(x, "menu")}, nil
	}
	if m.dishes == maxDishes {
		found.Warning = strings.TrimSpace(fmt.Sprintf("Of a menu no more than %d dishes are listed. ", maxDishes) + found.Warning)
	}
	found.Value = m.profile()
	return found, nil
}

// menu is a menu in the making.
type menu struct {
	src        *Source
	merchant   profile
	currency   string
	sections   []any
	dishes     int
	confidence float64
}

func (m *menu) profile() any {
	merchant := profile{"name": m.host()}
	if site := m.site(); site != "" {
		merchant["name"] = site
	}
	for name, value := range m.merchant {
		merchant[name] = value
	}
	return map[string]any(profile{
		"isMenu": true, "confidence": m.confidence, "merchant": merchant, "sections": m.sections, "sourceUrl": m.src.URL,
	}.put("currency", m.currency))
}

// site returns the name that the site gives itself.
func (m *menu) site() string {
	if m.src.Facts == nil {
		return ""
	}
	return cut(strings.TrimSpace(m.src.Facts.Tags["og:site_name"]), maxNote)
}

func (m *menu) host() string {
	u, err := url.Parse(m.src.URL)
	if err != nil {
		return m.src.URL
	}
	return u.Hostname()
}

// fromFacts reads the menus that a page says for machines.
func (m *menu) fromFacts() {
	if m.src.Facts == nil {
		return
	}
	if place := firstOf(m.src.Facts, "Restaurant", "FoodEstablishment", "CafeOrCoffeeShop", "BarOrPub", "Bakery", "FastFoodRestaurant",
		"IceCreamShop", "Brewery", "Winery", "Distillery"); place != nil {
		m.merchant = profile{}.put("name", plain(place["name"])).put("type", plain(place["@type"]))
		for _, name := range []string{"hasMenu", "menu"} {
			for _, thing := range things(place[name]) {
				m.section(thing, 0)
			}
		}
	}
	if m.dishes > 0 {
		return
	}
	for _, thing := range m.src.Facts.Things {
		if plain(thing["@type"]) == "Menu" {
			m.section(thing, 0)
		}
	}
}

// section adds a menu or a section of one, and then the sections in it.
func (m *menu) section(thing map[string]any, depth int) {
	m.add(plain(thing["name"]), plain(thing["description"]), things(thing["hasMenuItem"]))
	for _, inner := range things(thing["hasMenuSection"]) {
		if depth < maxMenuDepth {
			m.section(inner, depth+1)
		}
	}
}

// add adds a section, unless it has nothing in it.
func (m *menu) add(name, description string, dishes []map[string]any) {
	if len(m.sections) == maxSections {
		return
	}
	id := "section-" + strconv.Itoa(len(m.sections)+1)
	var items []any
	for _, dish := range dishes {
		if plain(dish["name"]) == "" || m.dishes == maxDishes {
			continue
		}
		m.dishes++
		items = append(items, m.dish(dish, id+"-item-"+strconv.Itoa(len(items)+1)))
	}
	if len(items) == 0 {
		return
	}
	if strings.TrimSpace(name) == "" {
		name = "Menu"
	}
	m.sections = append(m.sections, profile{"id": id, "items": items}.put("name", name).put("description", description))
}

// dish reads an item of a menu, in the words of a page for machines or in ours.
func (m *menu) dish(thing map[string]any, id string) profile {
	p := profile{"id": id, "sourceUrl": m.src.URL, "images": []any{}, "dietary": []any{}, "optionGroups": []any{}, "identifiers": profile{}}
	p.put("name", plain(thing["name"])).put("description", plain(thing["description"])).put("images", imagesOf(thing["image"]))
	p["availability"] = availabilityOf("")
	p.put("price", priceOf(thing["price"]))
	if offers := offersOf(thing["offers"]); len(offers) > 0 {
		v := variantOf(nil, offers[0])
		p.put("price", v["price"])
		p["availability"] = v["availability"]
	}
	if price, ok := p["price"].(profile); ok && m.currency == "" {
		m.currency, _ = price["currency"].(string)
	}
	p.put("dietary", diets(either(thing["suitableForDiet"], thing["dietary"])))
	calories := thing["calories"]
	if nutrition := things(thing["nutrition"]); len(nutrition) > 0 {
		calories = nutrition[0]["calories"]
	}
	if word, _, _ := strings.Cut(plain(calories), " "); amountOf(word) != nil {
		p["calories"] = amountOf(word)
	}
	return p.put("identifiers", profile{}.put("merchantItemId", plain(either(thing["sku"], thing["identifier"]))))
}

// diets returns the diets that a dish suits, without the addresses of their names.
func diets(value any) []any {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	var names []any
	for _, item := range list {
		text := plain(item)
		if name := text[strings.LastIndexAny(text, "/#")+1:]; name != "" && len(names) < maxImages {
			names = append(names, cut(strings.TrimSuffix(name, "Diet"), maxNote))
		}
	}
	return names
}

// read takes the menu that a model found. It is as sure as its names are to be found
// in the page.
func (m *menu) read(f *Finding) {
	value, _ := f.Value.(map[string]any)
	for _, section := range things(value["sections"]) {
		m.add(plain(section["name"]), plain(section["description"]), things(section["items"]))
	}
	if merchant := things(value["merchant"]); len(merchant) > 0 && len(m.merchant) == 0 {
		m.merchant = profile{}.put("name", plain(merchant[0]["name"])).put("type", plain(merchant[0]["type"]))
	}
	if currency := plain(value["currency"]); currency != "" {
		m.currency = currency
	}
	m.confidence = sureness(f.Evidence)
}

// sureness returns the share of names of dishes that stand in the page.
func sureness(evidence []trawl.Evidence) float64 {
	all, verified := 0, 0
	for _, e := range evidence {
		if pattern(e.Path) == "sections[].items[].name" {
			all++
			if e.Verified {
				verified++
			}
		}
	}
	if all == 0 {
		return 0
	}
	return float64(verified*100/all) / 100
}
