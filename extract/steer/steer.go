// Package steer reads the options of a crawl from a few words, without a
// language model: how many pages and how deep, which sections and which not,
// subdomains, other sites, the sitemap, and how slowly.
//
// It goes by rules. Each rule knows the ways to say one thing (rule.go), takes
// what it understands out of the prompt and leaves the rest to those after it;
// what is left then is read as sections of the site (section.go). Nothing is made
// of words that no rule knows: they are handed back. Options out of the bounds
// that hold for callers count as not understood.
package steer

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content/chars"
)

// Read returns the options that a prompt speaks of for a crawl from start, what
// was understood of it, and the words that were not.
func Read(prompt, start string) (choices trawl.CrawlChoices, understood []string, left string) {
	r := &reader{text: tidy(prompt), host: hostOf(start)}
	for _, rule := range rules {
		r.take(rule.says, rule.apply)
	}
	r.sections()
	r.allowStart(start)
	return r.choices, r.understood, r.left()
}

// maxRead bounds the words that are read; callers may send no more.
const maxRead = 2 * trawl.MaxPrompt

// tidy returns a prompt in one line, in which semicolons stand for line breaks.
func tidy(prompt string) string {
	prompt = strings.ToValidUTF8(chars.Truncate(prompt, 4*maxRead), " ")
	prompt = strings.NewReplacer("\n", " ; ", "\r", " ", "’", "'", "\x00", " ").Replace(prompt)
	return allBut.ReplaceAllString(chars.Collapse(prompt), "$1 except ")
}

// allBut finds the "but" that does not begin a clause of its own.
var allBut = regexp.MustCompile(`(?i)\b(everything|all pages|anything)\s+but\s+(?:not\s+)?`)

// reader reads one prompt.
type reader struct {
	text       string // what no rule has taken yet
	host       string // of the start
	choices    trawl.CrawlChoices
	understood []string
}

// take lets a rule read every place where its words occur. What it understands
// is taken out; the words on both sides do not become neighbours.
func (r *reader) take(says *regexp.Regexp, apply func(r *reader, groups []string) bool) {
	var b strings.Builder
	last := 0
	for _, at := range says.FindAllStringSubmatchIndex(r.text, -1) {
		groups := make([]string, len(at)/2)
		for i := range groups {
			if at[2*i] >= 0 {
				groups[i] = r.text[at[2*i]:at[2*i+1]]
			}
		}
		if !negated.MatchString(r.text[max(last, at[0]-maxNegation):at[0]]) && apply(r, groups) {
			b.WriteString(r.text[last:at[0]] + " ; ")
			last = at[1]
		}
	}
	b.WriteString(r.text[last:])
	r.text = b.String()
}

// negated finds words before those of a rule that turn their meaning around.
var negated = regexp.MustCompile(`(?i)(?:^|\s)(?:(?:don't|do not|never|not|no|without|nicht|sin|sans)` +
	`(?:\s+(?:crawl|use|get|scrape|fetch|follow|go|want|need|the|a|to|include|wait|limit|visit|read|be))*|more than|at least|over|mindestens|mehr als)$`)

const maxNegation = 60 // bytes before a rule's words in which it is looked for

// note says what was understood.
func (r *reader) note(what string) bool {
	r.understood = append(r.understood, what)
	return true
}

// allowStart sees to it that a crawl of chosen paths can begin: the page that it
// starts from is included, and paths that are not below it can be reached.
func (r *reader) allowStart(start string) {
	if len(r.choices.IncludePaths) == 0 {
		return
	}
	path := "/"
	if u, err := url.Parse(start); err == nil && u.EscapedPath() != "" {
		path = u.EscapedPath()
	}
	below := "^" + regexp.QuoteMeta(strings.TrimRight(path, "/"))
	for _, pattern := range r.choices.IncludePaths {
		if strings.HasPrefix(pattern, "^") && !strings.HasPrefix(pattern, below) && r.choices.CrawlEntireDomain == nil {
			r.whole(nil)
		}
	}
	for _, pattern := range r.choices.IncludePaths {
		if matched, err := regexp.MatchString(pattern, path); err == nil && matched {
			return
		}
	}
	r.choices.IncludePaths = append(r.choices.IncludePaths, Alone(path))
}

// Alone returns an expression for one path and no other, with or without a slash
// at its end. Of a path that is very long it is the beginning that counts.
func Alone(path string) string {
	stem := strings.TrimRight(path, "/")
	if stem == "" {
		return "^/$"
	}
	const most = 900 // bytes; quoted they can be twice as many
	if len(stem) > most {
		return "^" + regexp.QuoteMeta(chars.Truncate(stem, most))
	}
	return "^" + regexp.QuoteMeta(stem) + "/?$"
}

// left returns what was not understood: what is more than the words that hold
// prompts together.
func (r *reader) left() string {
	var list []string
	for clause := range strings.FieldsFuncSeq(r.text, func(c rune) bool { return c == ';' }) {
		clause = strings.Trim(chars.Collapse(clause), ".,:!? ")
		for word := range strings.FieldsSeq(clause) {
			if !isFiller(strings.ToLower(strings.Trim(word, `.,:!?"'()`))) {
				list = append(list, clause)
				break
			}
		}
	}
	return strings.Join(list, "; ")
}

func hostOf(start string) string {
	u, err := url.Parse(start)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}
