package v1

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
)

// unheeded are keys that steer engines of another service, as are all that begin
// with two underscores: without effect here, and not worth a warning.
var unheeded = []string{"agent", "useIndex", "useMock"}

// options translates the options of a scrape, which stand at a path of the body.
func (t *translation) options(o object, path []any, known map[string]bool) {
	at := func(key string) []any { return append(slices.Clone(path), key) }
	t.formats(o, at)
	if given := o.take("parsePDF"); given != nil {
		var parse bool
		if json.Unmarshal(given, &parse) != nil {
			t.refuse("must be true or false", at("parsePDF")...)
		}
		parsers := []string{}
		if parse {
			parsers = []string{trawl.ParserPDF}
		}
		o.setDefault("parsers", parsers)
	}
	if place := o.take("geolocation"); place != nil {
		o.setDefault("location", place)
	}
	for _, key := range []string{"includeTags", "excludeTags"} {
		if list := ""; o.read(key, &list) {
			o.set(key, split(list))
		}
	}
	o.setDefault("maxAge", 0)
	o.setDefault("proxy", trawl.ProxyBasic)
	o.setDefault("skipTlsVerification", false)
	t.drop(o, path, known)
}

// split returns the entries of a list that is written as one text.
func split(list string) []string {
	entries := []string{}
	for entry := range strings.SplitSeq(list, ",") {
		if entry = strings.TrimSpace(entry); entry != "" {
			entries = append(entries, entry)
		}
	}
	return entries
}

// optionsOfData are the options of the formats json and extract, apart from those
// that a format of the second version has.
type optionsOfData struct {
	Prompt       string `json:"prompt"`
	SystemPrompt string `json:"systemPrompt"`
	Schema       any    `json:"schema"`
}

const missingOptions = "When 'extract' or 'json' format is specified, corresponding options must be provided, and vice versa"

// formats puts the options of formats, which had places of their own, where the
// formats are.
func (t *translation) formats(o object, at func(string) []any) {
	asJSON, asExtract, changes := o.take("jsonOptions"), o.take("extract"), o.take("changeTrackingOptions")
	var given []json.RawMessage
	_, chosen := o["formats"]
	if chosen && !o.read("formats", &given) {
		t.refuse("must be a list", at("formats")...)
		return
	}
	var formats []any
	add := func(format any) {
		if name, ok := format.(string); !ok || !slices.Contains(formats, any(name)) {
			formats = append(formats, format)
		}
	}
	var wantsJSON, wantsExtract, wantsChanges bool
	for _, entry := range given {
		var name string
		if json.Unmarshal(entry, &name) != nil {
			formats = append(formats, entry) // one of the second version, or nothing that there is
			t.Changed = true
			continue
		}
		switch name {
		case "json":
			wantsJSON = true
		case "extract":
			wantsExtract = true
		case trawl.FormatChangeTracking:
			wantsChanges = true
		case "content":
			add(trawl.FormatMarkdown)
		default:
			add(name)
		}
	}
	if !chosen && (asJSON != nil || asExtract != nil || changes != nil) {
		add(trawl.FormatMarkdown) // which is made unless formats are chosen
	}
	if wantsJSON || wantsExtract || asJSON != nil || asExtract != nil {
		t.Changed = true
		add(t.data(asJSON, asExtract, wantsJSON, at))
	}
	if wantsChanges || changes != nil {
		t.Changed = true
		add(t.changes(changes, at))
	}
	if formats != nil {
		o.set("formats", formats)
	}
}

// data returns the format json with the options that it had in another place: those
// of the name by which it is asked for, else those that there are.
func (t *translation) data(asJSON, asExtract json.RawMessage, wantsJSON bool, at func(string) []any) any {
	key, given := "extract", asExtract
	if given == nil || wantsJSON && asJSON != nil {
		key, given = "jsonOptions", asJSON
	}
	if given == nil {
		t.refuse(missingOptions, at("formats")...)
		return nil
	}
	var options optionsOfData
	if json.Unmarshal(given, &options) != nil {
		t.refuse("must be an object with a prompt, a schema or both", at(key)...)
		return nil
	}
	format := map[string]any{"type": trawl.FormatJSON}
	if prompt := strings.TrimSpace(options.SystemPrompt + "\n\n" + options.Prompt); prompt != "" {
		format["prompt"] = prompt
	}
	if options.Schema != nil {
		format["schema"] = options.Schema
	}
	return format
}

// changes returns the format changeTracking with its options.
func (t *translation) changes(given json.RawMessage, at func(string) []any) any {
	format := object{}
	if given != nil {
		var ok bool
		if format, ok = readObject(given); !ok {
			t.refuse("must be an object", at("changeTrackingOptions")...)
			return nil
		}
	}
	t.drop(format, at("changeTrackingOptions"), map[string]bool{"modes": true, "schema": true, "prompt": true, "tag": true})
	format.set("type", trawl.FormatChangeTracking)
	return format
}

// Depths of a crawl.
const (
	defaultDepth = 10
	mostDepth    = 999 // that a regular expression can count to
)

// depth turns maxDepth, by which the first version meant how deep a path may be,
// into a pattern of paths that are left out.
func (t *translation) depth(b object) {
	most := defaultDepth
	if given := b.take("maxDepth"); given != nil {
		var number float64
		if json.Unmarshal(given, &number) != nil || number < 0 || number != float64(int(number)) {
			t.refuse("must be a whole number from 0 on", "maxDepth")
			return
		}
		most = int(number)
	}
	var start string
	if b.read("url", &start) && pathDepth(start) > most {
		t.refuse("URL depth exceeds the specified maxDepth", "url")
		return
	}
	if most > mostDepth {
		return // no address is as long
	}
	excluded := []json.RawMessage{}
	if _, ok := b["excludePaths"]; ok && !b.read("excludePaths", &excluded) {
		return // and refused
	}
	var whole bool
	b.read("regexOnFullURL", &whole)
	pattern, _ := json.Marshal(deeper(most, whole))
	b.set("excludePaths", append(excluded, pattern))
}

// deeper matches paths that are deeper than so many segments, as such or in whole
// addresses.
func deeper(most int, whole bool) string {
	host := ""
	if whole {
		host = "[a-z]+://[^/?#]*"
	}
	return "^" + host + "(/+[^/?#]+){" + strconv.Itoa(most+1) + "}"
}

// pathDepth counts the segments of an address's path.
func pathDepth(address string) int {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return 0 // and refused
	}
	return len(strings.FieldsFunc(u.EscapedPath(), func(c rune) bool { return c == '/' }))
}
