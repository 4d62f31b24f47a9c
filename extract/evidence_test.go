package extract_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/llm/llmtest"
)

func TestEvidence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		page, value string // the value as JSON
		quote       string // empty: not verified
	}{
		{"The Copper Kettle is here.", `"copper kettle"`, "The Copper Kettle is here."},
		{"The **Copper** _Kettle_ is here.", `"Copper Kettle"`, "The Copper Kettle is here."},
		{"The Copper\nKettle is here.", `"Copper Kettle"`, "The Copper Kettle is here."},
		{"The [Copper](https://a.example/copper) Kettle", `"Copper Kettle"`, "The Copper Kettle"},
		{`Names such as snake\_case and 5 \* 3`, `"snake_case"`, "Names such as snake_case and 5 * 3"},
		{"Tom &amp; Jerry’s “Shop”", `"Tom & Jerry's \"Shop\""`, "Tom & Jerry’s “Shop”"},
		{"pages 10–20", `"10-20"`, "pages 10–20"},
		{"Cafe\u0301 Noir", `"Caf\u00e9 Noir"`, "Café Noir"},
		{"Kettles are here.", `"Kettle"`, ""},
		{"東京都千代田区", `"千代田"`, "東京都千代田区"},
		{"# Heading\n\n> quoted words", `"quoted words"`, "quoted words"},
		{"one line\nthe value here\nanother line", `"value"`, "the value here"},

		{"Price: $1,299.00", `1299`, "Price: $1,299.00"},
		{"Preis: 1.299,00 €", `1299`, "Preis: 1.299,00 €"},
		{"Prix : 1 299,50 €", `1299.5`, "Prix : 1 299,50 €"},
		{"Prix : 1\u202f299,50 €", `1299.50`, "Prix : 1 299,50 €"},
		{"Preis: CHF 1'299.-", `1299`, "Preis: CHF 1'299.-"},
		{"12,34,567 rupees", `1234567`, "12,34,567 rupees"},
		{"4,5 Sterne", `4.5`, "4,5 Sterne"},
		{"$1.2 million raised", `1200000`, "$1.2 million raised"},
		{"12k followers", `12000`, "12k followers"},
		{"25% off", `0.25`, "25% off"},
		{"25% off", `25`, "25% off"},
		{"1299 USD", `"$1,299.00"`, "1299 USD"},
		{"Price: $1,299.00", `299`, ""},
		{"Price: $1,299.00", `12`, ""},
		{"version 1.2.3", `1.2`, ""},
		{"1e3 is odd, 1000 is not", `1e3`, "1e3 is odd, 1000 is not"},

		{"Posted on March 5, 2024 by Ann", `"2024-03-05"`, "Posted on March 5, 2024 by Ann"},
		{"Posted on 5th of March 2024", `"2024-03-05"`, "Posted on 5th of March 2024"},
		{"am 5. März 2024", `"2024-03-05T00:00:00Z"`, "am 5. März 2024"},
		{"el 5 de marzo de 2024", `"2024-03-05"`, "el 5 de marzo de 2024"},
		{"05.03.2024", `"2024-03-05"`, "05.03.2024"},
		{"03/05/24", `"2024-03-05"`, "03/05/24"},
		{"2024年3月5日", `"2024-03-05"`, "2024年3月5日"},
		{"2024-03-05T10:30:00Z", `"March 5, 2024"`, "2024-03-05T10:30:00Z"},
		{"since March 2024", `"2024-03"`, "since March 2024"},
		{"Posted on March 6, 2024", `"2024-03-05"`, ""},

		{"Call (030) 123-4567", `"+49 30 1234567"`, "Call (030) 123-4567"},
		{"Call +1 555 010 9999", `"+15550109999"`, "Call +1 555 010 9999"},
		{"Write to info [at] acme [dot] org", `"info@acme.org"`, "Write to info at acme dot org"},
		{"Write to [us](mailto:Info@acme.org).", `"info@acme.org"`, "mailto:Info@acme.org"},
		{"[Docs](https://acme.org/docs/start)", `"https://www.acme.org/docs/start/"`, "https://acme.org/docs/start"},
		{"[Docs](https://acme.org/docs/start)", `"http://acme.org/docs/start/"`, "https://acme.org/docs/start"},
		{"[Docs](https://acme.org/docs/start)", `"/docs/start"`, "https://acme.org/docs/start"},
		{"[Docs](https://acme.org/docs/start)", `"https://acme.org/docs/other"`, ""},
		{"nothing here", `"https://page.example/a"`, "https://page.example/a"},
		{"nothing here", `true`, ""},
	} {
		t.Run(c.page+"/"+c.value, func(t *testing.T) {
			t.Parallel()
			x, _ := withModel(t, always(llmtest.Text(`{"v":`+c.value+`}`)))
			want := extract.Want{Schema: compile(t, `{"type":"object","required":["v"],"properties":{"v":{}}}`)}
			f, err := askJSON(x, t.Context(), &extract.Source{URL: "https://page.example/a", Markdown: c.page}, want)
			if err != nil {
				t.Fatal(err)
			}
			expected := []trawl.Evidence{{Path: "v", URL: "https://page.example/a", Verified: c.quote != "", Quote: c.quote}}
			if !reflect.DeepEqual(f.Evidence, expected) {
				t.Errorf("evidence is %+v, want %+v", f.Evidence, expected)
			}
		})
	}
}

