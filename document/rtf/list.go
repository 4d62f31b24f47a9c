package rtf

import (
	"strings"

	"github.com/trawlhq/trawl/document/numeral"
)

// lists are the tables of lists and of what stands in their place. They are asked
// for numbers only if the file does not show them itself.
type lists struct {
	all       []*list
	byID      map[int]*list
	overrides map[int]int // identity of the list by the number that paragraphs give
	identity  int         // of the override that is being read
}

type list struct {
	identity int
	levels   []*listLevel
	counts   [9]int
	begun    [9]bool
}

// listLevel is how a level of a list is numbered.
type listLevel struct {
	form     numeral.Form
	start    int
	template string // characters below 9 stand for the numbers of levels
}

// word reads a word within one of the tables.
func (l *lists) word(t *token) {
	switch string(t.name) {
	case "list":
		if len(l.all) < maxEntries {
			l.all = append(l.all, &list{})
		}
		return
	case "listoverride":
		l.identity = 0
		return
	case "ls":
		if len(l.overrides) < maxEntries {
			l.overrides[t.value] = l.identity
		}
		return
	}
	if len(l.all) == 0 {
		return
	}
	last := l.all[len(l.all)-1]
	switch string(t.name) {
	case "listid":
		if last.identity == 0 {
			last.identity = t.value
			l.byID[t.value] = last
		}
		l.identity = t.value
	case "listlevel":
		if len(last.levels) < 9 {
			last.levels = append(last.levels, &listLevel{start: 1})
		}
	case "levelnfc", "levelnfcn":
		last.set(func(v *listLevel) { v.form = numeral.Form(t.value) })
	case "levelstartat":
		last.set(func(v *listLevel) { v.start = t.value })
	}
}

// set changes the level that is being read.
func (l *list) set(change func(*listLevel)) {
	if n := len(l.levels); n > 0 {
		change(l.levels[n-1])
	}
}

// template takes the text of a level: its length, then what is shown.
func (l *lists) template(text string) {
	if len(l.all) > 0 && text != "" {
		text = strings.TrimSuffix(text[1:], ";")
		l.all[len(l.all)-1].set(func(v *listLevel) { v.template = text })
	}
}

// number counts an item and returns its label, and whether it is an item at all.
func (l *lists) number(override, level int) (string, bool) {
	found := l.find(override)
	if found == nil || level >= len(found.levels) {
		return "", false
	}
	v := found.levels[level]
	if v.form == numeral.None && v.template == "" {
		return "", false
	}
	found.count(level)
	if v.form == numeral.Bullet {
		return "", true
	}
	var label strings.Builder
	for _, c := range v.template {
		if int(c) < len(found.levels) {
			label.WriteString(found.levels[c].form.Text(found.counts[c]))
		} else {
			label.WriteRune(c)
		}
	}
	return strings.TrimSpace(label.String()), true
}

// isBullet tells whether the items of a level have bullets, whatever these look like.
func (l *lists) isBullet(override, level int) bool {
	found := l.find(override)
	return found != nil && level < len(found.levels) && found.levels[level].form == numeral.Bullet
}

func (l *lists) find(override int) *list {
	if identity, ok := l.overrides[override]; ok {
		return l.byID[identity]
	}
	return nil
}

// count goes on by one on a level, and lets those below begin anew.
func (l *list) count(level int) {
	for i := 0; i <= level; i++ {
		if !l.begun[i] {
			l.counts[i], l.begun[i] = l.levels[i].start, true
			if i == level {
				l.counts[i]--
			}
		}
	}
	l.counts[level]++
	for i := level + 1; i < len(l.begun); i++ {
		l.begun[i] = false
	}
}
