package found_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content/dom"
	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/extract/found"
	"github.com/trawlhq/trawl/schema"
)

func compile(t testing.TB, text string) *schema.Schema {
	t.Helper()
	var raw any
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	s, err := schema.Compile(raw)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// object writes a schema in short: properties as JSON, and which are required.
func object(properties string, required ...string) string {
	list, _ := json.Marshal(required)
	if required == nil {
		list = []byte("[]")
	}
	return `{"type":"object","properties":{` + properties + `},"required":` + string(list) + `}`
}

func facted(t testing.TB, name string) *facts.Facts {
	t.Helper()
	html := name
	if strings.HasSuffix(name, ".html") {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		html = string(text)
	}
	return facts.Read(dom.Parse(html), "https://shop.example/p")
}

const (
	text   = `{"type":"string"}`
	number = `{"type":"number"}`
	whole  = `{"type":"integer"}`
	yes    = `{"type":"boolean"}`
	texts  = `{"type":"array","items":{"type":"string"}}`
)

func TestMap(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, page, schema string
		want               string
		missing            []string
	}{
		{
			"a product", "product.html",
			object(`"name":`+text+`,"price":`+number+`,"currency":`+text+`,"in_stock":`+yes+`,"brand":`+text+`,"rating":`+number+`,"reviewCount":`+whole+
				`,"image":{"type":"string","format":"uri"},"sku":`+text+`,"ean":`+text+`,"description":`+text+`,"seller":`+text+`,"siteName":`+text, "name", "price"),
			`{"brand":"Acme","currency":"EUR","description":"Two litres, handmade.","ean":"4006381333931","image":"https://shop.example/img/1.jpg","in_stock":true,` +
				`"name":"Copper kettle","price":1299,"rating":4.6,"reviewCount":213,"seller":"Kettle House","siteName":"Kettle House","sku":"CK-2"}`, nil,
		},
		{
			"names in other notations", "product.html",
			object(`"product_title":` + text + `,"priceCurrency":` + text + `,"price-valid-until":{"type":"string","format":"date"},"images":` + texts +
				`,"brandName":` + text + `,"productName":` + text + `,"capacity":` + text + `,"breadcrumbs":` + texts),
			`{"brandName":"Acme","breadcrumbs":["Home","Kettles"],"capacity":"2 l","images":["https://shop.example/img/1.jpg","https://shop.example/img/2.jpg"],` +
				`"price-valid-until":"2027-01-31","priceCurrency":"EUR","productName":"Copper kettle","product_title":"Copper kettle"}`, nil,
		},
		{
			"parts of a product", "product.html",
			object(`"product":` + object(`"name":`+text+`,"offers":`+object(`"price":`+number+`,"availability":{"enum":["in_stock","out_of_stock"]}`)) +
				`,"reviews":{"type":"array","items":` + object(`"author":`+text+`,"rating":`+whole+`,"text":`+text) + `}`),
			`{"product":{"name":"Copper kettle","offers":{"availability":"in_stock","price":1299}},` +
				`"reviews":[{"author":"Ann","rating":5,"text":"Great."},{"author":"Bob","rating":4,"text":"Fine."}]}`, nil,
		},
		{
			"objects that only group", "product.html",
			object(`"price":` + object(`"amount":`+number+`,"currency":`+text) + `,"rating":` + object(`"value":`+number+`,"count":`+whole) + `,"seller":` + object(`"name":`+text+`,"phone":`+text)),
			`{"price":{"amount":1299,"currency":"EUR"},"rating":{"count":213,"value":4.6},"seller":{"name":"Kettle House"}}`, nil,
		},
		{
			"questions and answers",
			`<script type="application/ld+json">{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Hot?","acceptedAnswer":{"@type":"Answer","text":"<p>Yes.</p>"}},{"@type":"Question","name":"Cold?","acceptedAnswer":{"@type":"Answer","text":"No."}}]}</script>`,
			object(`"faqs":{"type":"array","items":` + object(`"question":`+text+`,"answer":`+text, "question", "answer") + `}`),
			`{"faqs":[{"answer":"Yes.","question":"Hot?"},{"answer":"No.","question":"Cold?"}]}`, nil,
		},
		{
			"a list of links",
			`<script type="application/ld+json">{"@type":"ItemList","itemListElement":[{"@type":"ListItem","position":1,"url":"https://a.example/1","name":"One"},{"@type":"ListItem","position":2,"item":{"@type":"Product","name":"Two","url":"/2"}}]}</script>`,
			object(`"items":{"type":"array","items":` + object(`"name":`+text+`,"url":{"type":"string","format":"uri"},"position":`+whole, "name") + `}`),
			`{"items":[{"name":"One","position":1,"url":"https://a.example/1"},{"name":"Two","position":2,"url":"https://shop.example/2"}]}`, nil,
		},
		{
			"the stars of a hotel",
			`<h1>Sun</h1><script type="application/ld+json">{"@type":"Hotel","name":"Sun","starRating":{"@type":"Rating","ratingValue":"4"},"aggregateRating":{"ratingValue":"8.7"}}</script>`,
			object(`"stars":` + number + `,"rating":` + number), `{"rating":8.7,"stars":4}`, nil,
		},
		{
			"measures and lines",
			`<h1>Ada</h1><script type="application/ld+json">{"@type":"Product","name":"Ada","weight":{"@type":"QuantitativeValue","value":"1.2","unitCode":"KGM"},"depth":{"@type":"QuantitativeValue","value":3,"unitCode":"XYZ"}}</script>` +
				`<table><tr><th>Occupation<td>Mathematician, amateur<br>Writer</table><p>Maker: Acme</p>`,
			object(`"weight":` + text + `,"depth":` + text + `,"occupation":{"type":"array","items":` + text + `},"maker":` + text),
			`{"depth":"3 XYZ","maker":"Acme","occupation":["Mathematician, amateur","Writer"],"weight":"1.2 kg"}`, nil,
		},
		{
			"lines in one text", `<dl><dt>Address<dd>1 High Street<br>Leeds</dl>`,
			object(`"address":` + text), `{"address":"1 High Street Leeds"}`, nil,
		},
		{
			"an article has no price",
			`<h1>Tea</h1><script type="application/ld+json">[{"@type":"Article","headline":"Tea"},{"@type":"Product","name":"Cup","offers":{"price":5}},{"@type":"Organization","name":"Co","telephone":"1"}]</script>`,
			object(`"title":`+text+`,"price":`+number+`,"phone":`+text, "title", "price"), `{"title":"Tea"}`, []string{"price"},
		},
		{
			"pairs of a product", "product.html",
			object(`"weight":` + number + `,"colour":` + texts + `,"dishwasherSafe":` + yes + `,"warranty":` + whole +
				`,"specs":` + object(`"name":`+text+`,"weight":`+text)),
			`{"colour":["copper","red"],"dishwasherSafe":false,"specs":{"weight":"1.2 kg"},"warranty":10,"weight":1.2}`, nil,
		},
		{
			"pairs as a list", "product.html",
			object(`"specifications":{"type":"array","items":` + object(`"label":`+text+`,"value":`+text) + `}`),
			`{"specifications":[{"label":"Weight","value":"1.2 kg"},{"label":"Colour","value":"copper, red"},{"label":"Dishwasher safe","value":"No"},{"label":"Warranty (years)","value":"10"}]}`, nil,
		},
		{
			"what is not there", "product.html",
			object(`"name":`+text+`,"colorTemperature":`+number+`,"shipping":`+object(`"cost":`+number+`,"weight":`+text)+`,"dishwasher":`+object(`"safe":`+yes)+`,"manufacturer":`+object(`"name":`+text, "name"), "colorTemperature", "manufacturer"),
			`{"dishwasher":{"safe":false},"name":"Copper kettle"}`, []string{"colorTemperature", "manufacturer.name"},
		},
		{
			"an article", "article.html",
			object(`"title":` + text + `,"author":` + text + `,"authors":` + texts + `,"publishedAt":{"type":"string","format":"date-time"},"date":{"type":"string","format":"date","description":"When it was last modified"},` +
				`"tags":` + texts + `,"publisher":` + text + `,"publisherLogo":{"type":"string","format":"uri"},"isAccessibleForFree":` + yes + `,"wordCount":` + whole + `,"section":` + text + `,"image":` + text + `,"description":` + text),
			`{"author":"Ann Lee, Bo Ek","authors":["Ann Lee","Bo Ek"],"date":"2026-03-05","description":"Sales of tea rise again.","image":"https://daily.example/tea.jpg","isAccessibleForFree":true,` +
				`"publishedAt":"2026-03-04T08:30:00+01:00","publisher":"The Daily","publisherLogo":"https://daily.example/logo.png","section":"Business","tags":["tea","trade"],"title":"Tea is back","wordCount":812}`, nil,
		},
		{
			"a list of authors", "article.html",
			object(`"author":{"type":"array","items":` + object(`"name":`+text+`,"url":`+text, "name") + `}`),
			`{"author":[{"name":"Ann Lee","url":"https://daily.example/ann"},{"name":"Bo Ek"}]}`, nil,
		},
		{
			"a recipe in microdata", "recipe.html",
			object(`"name":` + text + `,"ingredients":` + texts + `,"instructions":` + texts + `,"author":` + text + `,"servings":` + whole + `,"calories":` + number + `,"prepTime":` + text + `,"prep_time_minutes":` + whole + `,"prepTimeInHours":` + whole),
			`{"author":"Eve","calories":320,"ingredients":["2 eggs","250 ml milk, cold","120 g flour"],"instructions":["Mix all.","Fry."],"name":"Pancakes","prepTime":"PT10M","prep_time_minutes":10,"servings":4}`, nil,
		},
		{
			"a job", "job.html",
			object(`"jobTitle":` + text + `,"company":` + text + `,"location":` + text + `,"city":` + text + `,"country":` + text + `,"salaryMin":` + number + `,"salaryMax":` + number + `,"salaryCurrency":` + text +
				`,"remote":` + yes + `,"datePosted":{"type":"string","format":"date"},"employmentType":` + texts + `,"deadline":{"type":"string","format":"date-time"},"salary":` + number),
			`{"city":"Leeds","company":"Clay Co","country":"GB","datePosted":"2026-02-01","deadline":"2026-04-01T00:00:00","employmentType":["FULL_TIME","CONTRACTOR"],"jobTitle":"Potter",` +
				`"location":"1 Kiln St, LS1, Leeds, GB","remote":true,"salaryCurrency":"GBP","salaryMax":38000,"salaryMin":30000}`, nil,
		},
		{
			"an event with two prices", "event.html",
			object(`"name":`+text+`,"startDate":{"type":"string","format":"date-time"},"endDate":{"type":"string","format":"date-time"},"venue":`+text+`,"city":`+text+`,"country":`+text+
				`,"lat":`+number+`,"lng":`+number+`,"price":`+number+`,"currency":`+text+`,"performer":`+text+`,"eventStatus":`+text+`,"prices":`+`{"type":"array","items":{"type":"number"}}`+
				`,"location":`+object(`"name":`+text+`,"address":`+text), "price"),
			`{"city":"Bonn","country":"Germany","currency":"EUR","eventStatus":"EventScheduled","lat":50.73,"lng":7.1,"location":{"address":"Bonn, Germany","name":"Town hall"},"name":"Spring fair","performer":"The Cups","prices":[10,15],` +
				`"startDate":"2026-05-01T19:00:00","venue":"Town hall"}`, []string{"price"},
		},
		{
			"a page of pairs", "spec.html",
			object(`"title":` + text + `,"manufacturer":` + text + `,"price":` + number + `,"colors":` + texts + `,"colours":` + texts + `,"port":` + text + `,"ports":` + texts +
				`,"released":{"type":"string","format":"date"},"efficiency":` + number + `,"countries":` + texts),
			`{"colours":["red","blue"],"countries":["France","Peru"],"efficiency":12,"manufacturer":"Acme","ports":["USB","HDMI"],"price":1299,"released":"2026-03-04","title":"Model X1"}`, nil,
		},
		{
			"a table", "spec.html",
			object(`"plans":{"type":"array","items":`+object(`"plan":`+text+`,"price":`+number+`,"users":`+whole, "plan", "price")+`}`, "plans"),
			`{"plans":[{"plan":"Basic","price":5,"users":1},{"plan":"Team","price":1250.5,"users":20}]}`, nil,
		},
		{
			"a table without a required column", "spec.html",
			object(`"plans":{"type":"array","items":`+object(`"plan":`+text+`,"storage":`+text, "plan", "storage")+`}`, "plans"),
			`null`, []string{"plans"},
		},
		{
			"two products", "two.html",
			object(`"name":`+text+`,"price":`+number+`,"currency":`+text+`,"title":`+text, "name", "price"),
			`{"currency":"EUR","title":"All kettles"}`, []string{"name", "price"},
		},
		{
			"a list of products", "two.html",
			object(`"products":{"type":"array","items":`+object(`"name":`+text+`,"price":`+number, "name", "price")+`}`, "products"),
			`{"products":[{"name":"Kettle A","price":10},{"name":"Kettle B","price":20}]}`, nil,
		},
		{
			"a list of anything", "two.html", `{"type":"array","items":` + object(`"name":`+text) + `}`,
			`[{"name":"Kettle A"},{"name":"Kettle B"}]`, nil,
		},
		{
			"values that do not fit", "product.html",
			object(`"price":{"type":"number","maximum":100},"name":{"type":"string","maxLength":3},"sku":{"type":"string","pattern":"^CK"}`, "price"),
			`{"sku":"CK-2"}`, []string{"price"},
		},
		{
			"who made the page is not what it is about",
			`<title>Our jobs</title><script type="application/ld+json">{"@type":"Organization","name":"Co","description":"We are Co.","telephone":"+44 1","url":"https://shop.example/"}</script>`,
			object(`"title":` + text + `,"name":` + text + `,"description":` + text + `,"phone":` + text + `,"companyName":` + text + `,"company":` + object(`"name":`+text+`,"url":`+text)),
			`{"company":{"name":"Co","url":"https://shop.example/"},"companyName":"Co","phone":"+44 1","title":"Our jobs"}`, nil,
		},
		{"null is allowed", "product.html", object(`"sku":{"type":["string","null"]},"price":{"anyOf":[{"type":"number"},{"type":"null"}]}`), `{"price":1299,"sku":"CK-2"}`, nil},
		{"a page that says nothing", "<p>Hello", object(`"name":`+text, "name"), `null`, []string{"name"}},
		{"the page's own title", "<title>Hello</title>", object(`"title":`+text+`,"name":`+text, "title"), `{"title":"Hello"}`, nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := compile(t, tc.schema)
			value, missing := found.Map(facted(t, tc.page), s)
			got, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
			if !reflect.DeepEqual(missing, tc.missing) {
				t.Errorf("missing %q, want %q", missing, tc.missing)
			}
			if problems := s.Check(value); value != nil && len(missing) == 0 && len(problems) > 0 {
				t.Errorf("nothing is missing, yet %v", problems)
			}
		})
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"1,299.00": "1299", "1.299,00": "1299", "1.299,50 €": "1299.5", "$12": "12", "12 %": "12", "US$ 3.50": "3.5", "EUR 1 299,00": "1299",
		"1'299.00 CHF": "1299", "1,299": "1299", "12,5": "12.5", "0,299": "0.299", "-5": "-5", "−5 °C": "-5", "1,234,567": "1234567", "1.234.567": "1234567",
		"1.299": "1.299", "1.299 €": "1299", "$1.299": "", "1.299 kg": "", "16GB": "16", "2 kg": "2", "4.5 out of 5": "", "10-12": "", "10 – 12": "", "1.2k": "", "3 million": "",
		"12a": "", "AB12": "", "ABC 12": "", "1,2,3": "", "1,29,9.00": "", "12/13": "", "": "", "free": "", "1e999": "", "99999999999999999999999999999999999999999999": "",
		"9007199254740993": "9007199254740993", "0.1": "0.1", "007": "7", "2nd": "", "£1,000.": "1000", "1.000.00": "", "12 34": "", "12,34,567": "1234567",
	}
	s := compile(t, object(`"amount of it":`+number))
	for value, want := range tests {
		got, _ := found.Map(&facts.Facts{Pairs: []facts.Pair{{Name: "Amount of it", Value: value}}}, s)
		if text, _ := json.Marshal(got); want == "" && got != nil || want != "" && string(text) != `{"amount of it":`+want+`}` {
			t.Errorf("%q is read as %s, want %q", value, text, want)
		}
	}
}

