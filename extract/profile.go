package extract

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/extract/notation"
)

// Bounds of profiles.
const (
	maxVariants = 500
	maxImages   = 10
	maxAmount   = 40   // bytes of a number
	maxNote     = 2000 // characters of a text
)

// profile is an object in the making. What is empty is not put into it.
type profile map[string]any

func (p profile) put(name string, value any) profile {
	switch v := value.(type) {
	case nil:
		return p
	case string:
		if v = cut(strings.TrimSpace(v), maxNote); v == "" {
			return p
		}
		value = v
	case profile:
		if len(v) == 0 {
			return p
		}
	case []any:
		if len(v) == 0 {
			return p
		}
	}
	p[name] = value
	return p
}

// priceSchema requires nothing, like the others: what is required is kept although
// the page does not have it.
const priceSchema = `{"type":"object","additionalProperties":false,"properties":{
	"amount":{"type":"number"},"currency":{"type":"string","description":"By its code of three letters, such as EUR."},"formatted":{"type":"string","description":"As it stands in the page."}}}`

const productProfile = `{"type":"object","additionalProperties":false,"properties":{
	"title":{"type":"string"},"brand":{"type":"string"},"category":{"type":"string"},"description":{"type":"string"},
	"variants":{"type":"array","description":"What can be bought, such as sizes and colours; one, if there is no choice.","items":{"type":"object","additionalProperties":false,"properties":{
		"sku":{"type":"string"},"title":{"type":"string"},
		"price":` + priceSchema + `,
		"sale":{"type":"object","additionalProperties":false,"properties":{"originalPrice":` + priceSchema + `}},
		"availability":{"type":"object","additionalProperties":false,"properties":{"inStock":{"type":"boolean"},"text":{"type":"string"}}}}}}}}`

// product returns the product that a page is about, from what the page says for
// machines, and as far as that does not say what it costs from its text, which
// needs a model. A page that is not about a product has none, which is no error;
// the warning says so.
func (x *Extractor) product(ctx context.Context, src *Source, _ Task) (*Finding, error) {
	found := &Finding{}
	p := productOf(src)
	if x.Model != nil && (p["title"] == nil || !priced(p["variants"])) {
		f, err := x.profileByModel(ctx, src, productProfile, "The product that the page offers for sale. Leave all out if the page is not about one product.")
		if err != nil {
			return nil, err
		}
		found.Tokens, found.Warning = f.Tokens, f.Warning
		read, _ := f.Value.(map[string]any)
		for _, name := range []string{"title", "brand", "category", "description"} {
			if p[name] == nil {
				p.put(name, read[name])
			}
		}
		if !priced(p["variants"]) {
			p.put("variants", readVariants(read["variants"]))
		}
	}
	if p["title"] == nil {
		return &Finding{Tokens: found.Tokens, Warning: noProfile(x, "product")}, nil
	}
	p["url"] = src.URL
	if p["variants"] == nil {
		p["variants"] = []any{}
	}
	if list, _ := p["variants"].([]any); len(list) == maxVariants {
		found.Warning = strings.TrimSpace(fmt.Sprintf("Of a product no more than %d variants are listed. ", maxVariants) + found.Warning)
	}
	found.Value = map[string]any(p)
	return found, nil
}

// noProfile is the warning for a page that has nothing of a kind.
func noProfile(x *Extractor, kind string) string {
	if x.Model == nil {
		return "No language model is configured, and the page's own structured data has no " + kind + "."
	}
	return "The page has no " + kind + "."
}

// profileByModel reads a page for a profile.
func (x *Extractor) profileByModel(ctx context.Context, src *Source, schemaText, prompt string) (*Finding, error) {
	s, err := compileText(schemaText)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(src.Markdown) == "" {
		return &Finding{}, nil
	}
	return x.Part(ctx, src, Want{Schema: s, Prompt: prompt})
}