func TestQuoteIsShort(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("wörter davor ", 100)
	x, _ := withModel(t, always(llmtest.JSON(map[string]any{"name": "The needle", "color": long})))
	f, err := askJSON(x, t.Context(), &extract.Source{Markdown: long + "the needle " + long}, extract.Want{Schema: compile(t, productSchema)})
	if err != nil {
		t.Fatal(err)
	}
	for path, quote := range verified(f.Evidence) {
		if n := utf8.RuneCountInString(quote); n > 160 || n < 100 || strings.HasPrefix(quote, "örter") {
			t.Errorf("%s: quote of %d characters: %q", path, n, quote)
		}
	}
	if quote := verified(f.Evidence)["name"]; !strings.Contains(quote, "davor the needle wörter") {
		t.Errorf("quote is %q", quote)
	}
}

func TestFactsAreEvidence(t *testing.T) {
	t.Parallel()
	x, server := withModel(t, always(llmtest.JSON(map[string]any{"name": "Kettle", "price": 1299.5, "sku": "K-9000"})))
	src := &extract.Source{Markdown: "A page of few words.", Facts: &facts.Facts{
		Things: []map[string]any{{"@type": []any{"Product"}, "name": "Kettle", "offers": map[string]any{"price": json.Number("1299.50")}}},
		Pairs:  []facts.Pair{{Name: "Article", Value: "K-9000"}},
	}}
	f, err := askJSON(x, t.Context(), src, extract.Want{Schema: compile(t, productSchema)})
	if err != nil {
		t.Fatal(err)
	}
	quotes := verified(f.Evidence)
	if quotes["name"] != "name: Kettle" || quotes["price"] != "offers.price: 1299.5" || quotes["sku"] != "Article: K-9000" {
		t.Errorf("quotes are %q", quotes)
	}
	if user := server.Calls()[0].User; !strings.Contains(user, "offers") {
		t.Errorf("the model does not see the facts: %q", user)
	}
}

