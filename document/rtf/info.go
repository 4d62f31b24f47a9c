package rtf

import (
	"time"

	"github.com/trawlhq/trawl/document/codepage"
)

// infoWord handles the parts of what the file says of itself.
func (r *reader) infoWord(name string) bool {
	info := &r.doc.Info
	switch name {
	case "title":
		r.collect(func(text string) { info.Title = trim(text) })
	case "author":
		r.collect(func(text string) { info.Author = trim(text) })
	case "subject":
		r.collect(func(text string) { info.Subject = trim(text) })
	case "keywords":
		r.collect(func(text string) { info.Keywords = trim(text) })
	case "creatim":
		r.date(&info.Created)
	case "revtim":
		r.date(&info.Modified)
	case "operator", "manager", "company", "category", "doccomm", "comment", "hlinkbase", "printim", "buptim":
		r.state.into = intoNothing
	default:
		return false
	}
	return true
}

// date reads the words of a date until its group ends.
func (r *reader) date(to *time.Time) {
	r.when = date{}
	r.state.capture = &capture{done: func(string) { *to = r.when.time() }}
}

// date is a date whose parts come word by word.
type date struct{ year, month, day, hour, minute int }

func (d *date) word(t *token) {
	switch string(t.name) {
	case "yr":
		d.year = t.value
	case "mo":
		d.month = t.value
	case "dy":
		d.day = t.value
	case "hr":
		d.hour = t.value
	case "min":
		d.minute = t.value
	}
}

func (d *date) time() time.Time {
	if d.year < 1900 || d.year > 9999 || d.month < 1 || d.month > 12 || d.day < 1 || d.day > 31 {
		return time.Time{}
	}
	return time.Date(d.year, time.Month(d.month), d.day, d.hour%24, d.minute%60, 0, 0, time.UTC)
}

// language returns the language that most of the text is in.
func (r *reader) language() string {
	best, most := 0, 0
	for code, n := range r.languages {
		if code != 0 && code != noLanguage && (n > most || n == most && code < best) {
			best, most = code, n
		}
	}
	if most == 0 {
		best = r.defLang
	}
	return codepage.Language(best)
}

// noLanguage is the number of text that is not to be checked for spelling.
const noLanguage = 1024
