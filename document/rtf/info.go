package rtf

import "time"

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
	if tag, ok := regional[best]; ok {
		return tag
	}
	return primary[best&0x3FF]
}

// noLanguage is the number of text that is not to be checked for spelling.
const noLanguage = 1024

// primary are languages by the lower bits of their numbers.
var primary = map[int]string{
	0x01: "ar", 0x02: "bg", 0x03: "ca", 0x04: "zh-Hans", 0x05: "cs", 0x06: "da", 0x07: "de", 0x08: "el", 0x09: "en", 0x0A: "es", 0x0B: "fi",
	0x0C: "fr", 0x0D: "he", 0x0E: "hu", 0x0F: "is", 0x10: "it", 0x11: "ja", 0x12: "ko", 0x13: "nl", 0x14: "no", 0x15: "pl", 0x16: "pt",
	0x17: "rm", 0x18: "ro", 0x19: "ru", 0x1A: "hr", 0x1B: "sk", 0x1C: "sq", 0x1D: "sv", 0x1E: "th", 0x1F: "tr", 0x20: "ur", 0x21: "id",
	0x22: "uk", 0x23: "be", 0x24: "sl", 0x25: "et", 0x26: "lv", 0x27: "lt", 0x29: "fa", 0x2A: "vi", 0x2B: "hy", 0x2C: "az", 0x2D: "eu",
	0x2F: "mk", 0x36: "af", 0x37: "ka", 0x39: "hi", 0x3A: "mt", 0x3C: "ga", 0x3E: "ms", 0x3F: "kk", 0x41: "sw", 0x43: "uz", 0x45: "bn",
	0x49: "ta", 0x4A: "te", 0x50: "mn", 0x52: "cy", 0x56: "gl",
}

// regional are those for which the country matters.
var regional = map[int]string{
	0x0404: "zh-Hant", 0x0C04: "zh-Hant", 0x1404: "zh-Hant", 0x0409: "en-US", 0x0809: "en-GB", 0x0416: "pt-BR", 0x0816: "pt-PT",
	0x0407: "de-DE", 0x0807: "de-CH", 0x0C07: "de-AT", 0x0414: "nb", 0x0814: "nn", 0x0C1A: "sr", 0x081A: "sr", 0x141A: "bs",
}
