package extract_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/llm/llmtest"
)

// linked returns a page with linked data, or other things in its head.
func linked(head, markdown string) *extract.Source {
	if strings.HasPrefix(head, "{") || strings.HasPrefix(head, "[") {
		head = `<script type="application/ld+json">` + head + `</script>`
	}
	tree := dom.Parse("<html><head>" + head + "</head><body></body></html>")
	const address = "https://shop.example/kettle"
	return &extract.Source{URL: address, Markdown: markdown, Facts: facts.Read(tree, address)}
}

func TestProductByFacts(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ head, want string }{
		"one offer": {
			`{"@type":"Product","name":"Kettle","brand":{"@type":"Brand","name":"Acme"},"category":"Kitchen","description":"It boils.","sku":"K-1","color":"red","image":["/k.jpg","javascript:x"],
			"offers":{"@type":"Offer","price":"49.90","priceCurrency":"EUR","availability":"https://schema.org/OutOfStock"}}`,
			`{"brand":"Acme","category":"Kitchen","description":"It boils.","title":"Kettle","url":"https://shop.example/kettle","variants":[{"availability":{"inStock":false,"text":"OutOfStock"},
			"images":[{"url":"https://shop.example/k.jpg"}],"price":{"amount":49.90,"currency":"EUR"},"sku":"K-1","title":"Kettle","values":{"color":"red"}}]}`,
		},
		"variants": {
			`{"@type":"ProductGroup","name":"Kettle","hasVariant":[{"@type":"Product","name":"Small","size":"S","offers":{"@type":"Offer","price":40,"priceCurrency":"EUR"}},
			{"@type":"Product","name":"Large","size":"L","offers":{"@type":"Offer","price":"1.299,50 EUR"}}]}`,
			`{"title":"Kettle","url":"https://shop.example/kettle","variants":[{"availability":{"inStock":true},"price":{"amount":40,"currency":"EUR"},"title":"Small","values":{"size":"S"}},
			{"availability":{"inStock":true},"price":{"amount":1299.5},"title":"Large","values":{"size":"L"}}]}`,
		},
		"from a price on": {
			`{"@type":"Product","name":"Kettle","offers":{"@type":"AggregateOffer","lowPrice":"10","highPrice":"20","priceCurrency":"USD"}}`,
			`{"title":"Kettle","url":"https://shop.example/kettle","variants":[{"availability":{"inStock":true},"price":{"amount":10,"currency":"USD"},"title":"Kettle"}]}`,
		},
		"no offer": {`{"@type":"Product","name":"Kettle"}`, `{"title":"Kettle","url":"https://shop.example/kettle","variants":[]}`},
		"meta tags": {
			`<meta property="og:type" content="product"><meta property="og:title" content="Kettle"><meta property="product:price:amount" content="12.00">
			<meta property="product:price:currency" content="GBP"><meta property="product:availability" content="out of stock">`,
			`{"title":"Kettle","url":"https://shop.example/kettle","variants":[{"availability":{"inStock":false,"text":"out of stock"},"price":{"amount":12.00,"currency":"GBP"}}]}`,
		},
		"odd values": {
			`{"@type":"Product","name":["Kettle"],"brand":[[["x"]]],"offers":[{"price":-5},{"price":"much"},{"price":{"a":1}},"x",null]}`,
			`{"title":"Kettle","url":"https://shop.example/kettle","variants":[{"availability":{"inStock":true},"title":"Kettle"},{"availability":{"inStock":true},"title":"Kettle"},{"availability":{"inStock":true},"title":"Kettle"}]}`,
		},
	} {
		value, tokens, warning, err := askProduct((&extract.Extractor{}), t.Context(), linked(tc.head, "words"))
		want := strings.NewReplacer("\n", "", "\t", "").Replace(tc.want)
		if err != nil || encode(t, value) != want || tokens != 0 || warning != "" {
			t.Errorf("%s: %s, %q, %v\nwant %s", name, encode(t, value), warning, err, want)
		}
	}
}

func TestNoProfile(t *testing.T) {
	t.Parallel()
	silent, server := withModel(t, always(llmtest.JSON(map[string]any{})))
	for _, x := range []*extract.Extractor{{}, silent} {
		for _, src := range []*extract.Source{{URL: "https://a.example/", Markdown: "Some words."}, linked(`{"@type":"Article","name":"News"}`, "Some words."), {}} {
			product, _, warning, err := askProduct(x, t.Context(), src)
			if product != nil || err != nil || !strings.Contains(warning, "no product") {
				t.Errorf("product %v, %q, %v", product, warning, err)
			}
			menu, _, warning, err := askMenu(x, t.Context(), src)
			if menu != nil || err != nil || !strings.Contains(warning, "no menu") {
				t.Errorf("menu %v, %q, %v", menu, warning, err)
			}
		}
	}
	if len(server.Calls()) != 4 {
		t.Errorf("%d calls", len(server.Calls()))
	}
}