// priced reports whether one of some variants has a price.
func priced(variants any) bool {
	list, _ := variants.([]any)
	return slices.ContainsFunc(list, func(v any) bool {
		p, _ := v.(profile)
		return p["price"] != nil
	})
}

// readVariants returns variants that a model found as they have to be.
func readVariants(value any) []any {
	var list []any
	for _, thing := range things(value) {
		v := profile{}
		v.put("sku", plain(thing["sku"])).put("title", plain(thing["title"]))
		price := priceOf(thing["price"])
		v.put("price", price)
		if sale := things(thing["sale"]); len(sale) > 0 {
			if original := priceOf(sale[0]["originalPrice"]); original != nil {
				v.put("sale", profile{"originalPrice": original})
			}
		}
		availability := profile{"inStock": price != nil}
		if told := things(thing["availability"]); len(told) > 0 {
			if inStock, ok := told[0]["inStock"].(bool); ok {
				availability["inStock"] = inStock
			}
			availability.put("text", plain(told[0]["text"]))
		}
		v["availability"] = availability
		if list = append(list, v); len(list) == maxVariants {
			break
		}
	}
	return list
}

// priceOf returns a price that has an amount, or nil.
func priceOf(value any) any {
	list := things(value)
	if len(list) == 0 {
		return nil
	}
	amount := amountOf(list[0]["amount"])
	if amount == nil {
		return nil
	}
	return profile{"amount": amount}.put("currency", plain(list[0]["currency"])).put("formatted", plain(list[0]["formatted"]))
}

// productOf returns what a page says for machines of its product.
func productOf(src *Source) profile {
	p := profile{}
	if src.Facts == nil {
		return p
	}
	if thing := firstOf(src.Facts, "Product", "ProductGroup", "IndividualProduct", "ProductModel", "SomeProducts", "Vehicle", "Car"); thing != nil {
		p.put("title", plain(thing["name"])).put("brand", named(thing["brand"])).put("category", named(thing["category"]))
		p.put("description", plain(thing["description"]))
		p.put("variants", variantsOf(thing))
	}
	tags := src.Facts.Tags
	if kind := tags["og:type"]; len(p) == 0 && kind != "product" && kind != "og:product" && kind != "product.item" {
		return p
	}
	for name, tag := range map[string]string{"title": tags["og:title"], "description": tags["og:description"], "brand": tags["product:brand"], "category": tags["product:category"]} {
		if p[name] == nil {
			p.put(name, tag)
		}
	}
	if amount := amountOf(tags["product:price:amount"]); p["variants"] == nil && amount != nil {
		v := profile{"price": profile{"amount": amount}.put("currency", tags["product:price:currency"]), "availability": availabilityOf(tags["product:availability"])}
		p["variants"] = []any{v.put("sku", tags["product:retailer_item_id"]).put("images", imagesOf(tags["og:image"]))}
	}
	return p
}

// variantsOf returns what of a product can be bought: its variants, or its offers.
func variantsOf(product map[string]any) []any {
	var list []any
	variants := things(product["hasVariant"])
	if len(variants) == 0 {
		variants = []map[string]any{product}
	}
	for _, variant := range variants {
		offers := offersOf(variant["offers"])
		if len(offers) == 0 && len(variants) > 1 {
			offers = offersOf(product["offers"])
		}
		for _, offer := range offers {
			if len(list) == maxVariants {
				return list
			}
			list = append(list, variantOf(variant, offer))
		}
	}
	return list
}

// offersOf returns single offers; one of several that only tells from when on is
// one, too.
func offersOf(value any) []map[string]any {
	var list []map[string]any
	for _, offer := range things(value) {
		if inner := things(offer["offers"]); len(inner) > 0 {
			list = append(list, inner...)
		} else {
			list = append(list, offer)
		}
	}
	return list[:min(len(list), maxVariants)]
}