// TestInvented checks what a page does not have and a model says nevertheless.
func TestInvented(t *testing.T) {
	t.Parallel()
	const page = "# Kettle\n\nMade in 1998 by Acme, acme.org, for 49.90, once 1795. Call 030 1234567. EAN 4006381333931. Colour: unknown"
	for _, c := range []struct {
		field, value string
		stays        bool
		warns        bool
	}{
		{"email", `"sales@acme.org"`, false, true},
		{"website", `"https://acme.org/kettle"`, false, true},
		{"website", `"https://acme.org/"`, true, false},
		{"website", `"other.org"`, false, true},
		{"phone", `"+49 30 7654321"`, false, true},
		{"phone", `"+49 30 1234567"`, true, false},
		{"price", `49.90`, true, false},
		{"price", `59.90`, false, true},
		{"price", `3`, true, false},
		{"price", `17.95`, true, false}, // written with small cents
		{"year", `1998`, true, false},
		{"year", `2007`, false, true},
		{"sku", `"AB-12345"`, false, true},
		{"sku", `"AB-12"`, true, false},
		{"sku", `"4-0063-8133393-1"`, true, false},
		{"color", `"red"`, true, false},
		{"color", `"unknown"`, true, false},
		{"color", `"N/A"`, false, false},
		{"color", `"not specified"`, false, false},
		{"color", `"-"`, false, false},
		{"color", `""`, false, false},
		{"color", `"copper, as of 1998, sold 500 times a day"`, true, false},
		{"color", `"copper, as of 2001, sold 500 times a day"`, false, true},
		{"inStock", `false`, true, false},
		{"kind", `"model 9000"`, true, false},
		{"name", `"Model 777"`, true, false}, // required
	} {
		t.Run(c.field+"/"+c.value, func(t *testing.T) {
			t.Parallel()
			value := map[string]any{"name": "Kettle"}
			value[c.field] = decode(t, c.value)
			x, _ := withModel(t, always(llmtest.JSON(value)))
			f, err := askJSON(x, t.Context(), &extract.Source{Markdown: page}, extract.Want{Schema: compile(t, productSchema)})
			if err != nil {
				t.Fatal(err)
			}
			if _, stays := f.Value.(map[string]any)[c.field]; stays != c.stays {
				t.Errorf("value is %s", encode(t, f.Value))
			}
			if warns := strings.Contains(f.Warning, c.field); warns != c.warns {
				t.Errorf("warning is %q", f.Warning)
			}
		})
	}
}