func TestConversion(t *testing.T) {
	t.Parallel()
	day, moment, mail := `{"type":"string","format":"date"}`, `{"type":"string","format":"date-time"}`, `{"type":"string","format":"email"}`
	tests := []struct{ schema, value, want string }{
		{whole, "12.00", "12"}, {whole, "12.5", ""}, {whole, "1,200", "1200"},
		{yes, "Yes", "true"}, {yes, "no", "false"}, {yes, "maybe", ""}, {yes, "1", ""},
		{day, "2026-03-04T10:00:00Z", `"2026-03-04"`}, {day, "March 4, 2026", `"2026-03-04"`}, {day, "4 Mar 2026", `"2026-03-04"`}, {day, "04.03.2026", `"2026-03-04"`},
		{day, "Mittwoch, 4. März 2026", `"2026-03-04"`}, {day, "Wednesday, March 4, 2026", `"2026-03-04"`}, {day, "4 de marzo de 2026", `"2026-03-04"`},
		{day, "2026/03/04", `"2026-03-04"`}, {day, "20260304", `"2026-03-04"`}, {day, "4.3.26", ""}, {day, "until 4 March 2026", ""}, {day, "March 2026", ""},
		{day, "03/04/2026", ""}, {day, "soon", ""}, {day, "2026-02-30", ""},
		{moment, "2026-03-04T10:00:00Z", `"2026-03-04T10:00:00Z"`}, {moment, "Wed, 04 Mar 2026 10:00:00 GMT", `"2026-03-04T10:00:00Z"`}, {moment, "2026-03-04", ""},
		{mail, "mailto:a@b.example", `"a@b.example"`}, {mail, "none", ""},
		{`{"enum":["Red","Blue"]}`, "red", `"Red"`}, {`{"enum":["Red","Blue"]}`, "green", ""}, {`{"enum":[1,2]}`, "2", "2"}, {`{"enum":["red","Red","RED"]}`, "RED", `"RED"`}, {`{"enum":["red","Red"]}`, "rED", ""}, {`{"enum":["♥",null]}`, "★", ""}, {`{"const":"x"}`, "X", `"x"`},
		{`{"type":["integer","string"]}`, "12", "12"}, {`{"type":["integer","string"]}`, "twelve", `"twelve"`},
		{`{"type":"string","format":"uri"}`, "not an address", ""}, {`{"type":"string","format":"uri"}`, "https://a.example/", `"https://a.example/"`},
		{`{"anyOf":[{"type":"number"},{"type":"boolean"},{"type":"null"}]}`, "12", "12"}, {`{"anyOf":[{"type":"number"},{"type":"string"}]}`, "12 or so", `"12 or so"`},
		{`{}`, "as it is", `"as it is"`}, {`{"type":"null"}`, "x", ""}, {`{"type":"string","minLength":3}`, "ab", ""},
	}
	for _, tc := range tests {
		s := compile(t, object(`"field":`+tc.schema))
		got, _ := found.Map(&facts.Facts{Pairs: []facts.Pair{{Name: "Field", Value: tc.value}}}, s)
		if text, _ := json.Marshal(got); tc.want == "" && got != nil || tc.want != "" && string(text) != `{"field":`+tc.want+`}` {
			t.Errorf("%q as %s is %s, want %q", tc.value, tc.schema, text, tc.want)
		}
	}
}

