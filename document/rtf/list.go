package rtf

import (
	"strconv"
	"strings"
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
	form     int
	start    int
	template string // characters below 9 stand for the numbers of levels
}

// Forms of numbers that are none.
const (
	formBullet = 23
	formNone   = 255
)

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
		last.set(func(v *listLevel) { v.form = t.value })
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
	if v.form == formNone && v.template == "" {
		return "", false
	}
	found.count(level)
	if v.form == formBullet {
		return "", true
	}
	var label strings.Builder
	for _, c := range v.template {
		if int(c) < len(found.levels) {
			label.WriteString(format(found.counts[c], found.levels[c].form))
		} else {
			label.WriteRune(c)
		}
	}
	return strings.TrimSpace(label.String()), true
}

// isBullet tells whether the items of a level have bullets, whatever these look like.
func (l *lists) isBullet(override, level int) bool {
	found := l.find(override)
	return found != nil && level < len(found.levels) && found.levels[level].form == formBullet
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

// format writes a number in one of the forms that \levelnfc knows.
func format(n, form int) string {
	switch form {
	case 1:
		return strings.ToUpper(roman(n))
	case 2:
		return roman(n)
	case 3:
		return strings.ToUpper(letters(n))
	case 4:
		return letters(n)
	case 22:
		if n >= 0 && n < 10 {
			return "0" + strconv.Itoa(n)
		}
	case formBullet, formNone:
		return ""
	}
	return strconv.Itoa(n)
}

func roman(n int) string {
	if n <= 0 || n >= 4000 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for i, value := range [...]int{1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1} {
		for ; n >= value; n -= value {
			b.WriteString([...]string{"m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"}[i])
		}
	}
	return b.String()
}

// letters counts a to z, then aa to zz, as word processors do.
func letters(n int) string {
	if n <= 0 || n > 26*100 {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(rune('a'+(n-1)%26)), (n-1)/26+1)
}
