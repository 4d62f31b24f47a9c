package found

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"
	"unicode"

	"github.com/trawlhq/trawl/content/address"
	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/facts"
	"github.com/trawlhq/trawl/extract/notation"
)

// maxString bounds a text that is filled in.
const maxString = 20 << 10

// convert returns a value as the schema wants it, or nil if it cannot be that.
// A type that says more is tried before text.
func convert(value any, s *shape) any {
	if thing, ok := value.(map[string]any); ok {
		if value = said(thing, s); value == nil {
			return nil
		}
	}
	if _, ok := value.([]any); ok {
		return nil
	}
	if s.enum != nil {
		return chosen(value, s.enum)
	}
	if len(s.types) == 0 {
		return asText(value, s)
	}
	for _, kind := range []string{"integer", "number", "boolean", "string"} {
		if !s.allows(kind) {
			continue
		}
		var converted any
		switch kind {
		case "integer", "number":
			if unit := unitOf(s.key); unit > 0 {
				converted = asDuration(value, unit, kind == "integer")
			} else {
				converted = asNumber(value, kind == "integer")
			}
		case "boolean":
			converted = asBool(value, s.key)
		case "string":
			converted = asText(value, s)
		}
		if converted != nil {
			return converted
		}
	}
	return nil
}

// said returns what a thing comes to in one value: its name, what it measures,
// where it is.
func said(thing map[string]any, s *shape) any {
	keys := []string{"name", "text", "value", "ratingValue", "headline", "price"}
	types := facts.Types(thing)
	switch {
	case isPicture(s.key) || s.format == "uri" || s.format == "url" || strings.HasSuffix(s.key, "url") || s.key == "logo":
		keys = []string{"url", "contentUrl"}
	case isType("answer", types) || isType("howtostep", types) || isType("comment", types):
		keys = []string{"text", "name"}
	case isType("postaladdress", types) || thing["addressLocality"] != nil:
		return postal(thing)
	case isType("place", types) && thing["name"] == nil:
		keys = []string{"address"}
	case !s.allows("string"):
		keys = []string{"value", "ratingValue", "price", "name"}
	}
	for _, key := range keys {
		for _, value := range flat(thing[key]) {
			nested, ok := value.(map[string]any)
			if !ok {
				return withUnit(value, thing, key, s)
			}
			if thing["@type"] != nil && len(nested) > 0 {
				return flatText(nested)
			}
		}
	}
	return nil
}

// unitSigns are the signs of units behind the codes that schema.org has for them.
var unitSigns = map[string]string{
	"KGM": "kg", "GRM": "g", "MGM": "mg", "TNE": "t", "LBR": "lb", "ONZ": "oz", "MTR": "m", "CMT": "cm", "MMT": "mm", "KMT": "km",
	"INH": "in", "FOT": "ft", "YRD": "yd", "SMI": "mi", "LTR": "l", "MLT": "ml", "CLT": "cl", "MTK": "m²", "FTK": "ft²", "MTQ": "m³",
	"WTT": "W", "KWT": "kW", "KWH": "kWh", "VLT": "V", "AMP": "A", "HTZ": "Hz", "CEL": "°C", "FAH": "°F", "KMH": "km/h",
	"SEC": "s", "MIN": "min", "HUR": "h", "DAY": "days", "MON": "months", "ANN": "years", "P1": "%",
}

// withUnit returns a measured value with its unit, where a text is wanted.
func withUnit(value any, thing map[string]any, key string, s *shape) any {
	unit, _ := thing["unitText"].(string)
	if unit == "" {
		unit, _ = thing["unitCode"].(string)
		unit = cmp.Or(unitSigns[strings.ToUpper(unit)], unit)
	}
	if number := asNumber(value, false); key == "value" && unit != "" && number != nil && s.allows("string") && !s.allows("number") {
		return string(number.(json.Number)) + " " + unit
	}
	return value
}

// flatText returns what a thing inside of another one comes to.
func flatText(thing map[string]any) any {
	if thing["addressLocality"] != nil || thing["streetAddress"] != nil {
		return postal(thing)
	}
	for _, key := range []string{"value", "name"} {
		switch value := thing[key].(type) {
		case string, json.Number:
			return value
		}
	}
	return nil
}