func TestProductByModel(t *testing.T) {
	t.Parallel()
	x, server := withModel(t, always(llmtest.JSON(map[string]any{
		"title": "Copper Kettle", "brand": "Acme", "order": "pwn", "variants": []any{
			map[string]any{"title": "Small", "price": map[string]any{"amount": 49.5, "currency": "EUR"}, "sale": map[string]any{"originalPrice": map[string]any{"amount": 59.5}}, "availability": map[string]any{"inStock": false, "text": "sold out"}},
			map[string]any{"title": "Large", "price": map[string]any{"amount": 777.77}},
			map[string]any{"title": "Huge"},
		},
	})))
	src := linked(`{"@type":"Product","name":"Kettle"}`, "Acme Kettle. Small 49.50 EUR (was 59.50), sold out. Large and Huge on request.")
	value, tokens, warning, err := askProduct(x, t.Context(), src)
	want := `{"brand":"Acme","title":"Kettle","url":"https://shop.example/kettle","variants":[` +
		`{"availability":{"inStock":false,"text":"sold out"},"price":{"amount":49.5,"currency":"EUR"},"sale":{"originalPrice":{"amount":59.5}},"title":"Small"},` +
		`{"availability":{"inStock":false},"title":"Large"},{"availability":{"inStock":false},"title":"Huge"}]}`
	if err != nil || encode(t, value) != want || tokens != 120 || !strings.Contains(warning, "amount") {
		t.Errorf("%s, %d, %q, %v", encode(t, value), tokens, warning, err)
	}
	whole := linked(`{"@type":"Product","name":"Kettle","offers":{"price":5}}`, "words")
	if _, _, _, err := askProduct(x, t.Context(), whole); err != nil || len(server.Calls()) != 1 {
		t.Errorf("what the page tells was asked for: %v", err)
	}
}

const dish = `{"availability":{"inStock":true},"calories":450,"dietary":["Vegan"],"id":"section-1-item-1","identifiers":{},"images":[],"name":"Soup","optionGroups":[],` +
	`"price":{"amount":4.5,"currency":"EUR"},"sourceUrl":"https://shop.example/kettle"}`

func TestMenuByFacts(t *testing.T) {
	t.Parallel()
	const section = `{"@type":"MenuSection","name":"Starters","hasMenuItem":{"@type":"MenuItem","name":"Soup","offers":{"price":4.5,"priceCurrency":"EUR"},
		"suitableForDiet":"https://schema.org/VeganDiet","nutrition":{"calories":"450 calories"}}}`
	for name, tc := range map[string]struct{ head, merchant string }{
		"restaurant": {`{"@type":"Restaurant","name":"Luigi","hasMenu":{"@type":"Menu","hasMenuSection":[` + section + `]}}`, `{"name":"Luigi","type":"Restaurant"}`},
		"menu alone": {`{"@type":"Menu","name":"Lunch","hasMenuSection":[` + section + `]}`, `{"name":"shop.example"}`},
		"site":       {`<meta property="og:site_name" content="Da Mario"><script type="application/ld+json">{"@type":"Menu","hasMenuSection":[` + section + `]}</script>`, `{"name":"Da Mario"}`},
	} {
		value, _, warning, err := askMenu((&extract.Extractor{}), t.Context(), linked(tc.head, "words"))
		want := `{"confidence":1,"currency":"EUR","isMenu":true,"merchant":` + tc.merchant + `,"sections":[{"id":"section-1","items":[` + dish + `],"name":"Starters"}],"sourceUrl":"https://shop.example/kettle"}`
		if err != nil || encode(t, value) != want || warning != "" {
			t.Errorf("%s: %s, %q, %v", name, encode(t, value), warning, err)
		}
	}
}

func TestMenuByModel(t *testing.T) {
	t.Parallel()
	x, _ := withModel(t, always(llmtest.JSON(map[string]any{
		"merchant": map[string]any{"name": "Luigi"}, "currency": "EUR", "sections": []any{
			map[string]any{"name": "Starters", "items": []any{
				map[string]any{"name": "Soup", "price": map[string]any{"amount": 4.5, "currency": "EUR"}, "dietary": []any{"Vegan"}, "calories": 450},
				map[string]any{"name": "Invented Dish"},
			}},
			map[string]any{"name": "Nothing", "items": []any{}},
		},
	})))
	value, tokens, _, err := askMenu(x, t.Context(), &extract.Source{URL: "https://shop.example/kettle", Markdown: "# Luigi\n\n## Starters\n\nSoup (vegan, 450 kcal) 4.50 EUR"})
	got := encode(t, value)
	if err != nil || tokens != 120 || !strings.Contains(got, `"confidence":0.5`) || !strings.Contains(got, dish) || strings.Contains(got, "Nothing") {
		t.Errorf("%s, %v", got, err)
	}
}

// FuzzProfile reads linked data of any kind.
func FuzzProfile(f *testing.F) {
	f.Add(`{"@type":"Product","name":"K","offers":[{"price":"1,5"}],"hasVariant":[{"image":{"url":"https://a.example/"}}]}`)
	f.Add(`{"@type":["Restaurant"],"name":"L","menu":[{"hasMenuItem":[{"name":"S","calories":["1 k"]}],"hasMenuSection":{"hasMenuSection":{}}}]}`)
	f.Fuzz(func(t *testing.T, data string) {
		src := linked(`<script type="application/ld+json">`+data+`</script>`, "")
		x := &extract.Extractor{}
		product, _, warning, err := askProduct(x, t.Context(), src)
		if err != nil || product == nil && warning == "" {
			t.Fatal(err)
		}
		menu, _, _, err := askMenu(x, t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		encode(t, product)
		encode(t, menu)
	})
}
