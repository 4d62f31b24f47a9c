package content_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content"
)

func TestMetadata(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, html string
		want       map[string]string
	}{
		{"nothing", "<p>x", map[string]string{}},
		{"title", "<title>  A\n title </title><svg><title>no</title></svg>", map[string]string{"title": "A title"}},
		{"title of the preview", `<meta property="og:title" content="OG">`, map[string]string{"title": "OG", "ogTitle": "OG", "og:title": "OG"}},
		{"names in any case", `<meta name="Description" content=" d "><meta name="KEYWORDS" content="k">`,
			map[string]string{"description": "d", "Description": "d", "keywords": "k", "KEYWORDS": "k"}},
		{"language", `<html lang="de-AT"><meta http-equiv="content-language" content="en">`,
			map[string]string{"language": "de-AT", "content-language": "en"}},
		{"language of the meta tag", `<meta http-equiv="Content-Language" content="en">`,
			map[string]string{"language": "en", "content-language": "en"}},
		{"preview", `<meta property="og:url" content="u"><meta property="og:image" content="/i"><meta property="og:image" content="/j"><meta property="og:site_name" content="s"><meta property="og:audio" content="a"><meta property="og:determiner" content="the"><meta property="og:locale" content="de"><meta property="og:video" content="v"><meta property="og:description" content="d">`,
			map[string]string{
				"ogUrl": "u", "og:url": "u", "ogImage": "/i", "og:image": "/i, /j", "ogSiteName": "s", "og:site_name": "s", "ogAudio": "a", "og:audio": "a",
				"ogDeterminer": "the", "og:determiner": "the", "ogLocale": "de", "og:locale": "de", "ogVideo": "v", "og:video": "v",
				"ogDescription": "d", "og:description": "d",
			}},
		{"articles", `<meta property="article:published_time" content="2025"><meta property="article:modified_time" content="2026"><meta property="article:tag" content="a"><meta property="article:tag" content="b"><meta property="article:section" content="s">`,
			map[string]string{
				"publishedTime": "2025", "article:published_time": "2025", "modifiedTime": "2026", "article:modified_time": "2026",
				"articleTag": "a, b", "article:tag": "a, b", "articleSection": "s", "article:section": "s",
			}},
		{"dublin core", `<meta name="DC.date.created" content="1"><meta name="dcterms.created" content="2"><meta name="dc.date" content="3"><meta name="dcterms.type" content="4"><meta name="dc.type" content="5"><meta name="dcterms.audience" content="6"><meta name="dcterms.subject" content="7"><meta name="dc.subject" content="8"><meta name="dc.description" content="9"><meta name="dcterms.keywords" content="10">`,
			map[string]string{
				"dcDateCreated": "1", "DC.date.created": "1", "dcTermsCreated": "2", "dcterms.created": "2", "dcDate": "3", "dc.date": "3",
				"dcTermsType": "4", "dcterms.type": "4", "dcType": "5", "dc.type": "5", "dcTermsAudience": "6", "dcterms.audience": "6",
				"dcTermsSubject": "7", "dcterms.subject": "7", "dcSubject": "8", "dc.subject": "8", "dcDescription": "9", "dc.description": "9",
				"dcTermsKeywords": "10", "dcterms.keywords": "10",
			}},
		{"all others", `<meta name="viewport" content="w"><meta itemprop="price" content="1"><meta name="x" content=""><meta charset=utf-8><meta name="robots" content="noindex">`,
			map[string]string{"viewport": "w", "price": "1", "robots": "noindex"}},
		{"own names do not take those of the API", `<title>T</title><meta name="title" content="M"><meta name="language" content="fr"><meta name="favicon" content="f">`,
			map[string]string{"title": "T", "language": "fr", "favicon": "f"}},
		{"favicon", `<link rel="apple-touch-icon" href="a.png"><link rel="icon" href="/f.ico">`, map[string]string{"favicon": "https://example.com/f.ico"}},
		{"linked data", `<title>T</title><script type="application/ld+json">[{"@type":"X","description":"d &amp; e"},{"@graph":[{"headline":"h","datePublished":"2025-01-02","dateModified":["no"]}]}]</script>`,
			map[string]string{"title": "T", "description": "d &amp; e", "publishedTime": "2025-01-02"}},
		{"linked data of the best kind", `<title>T</title><script type="application/ld+json; charset=utf-8">{"@graph":[{"@type":"Organization","description":"org"},{"@type":"WebPage","description":"page","datePublished":"2020"},{"@type":["Thing","NewsArticle"],"author":{"@type":"Person","description":"p"},"headline":"h","description":"ar\u0074icle","datePublished":"2021","dateModified":"2022"}]}</script>`,
			map[string]string{"title": "T", "description": "article", "publishedTime": "2021", "modifiedTime": "2022"}},
		{"linked data of the site alone", `<script type="application/ld+json">{"@type":"WebSite","name":"s","description":"d"}</script>`, map[string]string{}},
		{"linked data for the title", `<script type="APPLICATION/LD+JSON">{"mainEntity":{"@type":"Product","name":"A \"B\"\n C"}}</script>`, map[string]string{"title": `A "B" C`}},
		{"the preview goes before linked data", `<meta property="og:title" content="OG"><script type="application/ld+json">{"headline":"h"}</script>`,
			map[string]string{"title": "OG", "ogTitle": "OG", "og:title": "OG"}},
		{"untidy linked data", "<script type='application/ld+json'>// <![CDATA[\n[{\"@type\": \"Article\", \"headline\": \"a\nb\", \"x\": {\"y\": [1, {}]},},]\n// ]]></script><script type='application/ld+json'>{\"@type\":\"Article\",\"datePublished\":\"2021\",\"articleBody\":\"breaks off</script>",
			map[string]string{"title": "a b", "publishedTime": "2021"}},
		{"linked data with odd values", `<script type="application/ld+json">{"@type":{"a":1},"headline":null,"description":["a"],"datePublished":{"@value":"2021"},"dateModified":true,"name":"n"}</script>`, map[string]string{"title": "n"}},
		{"language of the body", `<body lang="fr">`, map[string]string{"language": "fr"}},
		{"language of XHTML", `<html xml:lang="pt-BR">`, map[string]string{"language": "pt-BR"}},
		{"no language", `<html lang="{{ lang }}"><meta name="language" content="English">`, map[string]string{"language": "English"}},
		{"the first of a list of languages", `<meta http-equiv="content-language" content="de, en">`, map[string]string{"language": "de", "content-language": "de, en"}},
		{"title of a drawing", `<svg><title>no</title></svg><p>x`, map[string]string{}},
		{"repeated tags", `<meta name="author" content="A"><meta name="author" content="B"><meta name="description" content="1"><meta name="description" content="2">`,
			map[string]string{"author": "A, B", "description": "1"}},
		{"inert templates", `<template><meta name="x" content="y"><title>no</title></template>`, map[string]string{}},
		{"broken linked data", `<script type="application/ld+json">{"description":</script>`, map[string]string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, _ := parse(c.html).Metadata(); !maps.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestLanguage goes down the list of where a page's language comes from.
func TestLanguage(t *testing.T) {
	t.Parallel()
	const prose = `<p>Am Abend kamen die Boote zurück, und wir zählten die Fische, die sie gefangen hatten.`
	for _, c := range []struct{ name, contentType, body, header, want string }{
		{"the element", "text/html", `<html lang="en"><meta http-equiv="content-language" content="fr">` + prose, "it", "en"},
		{"the meta tag", "text/html", `<meta http-equiv="content-language" content="fr">` + prose, "it", "fr"},
		{"the header", "text/html", prose, "it, en", "it"},
		{"a header that says nothing", "text/html", prose, "*", "de"},
		{"the text", "text/html", `<script>the of and to in is that</script>` + prose, "", "de"},
		{"plain text", "text/plain", prose, "", "de"},
		{"too little text", "text/html", `<p>Hallo`, "", ""},
		{"code", "application/json", `{"text": "Am Abend kamen die Boote zurück, und wir zählten die Fische, die sie gefangen hatten."}`, "", ""},
		{"a feed", "application/rss+xml", `<rss><channel><title>T</title><language>nl</language></channel></rss>`, "", "nl"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tags, _ := content.Parse(content.Source{Body: []byte(c.body), ContentType: c.contentType, Language: c.header}).Metadata()
			if tags["language"] != c.want {
				t.Errorf("got %q, want %q", tags["language"], c.want)
			}
		})
	}
}

func TestMetadataLocales(t *testing.T) {
	t.Parallel()
	tags, locales := parse(`<meta property="og:locale:alternate" content="fr_FR"><meta property="og:locale:alternate" content="es_ES">`).Metadata()
	if want := []string{"fr_FR", "es_ES"}; !slices.Equal(locales, want) || tags["og:locale:alternate"] != "fr_FR, es_ES" {
		t.Errorf("got %q and %q, want %q", locales, tags, want)
	}
}

func TestMetadataIsBounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, `<meta name="n%d" content="v"><meta name="same" content="%s">`, i, strings.Repeat("é", 1000))
	}
	tags, _ := content.Parse(content.Source{Body: []byte(b.String()), ContentType: "text/html"}).Metadata()
	if len(tags) > 500 {
		t.Errorf("%d tags", len(tags))
	}
	for name, value := range tags {
		if len(value) > 10<<10 || !strings.HasSuffix(strings.Repeat("é", 10), value[max(0, len(value)-2):]) && name == "same" {
			t.Errorf("%s has %d bytes", name, len(value))
		}
	}
}