func TestDurations(t *testing.T) {
	t.Parallel()
	s := compile(t, object(`"cook_time_minutes":`+number))
	for value, want := range map[string]string{
		"PT1H30M": "90", "pt45m": "45", "PT90S": "1.5", "P1D": "1440", "1 h 15 min": "75", "2 hours": "120", "45 min": "45", "45": "45", "PT20S": "", "soon": "", "10-15 min": "", "P": "",
	} {
		got, _ := found.Map(&facts.Facts{Pairs: []facts.Pair{{Name: "Cook time minutes", Value: value}}}, s)
		if text, _ := json.Marshal(got); want == "" && got != nil || want != "" && string(text) != `{"cook_time_minutes":`+want+`}` {
			t.Errorf("%q is %s minutes, want %q", value, text, want)
		}
	}
}

// Long lists come whole.
func TestLongLists(t *testing.T) {
	t.Parallel()
	item := object(`"name":`+text+`,"price":`+number+`,"stock":`+whole+`,"color":`+text, "name", "price")
	s := compile(t, object(`"items":{"type":"array","items":`+item+`}`, "items"))
	var rows, elements strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&rows, "<tr><td>N%d<td>$%d<td>%d<td>red", i, i, i)
		if i < 5000 {
			fmt.Fprintf(&elements, `{"@type":"ListItem","position":%d,"item":{"@type":"Product","name":"N%d","color":"red","offers":{"price":%d}}},`, i, i, i)
		}
	}
	for page, want := range map[string]int{
		"<table><tr><th>Name<th>Price<th>Stock<th>Color" + rows.String():                                                 10_000,
		`<script type="application/ld+json">{"@type":"ItemList","itemListElement":[` + elements.String() + "]}</script>": 5000,
	} {
		f := facts.Read(dom.Parse(page), "https://a.example/")
		value, missing := found.Map(f, s)
		if f.Cut || len(missing) > 0 {
			t.Fatalf("cut: %v, without %v", f.Cut, missing)
		}
		if got := len(value.(map[string]any)["items"].([]any)); got != want {
			t.Errorf("%d items of %d", got, want)
		}
	}
}

