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
		{"favicon", `<link rel="apple-touch-icon" href="a.png"><link rel="icon" href="/f.ico">`, map[string]string{"favicon": "https://example.com/docs/a.png"}},
		{"linked data", `<title>T</title><script type="application/ld+json">[{"@type":"X","description":"d &amp; e"},{"@graph":[{"headline":"h","datePublished":"2025-01-02","dateModified":["no"]}]}]</script>`,
			map[string]string{"title": "T", "description": "d &amp; e", "publishedTime": "2025-01-02"}},
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