// postal returns an address in one line.
func postal(thing map[string]any) any {
	var parts []string
	for _, key := range []string{"streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry"} {
		value := thing[key]
		if country, ok := value.(map[string]any); ok {
			value = country["name"]
		}
		if text, ok := value.(string); ok && text != "" {
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return strings.Join(parts, ", ")
}

// chosen returns the one of the values a field may have that is meant.
func chosen(value any, enum []option) any {
	text := plain(value)
	if text == "" {
		return nil
	}
	folded := fold(shortened(text))
	var akin []any
	for _, option := range enum {
		switch {
		case option.plain == text:
			return option.value
		case strings.EqualFold(option.plain, text) || folded != "" && option.folded == folded:
			akin = append(akin, option.value)
		}
	}
	if len(akin) != 1 {
		return nil
	}
	return akin[0]
}

// plain returns a scalar as text.
func plain(value any) string {
	switch value := value.(type) {
	case string:
		return strings.TrimSpace(value)
	case json.Number:
		return value.String()
	case bool, float64:
		text, _ := json.Marshal(value)
		return string(text)
	}
	return ""
}

// shortened returns the last part of a name in schema.org's space.
func shortened(text string) string {
	for _, prefix := range []string{"https://schema.org/", "http://schema.org/"} {
		if rest, ok := strings.CutPrefix(text, prefix); ok && rest != "" {
			return rest
		}
	}
	return text
}

// asText returns a value as a text of the format that the schema wants.
func asText(value any, s *shape) any {
	text := plain(value)
	if text == "" || len(text) > maxString {
		return nil
	}
	switch {
	case s.format == "uri" || s.format == "url" || s.format == "iri" || isAddress(s.key):
		if !address.IsWeb(text) {
			return nil
		}
		return text
	case s.format == "email":
		text = strings.TrimPrefix(text, "mailto:")
		if strings.Count(text, "@") != 1 || strings.ContainsAny(text, " <>") {
			return nil
		}
		return text
	case s.format == "date" || s.format == "date-time":
		return asDate(text, s.format == "date")
	}
	return shortened(text)
}

// isAddress reports whether a field of that name holds a web address.
func isAddress(name string) bool {
	switch name {
	case "link", "website", "homepage", "href":
		return true
	}
	return strings.HasSuffix(name, "url")
}

// asBool returns whether a text says yes or no.
func asBool(value any, name string) any {
	if yes, ok := value.(bool); ok {
		return yes
	}
	text := strings.ToLower(shortened(plain(value)))
	switch text {
	case "true", "yes", "y", "ja", "oui", "sí", "si", "✓", "✔":
		return true
	case "false", "no", "n", "nein", "non", "✗", "✘":
		return false
	case "telecommute":
		return true
	}
	if !strings.Contains(name, "stock") && !strings.Contains(name, "available") {
		return nil
	}
	switch fold(text) {
	case "instock", "instoreonly", "onlineonly", "limitedavailability", "available":
		return true
	case "outofstock", "soldout", "discontinued", "outofstocks", "unavailable", "notavailable", "oos":
		return false
	}
	return nil
}

// moments are the notations of a time that can be read in one way only. Those of
// a day alone are for package notation, but for the one without any mark.
var moments = []struct{ layout, as string }{
	{time.RFC3339, time.RFC3339}, {"2006-01-02T15:04Z07:00", time.RFC3339}, {"2006-01-02T15:04:05Z0700", time.RFC3339},
	{"2006-01-02 15:04:05 Z0700", time.RFC3339}, {"2006-01-02 15:04:05Z07:00", time.RFC3339}, {time.RFC1123Z, time.RFC3339},
	{"Mon, 2 Jan 2006 15:04:05 GMT", time.RFC3339}, {"2006-01-02T15:04:05", withoutZone}, {"2006-01-02T15:04", withoutZone},
	{"2006-01-02 15:04:05", withoutZone}, {"2006-01-02 15:04", withoutZone}, {"20060102", ""},
}

const withoutZone = "2006-01-02T15:04:05"

// asDate returns a day or a moment as ISO 8601 writes it. A moment is not made
// from a day, and a zone not from none: that would be invented.
func asDate(text string, day bool) any {
	text = chars.Collapse(text)
	for _, moment := range moments {
		when, err := time.Parse(moment.layout, text)
		switch {
		case err != nil || when.Year() < 1:
		case day:
			return when.Format(time.DateOnly)
		case moment.as != "":
			return when.Format(moment.as)
		}
	}
	if !day {
		return nil
	}
	return asDay(strings.ToLower(text))
}

// asDay returns the one day that a text can mean; the day of the week may be
// before it. The year must be there in full.
func asDay(text string) any {
	if weekday, rest, ok := strings.Cut(text, ", "); ok && strings.IndexFunc(weekday, isNoLetter) < 0 {
		text = rest
	}
	for _, date := range notation.Dates(text) {
		whole := date.From == 0 && date.To == len(text) && len(date.Readings) == 1
		if reading := date.Readings[0]; whole && len(reading) == len(time.DateOnly) && strings.Contains(text, reading[:4]) {
			return reading
		}
	}
	return nil
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) }