// A name that promises an address is not filled with words.
func TestAddresses(t *testing.T) {
	t.Parallel()
	f := &facts.Facts{Pairs: []facts.Pair{{Name: "links", Value: "every address on the page"}, {Name: "website", Value: "https://kettle.example/"}}}
	got, missing := found.Map(f, compile(t, object(`"url":`+text+`,"website":`+text, "url")))
	if want := map[string]any{"website": "https://kettle.example/"}; !reflect.DeepEqual(got, want) || !slices.Equal(missing, []string{"url"}) {
		t.Errorf("found %v, without %v", got, missing)
	}
}

func TestOddNames(t *testing.T) {
	t.Parallel()
	f := &facts.Facts{Pairs: []facts.Pair{{Name: "a.b", Value: "long text"}, {Name: "c", Value: "x"}}}
	s := compile(t, object(`"a.b":{"type":"string","maxLength":2},"c":`+text, "a.b", "d[0]"))
	value, missing := found.Map(f, s)
	if got, _ := json.Marshal(value); string(got) != `{"c":"x"}` || !reflect.DeepEqual(missing, []string{`["a.b"]`, `["d[0]"]`}) {
		t.Errorf("got %s, missing %q", got, missing)
	}
	if value, missing := found.Map(nil, s); value != nil || len(missing) != 2 {
		t.Errorf("of no facts: %v, %q", value, missing)
	}
}

