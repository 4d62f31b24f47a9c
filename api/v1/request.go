package v1

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
)

// Request is a request in the words of the second version, with what its answer
// has to know of the first.
type Request struct {
	Body    []byte
	Warning string // names what was left out
	Changed bool   // documents of the answer are not as the second version writes them
}

// Defaults that differ from those of the second version.
const (
	searchLimit = 5
	mostLinks   = 30_000
)

// Scrape translates the body of POST /v1/scrape.
func Scrape(body []byte) (Request, error) {
	return translate(body, func(t *translation, b object) {
		t.options(b, nil, keysOf[trawl.ScrapeRequest]())
	})
}

// Batch translates the body of POST /v1/batch/scrape.
func Batch(body []byte) (Request, error) {
	return translate(body, func(t *translation, b object) {
		b.setDefault("ignoreInvalidURLs", false)
		t.options(b, nil, keysOf[trawl.BatchRequest]())
	})
}

// Crawl translates the body of POST /v1/crawl.
func Crawl(body []byte) (Request, error) {
	return translate(body, func(t *translation, b object) {
		if skip, ok := flag(t, b, "ignoreSitemap"); ok && skip {
			b.setDefault("sitemap", trawl.SitemapSkip)
		}
		if back, ok := flag(t, b, "allowBackwardLinks"); ok {
			b.setDefault("crawlEntireDomain", back)
		}
		t.depth(b)
		t.scraping(b)
		t.drop(b, nil, keysOf[trawl.CrawlRequest](), "prompt") // which there was none of
	})
}

// Map translates the body of POST /v1/map.
func Map(body []byte) (Request, error) {
	return translate(body, func(t *translation, b object) {
		skip, _ := flag(t, b, "ignoreSitemap")
		only, _ := flag(t, b, "sitemapOnly")
		switch {
		case only:
			b.setDefault("sitemap", trawl.SitemapOnly)
		case skip:
			b.setDefault("sitemap", trawl.SitemapSkip)
		}
		var limit float64
		if b.read("limit", &limit) && limit > mostLinks {
			t.refuse("must be at most 30000", "limit")
		}
		t.drop(b, nil, keysOf[trawl.MapRequest]())
	})
}

// Search translates the body of POST /v1/search.
func Search(body []byte) (Request, error) {
	return translate(body, func(t *translation, b object) {
		b.setDefault("limit", searchLimit)
		b.setDefault("lang", "en")
		b.setDefault("country", "us")
		if _, ok := b["scrapeOptions"]; ok {
			t.scraping(b)
		}
		// There was one source, and its results are a list of their own in the answer.
		t.drop(b, nil, keysOf[trawl.SearchRequest](), "sources", "categories")
	})
}

// Extract translates the body of POST /v1/extract.
func Extract(body []byte) (Request, error) {
	return translate(body, func(t *translation, b object) {
		b.setDefault("ignoreInvalidURLs", false)
		t.scraping(b)
		t.drop(b, nil, keysOf[trawl.ExtractRequest]())
	})
}

// translation is one request on its way from one version to the other.
type translation struct {
	Request
	issues  []trawl.Issue
	unknown []string
}

// translate has a body rewritten. One that is no object is left to the validation
// of the second version.
func translate(body []byte, rewrite func(*translation, object)) (Request, error) {
	var t translation
	b, ok := readObject(body)
	if !ok {
		return Request{Body: body}, nil
	}
	rewrite(&t, b)
	if err := trawl.Invalid(t.issues); err != nil {
		return Request{}, err
	}
	t.Body = b.encode()
	if len(t.unknown) > 0 {
		slices.Sort(t.unknown)
		t.Warning = "Ignored, for the v1 API does not know it: " + strings.Join(t.unknown, ", ") + "."
	}
	return t.Request, nil
}

func (t *translation) refuse(message string, path ...any) {
	t.issues = append(t.issues, trawl.Issue{Code: "invalid_value", Message: message, Path: path})
}

// scraping translates the options of a scrape that are a part of another request.
func (t *translation) scraping(b object) {
	const key = "scrapeOptions"
	options, ok := object{}, true
	if given, is := b[key]; is {
		options, ok = readObject(given)
	}
	if !ok {
		return // and refused
	}
	t.options(options, []any{key}, keysOf[trawl.ScrapeOptions]())
	b[key] = options.encode()
}

// mostNamed is how many unknown keys a warning names, and how much of each.
const (
	mostNamed   = 20
	longestName = 100
)

// drop removes the keys that are not known, and notes them.
func (t *translation) drop(b object, path []any, known map[string]bool, but ...string) {
	for key := range b {
		silent := strings.HasPrefix(key, "__") || slices.Contains(unheeded, key)
		if !silent && known[key] && !slices.Contains(but, key) {
			continue
		}
		delete(b, key)
		if !silent && len(t.unknown) < mostNamed {
			key = strings.ToValidUTF8(key[:min(len(key), longestName)], "")
			t.unknown = append(t.unknown, trawl.DottedPath(append(slices.Clone(path), key)))
		}
	}
}

// object is a JSON object whose values are left as they are.
type object map[string]json.RawMessage

// readObject reads an object, without what is null: that is as good as absent.
func readObject(body []byte) (object, bool) {
	var o object
	if json.Unmarshal(body, &o) != nil || o == nil {
		return nil, false
	}
	maps.DeleteFunc(o, func(_ string, value json.RawMessage) bool { return isNull(value) })
	return o, true
}

func isNull(value json.RawMessage) bool { return bytes.Equal(bytes.TrimSpace(value), []byte("null")) }

func (o object) encode() json.RawMessage {
	body, _ := json.Marshal(map[string]json.RawMessage(o)) // of valid values
	return body
}

// take removes a key and returns its value, nil if there is none.
func (o object) take(key string) json.RawMessage {
	value := o[key]
	delete(o, key)
	return value
}

// read decodes a value. It reports whether there is one of this type.
func (o object) read(key string, into any) bool {
	value, ok := o[key]
	return ok && json.Unmarshal(value, into) == nil
}

func (o object) set(key string, value any) {
	o[key], _ = json.Marshal(value)
}

func (o object) setDefault(key string, value any) {
	if _, ok := o[key]; !ok {
		o.set(key, value)
	}
}

// flag takes a key that has to be true or false.
func flag(t *translation, b object, key string) (value, ok bool) {
	given := b.take(key)
	if given == nil {
		return false, false
	}
	if json.Unmarshal(given, &value) != nil {
		t.refuse("must be true or false", key)
		return false, false
	}
	return value, true
}

// keysOf returns the keys that a request of the second version has.
func keysOf[T any]() map[string]bool { return knownKeys[reflect.TypeFor[T]()] }

var knownKeys = map[reflect.Type]map[string]bool{}

func init() {
	for _, t := range []reflect.Type{
		reflect.TypeFor[trawl.ScrapeOptions](), reflect.TypeFor[trawl.ScrapeRequest](), reflect.TypeFor[trawl.BatchRequest](),
		reflect.TypeFor[trawl.CrawlRequest](), reflect.TypeFor[trawl.MapRequest](), reflect.TypeFor[trawl.SearchRequest](),
		reflect.TypeFor[trawl.ExtractRequest](),
	} {
		knownKeys[t] = map[string]bool{}
		for _, field := range reflect.VisibleFields(t) {
			if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
				knownKeys[t][name] = true
			}
		}
	}
	delete(knownKeys[reflect.TypeFor[trawl.ScrapeRequest]()], "sessionId") // which there was none of
}
