package adblock

import (
	"slices"
	"strings"
)

// options are what follows the $ of a rule.
type options struct {
	flags flags
	types types
	pages domains
	hosts domains
	bad   bool // the rule takes back another that is written the same
}

// optionTypes are the options that say what a request is for.
var optionTypes = map[string]types{
	"script": scriptType, "image": imageType, "stylesheet": stylesheetType, "css": stylesheetType, "font": fontType,
	"xmlhttprequest": xhrType, "xhr": xhrType, "websocket": websocketType, "media": mediaType,
	"subdocument": subdocumentType, "frame": subdocumentType, "ping": pingType, "beacon": pingType,
	"object": objectType, "object-subrequest": objectType, "other": otherType,
	"popup": popupType, "popunder": popupType, "document": documentType, "doc": documentType,
	"all": anyType | popupType | documentType, "generichide": genericHide, "ghide": genericHide,
	"specifichide": specificHide, "shide": specificHide,
	"elemhide": genericHide | specificHide, "ehide": genericHide | specificHide,
}

// splitOptions parts a rule at the $ before its options. Patterns may contain
// a $ of their own, regular expressions often do.
func splitOptions(line string) (pattern, list string) {
	for i := len(line) - 2; i >= 0; i-- {
		if c := line[i+1]; line[i] == '$' && (c == '~' || c == '_' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9') {
			return line[:i], line[i+1:]
		}
	}
	return line, ""
}

// parseOptions reads the options of a rule. It is not ok if there is one
// without which the rule would mean something else.
func parseOptions(list string) (o options, ok bool) {
	var on, off types
	if list == "" {
		return options{types: anyType}, true
	}
	for option := range strings.SplitSeq(list, ",") {
		option, not := strings.CutPrefix(option, "~")
		name, value, _ := strings.Cut(option, "=")
		if t, known := optionTypes[option]; known {
			if not {
				off |= t
			} else {
				on |= t
			}
			continue
		}
		if strings.Trim(name, "_") == "" {
			continue // makes a list easier to read and has no meaning
		}
		if !o.set(name, value, not) {
			return options{}, false
		}
	}
	if on == 0 {
		on = anyType
	}
	o.types = on &^ off
	slices.Sort(o.hosts.out) // may come from two options
	return o, o.types != 0 && o.flags&(thirdParty|firstParty) != thirdParty|firstParty
}

// set takes an option that is not a type.
func (o *options) set(name, value string, not bool) (ok bool) {
	party := thirdParty
	switch name {
	case "first-party", "1p":
		party = firstParty
		fallthrough
	case "third-party", "3p":
		if not {
			party ^= thirdParty | firstParty
		}
		o.flags |= party
		return true
	case "domain", "from":
		o.pages, ok = parseDomains(value, "|")
	case "to":
		d, valid := parseDomains(value, "|")
		o.hosts.in, ok = d.in, valid && !d.wild
		o.hosts.out = append(o.hosts.out, d.out...)
	case "denyallow":
		d, valid := parseDomains(value, "|")
		o.hosts.out, ok = append(o.hosts.out, d.in...), valid && !d.wild && len(d.out) == 0
	case "important":
		o.flags |= important
		return !not
	case "match-case":
		o.flags |= matchCase
		return !not
	case "badfilter":
		o.bad = true
		return !not
	}
	return ok && !not
}