// Many facts under a schema of many fields take bounded work.
func TestHostile(t *testing.T) {
	t.Parallel()
	var fields []string
	for i := range 900 {
		fields = append(fields, `"field`+strings.Repeat("x", i%50)+string(rune('a'+i%26))+`":`+text)
	}
	f := &facts.Facts{Tags: map[string]string{}}
	for i := range 500 {
		thing := map[string]any{"@type": []any{"Product"}, "name": "x"}
		for k := range 40 {
			thing["key"+strings.Repeat("y", k)] = map[string]any{"deep": "v"}
		}
		f.Things = append(f.Things, thing)
		f.Pairs = append(f.Pairs, facts.Pair{Name: strings.Repeat("p", i%60+1), Value: "v"})
	}
	seen := map[string]bool{}
	for i := 0; i < len(fields); i++ {
		if name, _, _ := strings.Cut(fields[i], ":"); seen[name] {
			fields = append(fields[:i], fields[i+1:]...)
			i--
		} else {
			seen[name] = true
		}
	}
	if value, _ := found.Map(f, compile(t, object(strings.Join(fields, ",")))); value != nil {
		t.Errorf("found %v", value)
	}
}

func FuzzMap(f *testing.F) {
	pages, _ := filepath.Glob("testdata/*.html")
	for _, page := range pages {
		html, err := os.ReadFile(page)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(html), object(`"name":`+text+`,"price":`+number+`,"items":{"type":"array","items":`+object(`"name":`+text, "name")+`}`, "name"))
	}
	f.Fuzz(func(t *testing.T, html, raw string) {
		var decoded any
		if json.Unmarshal([]byte(raw), &decoded) != nil {
			return
		}
		s, err := schema.Compile(decoded)
		if err != nil {
			return
		}
		value, missing := found.Map(facts.Read(dom.Parse(html), "https://a.example/"), s)
		if value == nil || len(missing) > 0 {
			return
		}
		if problems := s.Check(value); len(problems) > 0 {
			t.Fatalf("%v does not fit %s: %v", value, raw, problems)
		}
	})
}