// TestInventedInLists checks that what is left behind something that is taken
// out has its own evidence.
func TestInventedInLists(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"type":"object","required":["people"],"properties":{"people":{"type":"array","minItems":1,"items":{"type":"object","properties":{
		"name":{"type":"string"},"email":{"type":"string"},"links":{"type":"array","items":{"type":"string"}}}}}}}`)
	x, _ := withModel(t, always(llmtest.Text(`{"people":[
		{"email":"ghost@acme.org"},{"name":"Ann","email":"ann@acme.org","links":["https://x.com/nobody","https://acme.org/ann"]}]}`)))
	src := &extract.Source{URL: "https://acme.org/team", Markdown: "Ann, ann@acme.org, https://acme.org/ann"}
	f, err := askJSON(x, t.Context(), src, extract.Want{Schema: s})
	if err != nil {
		t.Fatal(err)
	}
	if got := encode(t, f.Value); got != `{"people":[{"email":"ann@acme.org","links":["https://acme.org/ann"],"name":"Ann"}]}` {
		t.Errorf("value is %s", got)
	}
	for _, path := range []string{"people[0].email", "people[0].name", "people[0].links[0]"} {
		if verified(f.Evidence)[path] == "" {
			t.Errorf("%s is not verified in %+v", path, f.Evidence)
		}
	}
	// The last item must stay if the list must have one.
	x, _ = withModel(t, always(llmtest.Text(`{"people":[{"email":"ghost@acme.org"}]}`)))
	if f, err = askJSON(x, t.Context(), src, extract.Want{Schema: s}); err != nil || len(s.Check(f.Value)) > 0 {
		t.Errorf("value is %+v, %v", f, err)
	}
}

func TestSources(t *testing.T) {
	t.Parallel()
	got := extract.Sources([]trawl.Evidence{
		{Path: "a", URL: "https://x.example/1"}, {Path: "a", URL: "https://x.example/2"}, {Path: "a", URL: "https://x.example/1", Verified: true},
		{Path: "b[0].c", URL: "https://x.example/2"},
	})
	expected := map[string][]string{"a": {"https://x.example/1", "https://x.example/2"}, "b[0].c": {"https://x.example/2"}}
	if !reflect.DeepEqual(got, expected) {
		t.Errorf("sources are %v", got)
	}
}

func TestFindingRoundTrip(t *testing.T) {
	t.Parallel()
	var f extract.Finding
	const text = `{"value":{"id":12345678901234567890},"evidence":[{"path":"id","url":"u","verified":true,"quote":"q"}],"tokens":3,"warning":"w"}`
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		t.Fatal(err)
	}
	if got := encode(t, &f); got != text {
		t.Errorf("%s became %s", text, got)
	}
}

// BenchmarkPage is a page of a megabyte with 5,000 values: split, looked up and
// merged.
func BenchmarkPage(b *testing.B) {
	var page strings.Builder
	items := []any{}
	for i := 0; page.Len() < 1_000_000; i++ {
		fmt.Fprintf(&page, "## Product %d\n\nIt costs **%d.50** EUR since March %d, 2021. %s\n\n", i, 1000+i, i%28+1, strings.Repeat("Words that fill the page. ", 12))
		if i < 1250 {
			items = append(items, map[string]any{
				"name": fmt.Sprintf("Product %d", i), "price": 1000.5 + float64(i), "since": fmt.Sprintf("2021-03-%02d", i%28+1), "note": fmt.Sprintf("nobody said %d", i),
			})
		}
	}
	x := &extract.Extractor{Model: fixed{map[string]any{"items": items}}}
	src := &extract.Source{URL: "https://shop.example/", Markdown: page.String()}
	for b.Loop() {
		if _, err := askJSON(x, b.Context(), src, extract.Want{Prompt: "all"}); err != nil {
			b.Fatal(err)
		}
	}
}

// What a page says for machines alone counts as said.
func TestEvidenceInFacts(t *testing.T) {
	t.Parallel()
	src := &extract.Source{
		URL: "https://shop.example/kettle", Markdown: "# Kettle\n\nIt boils water.",
		Facts: &facts.Facts{
			Things: []map[string]any{{"@type": []any{"Product"}, "offers": map[string]any{"price": json.Number("1299.00"), "availability": "https://schema.org/InStock"}}},
			Tables: []facts.Table{{Caption: "Sizes", Header: []string{"Height in mm"}, Rows: [][]string{{"2417"}}}},
		},
	}
	x, _ := withModel(t, always(llmtest.Text(`{"price":1299,"availability":"https://schema.org/InStock","height":2417,"unit":"mm","depth":3418}`)))
	f, err := askJSON(x, t.Context(), src, extract.Want{Prompt: "the kettle"})
	if err != nil {
		t.Fatal(err)
	}
	got := verified(f.Evidence)
	for _, path := range []string{"price", "availability", "height", "unit"} {
		if got[path] == "" {
			t.Errorf("%s is not verified: %+v", path, f.Evidence)
		}
	}
	if strings.Contains(encode(t, f.Value), "3418") {
		t.Errorf("an invented number is in %s", encode(t, f.Value))
	}
}

// What stands in the address of a page is not what the page says, but for the
// address itself.
func TestOwnAddress(t *testing.T) {
	t.Parallel()
	x, _ := withModel(t, always(llmtest.JSON(map[string]any{"stock": 18102, "url": "http://127.0.0.1:18102/kettle"})))
	want := extract.Want{Schema: compile(t, `{"type":"object","properties":{"stock":{"type":"integer"},"url":{"type":"string"}}}`)}
	f, err := askJSON(x, t.Context(), &extract.Source{URL: "http://127.0.0.1:18102/kettle", Markdown: "# Kettle\n\nIt boils water."}, want)
	if err != nil {
		t.Fatal(err)
	}
	if value, _ := json.Marshal(f.Value); string(value) != `{"url":"http://127.0.0.1:18102/kettle"}` || len(f.Evidence) != 1 || !f.Evidence[0].Verified {
		t.Errorf("%s, %+v", value, f.Evidence)
	}
}

// TestOwnWords has a model repeat what it was told around a page: that is no item.
func TestOwnWords(t *testing.T) {
	t.Parallel()
	x, _ := withModel(t, always(llmtest.JSON(map[string]any{"items": []any{
		map[string]any{"name": "Kettle"}, map[string]any{"name": "This is one part of a longer page."},
		map[string]any{"name": "Copy names, numbers, dates, addresses and other facts"},
	}})))
	s := compile(t, `{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}`)
	f, err := askJSON(x, t.Context(), &extract.Source{Markdown: "Kettle"}, extract.Want{Schema: s})
	if err != nil || encode(t, f.Value) != `{"items":[{"name":"Kettle"}]}` {
		t.Errorf("%+v, %v", f, err)
	}
	quoted := &extract.Source{Markdown: "Kettle. This is one part of a longer page. Copy names, numbers, dates, addresses and other facts."}
	if f, err = askJSON(x, t.Context(), quoted, extract.Want{Schema: s}); err != nil || strings.Count(encode(t, f.Value), "name") != 3+1 {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestUnfounded leaves things out of lists that the page has nothing of, if that is
// wanted, and nothing that is in words of the model's own.
func TestUnfounded(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"type":"object","required":["list"],"properties":{"list":{"type":"array","items":{"type":"object","required":["name"],"properties":{
		"name":{"type":"string"},"price":{"type":"number"},"url":{"type":"string"},"text":{"type":"string"},"size":{"enum":["small","large"]},
		"parts":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}}}}`)
	src := &extract.Source{URL: "https://acme.org/shop", Markdown: "The Blue Kettle costs 1,299 euro. It has a Lid. The shop was founded by Jane Miller. Repairs are done slowly."}
	for name, c := range map[string]struct{ answer, want, warning string }{
		"all there":            {`[{"name":"Blue Kettle","price":1299}]`, `[{"name":"Blue Kettle","price":1299}]`, ""},
		"one invented":         {`[{"name":"Blue Kettle"},{"name":"Red Pan","price":4500}]`, `[{"name":"Blue Kettle"}]`, "1 of list"},
		"all invented":         {`[{"name":"Red Pan","size":"small"},{"name":"Green Pot","price":12}]`, `[]`, "2 of list"},
		"by address":           {`[{"name":"Green Pot","url":"https://acme.org/green-pot"}]`, `[]`, "1 of list"},
		"one value is enough":  {`[{"name":"Red Pan","price":1299}]`, `[{"name":"Red Pan","price":1299}]`, ""},
		"a name with a title":  {`[{"name":"Dr. Jane Miller"}]`, `[{"name":"Dr. Jane Miller"}]`, ""},
		"own words":            {`[{"name":"Slow service"},{"name":"high prices"}]`, `[{"name":"Slow service"},{"name":"high prices"}]`, ""},
		"a point of a summary": {`[{"name":"Patience","text":"whoever needs something mended has to wait for it"}]`, `[{"name":"Patience","text":"whoever needs something mended has to wait for it"}]`, ""},
		"below":                {`[{"name":"Blue Kettle","parts":[{"name":"Lid"},{"name":"Whistle"}]}]`, `[{"name":"Blue Kettle","parts":[{"name":"Lid"}]}]`, "1 of list[].parts"},
	} {
		x, _ := withModel(t, always(llmtest.Text(`{"list":`+c.answer+`}`)))
		f, err := x.Part(t.Context(), src, extract.Want{Schema: s, Founded: true})
		if err != nil {
			t.Fatal(err)
		}
		if f.Value == nil {
			f.Value = map[string]any{"list": []any{}}
		}
		if got := encode(t, f.Value); got != `{"list":`+c.want+`}` || !strings.Contains(f.Warning, c.warning) || (c.warning == "") != (f.Warning == "") {
			t.Errorf("%s: %s, %q", name, got, f.Warning)
		}
		if f, err = x.Part(t.Context(), src, extract.Want{Schema: s}); err != nil || strings.Contains(f.Warning, "nothing of them") {
			t.Errorf("%s, with everything: %+v, %v", name, f, err)
		}
	}
}