func variantOf(variant, offer map[string]any) profile {
	v := profile{}
	for _, thing := range []map[string]any{variant, offer} {
		v.put("sku", plain(thing["sku"])).put("title", plain(thing["name"])).put("images", imagesOf(thing["image"]))
	}
	values := profile{}
	for _, name := range []string{"color", "size", "material", "pattern"} {
		values.put(name, named(variant[name]))
	}
	v.put("values", values)
	price := offer
	if specs := things(offer["priceSpecification"]); amountOf(offer["price"]) == nil && len(specs) > 0 {
		price = specs[0]
	}
	for _, name := range []string{"price", "lowPrice"} {
		if amount := amountOf(price[name]); amount != nil && v["price"] == nil {
			v["price"] = profile{"amount": amount}.put("currency", plain(either(price["priceCurrency"], offer["priceCurrency"])))
		}
	}
	v["availability"] = availabilityOf(plain(offer["availability"]))
	return v
}

// availabilityOf reads a word for whether something can be had. What is offered
// without a word can.
func availabilityOf(text string) profile {
	word := text[strings.LastIndexAny(text, "/#")+1:]
	known := strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "").Replace(word))
	gone := slices.Contains([]string{"outofstock", "oos", "soldout", "discontinued", "backorder", "reserved", "unavailable"}, known)
	return profile{"inStock": !gone}.put("text", word)
}

// firstOf returns the first thing of one of some types that has a name, what the
// page is about first.
func firstOf(f *facts.Facts, types ...string) map[string]any {
	for _, thing := range slices.Concat(f.Subjects(), f.Things) {
		isOne := slices.ContainsFunc(facts.Types(thing), func(t string) bool { return slices.Contains(types, t) })
		if isOne && plain(thing["name"]) != "" {
			return thing
		}
	}
	return nil
}

// things returns the objects of a value, of which there may be one or several.
func things(value any) []map[string]any {
	switch v := value.(type) {
	case map[string]any:
		return []map[string]any{v}
	case []any:
		var list []map[string]any
		for _, item := range v {
			if thing, ok := item.(map[string]any); ok {
				list = append(list, thing)
			}
		}
		return list
	}
	return nil
}

// either returns the first value that there is.
func either(values ...any) any {
	i := slices.IndexFunc(values, func(v any) bool { return v != nil })
	if i < 0 {
		return nil
	}
	return values[i]
}

// plain returns the text that a value is, or the first of several.
func plain(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case []any:
		if len(v) > 0 {
			if _, nested := v[0].([]any); !nested {
				return plain(v[0])
			}
		}
	}
	return ""
}

// named returns the text that a value is, or its name if it is a thing.
func named(value any) string {
	if list := things(value); len(list) > 0 {
		return plain(list[0]["name"])
	}
	return plain(value)
}

// amountOf returns a number, also one that is written as text, or nil.
func amountOf(value any) any {
	text := strings.TrimSpace(plain(value))
	if len(text) > maxAmount || strings.HasPrefix(text, "-") {
		return nil
	}
	if n, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(n, 0) && json.Valid([]byte(text)) {
		return json.Number(text)
	}
	if mentions := notation.Numbers(text); len(mentions) == 1 && len(mentions[0].Readings) > 0 {
		return json.Number(mentions[0].Readings[0])
	}
	return nil
}

// imagesOf returns pictures that have an address of the web.
func imagesOf(value any) []any {
	candidates, ok := value.([]any)
	if !ok {
		candidates = []any{value}
	}
	var list []any
	for _, c := range candidates {
		address, alt := plain(c), ""
		if list := things(c); len(list) > 0 {
			address, alt = plain(either(list[0]["url"], list[0]["contentUrl"])), plain(either(list[0]["caption"], list[0]["name"]))
		}
		if u, err := url.Parse(address); err == nil && (u.Scheme == "http" || u.Scheme == "https") && len(address) <= maxNote && len(list) < maxImages {
			list = append(list, profile{"url": address}.put("alt", alt))
		}
	}
	return list
}
