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
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/content/chars"
)

// Read returns the options that a prompt speaks of for a crawl from start, what
// was understood of it, and the words that were not.
func Read(prompt, start string) (choices trawl.CrawlChoices, understood []string, left string) {
	r := &reader{text: tidy(prompt), host: hostOf(start)}
	for _, rule := range rules {
		r.take(&rule)
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
	prompt = chars.Collapse(prompt)
	for _, phrase := range phrases {
		prompt = phrase.found.ReplaceAllString(prompt, phrase.plain)
	}
	return prompt
}

// phrases are ways to say something that would be misread word by word, and the
// plain way to say it.
var phrases = []struct {
	found *regexp.Regexp
	plain string
}{
	{regexp.MustCompile(`(?i)(^|[\s,])(?:nothing|none|no\s+(?:other\s+)?(?:pages?|urls?|sections?)|(?:don't|do not|never)\s+(?:crawl|visit|get|scrape|fetch|include|read)\s+(?:anything|any\s+pages?)|` +
		`(?:skip|ignore|exclude)\s+(?:everything|anything|all(?:\s+(?:the\s+)?pages)?))(?:\s+else)?\s+(?:but|except(?:\s+for)?|other\s+than|besides|apart\s+from)\s`), "$1 only "},
	{regexp.MustCompile(`(?i)\b(everything|everywhere|anything|all(?:\s+(?:the\s+)?(?:pages|urls|sections))?|every\s+page)\s+but\s+(?:not\s+|for\s+)?`), "$1 except "},
	{regexp.MustCompile(`(?i)\b(?:everything|anything|all)\s+(?:that\s+is\s+)?(under|below|beneath|inside|within|in)\s`), "pages $1 "},
	{regexp.MustCompile(`(?i)[\s,]+(?:and\s+)?nothing\s+else\b`), " ; "},
	{regexp.MustCompile(`(?i)(^|[\s,])i(?:\s+would|'d)\s+like(?:\s+you)?(?:\s+to)?\s`), "$1 "},
}

// reader reads one prompt.
type reader struct {
	text       string // what no rule has taken yet
	host       string // of the start
	choices    trawl.CrawlChoices
	understood []string
	containing bool // the paths of the list that is read need not be at the beginning
}

// take lets a rule read every place where its words occur. What it understands
// is taken out; the words on both sides do not become neighbours.
func (r *reader) take(rule *rule) {
	var b strings.Builder
	last := 0
	for _, at := range rule.says.FindAllStringSubmatchIndex(r.text, -1) {
		groups := make([]string, len(at)/2)
		for i := range groups {
			if at[2*i] >= 0 {
				groups[i] = r.text[at[2*i]:at[2*i+1]]
			}
		}
		after := r.text[at[len(at)-2]:] // its end is the last group
		after = after[:min(len(after), maxNegation)]
		if !negated.MatchString(r.text[max(last, at[0]-maxNegation):at[0]]) && rule.fits(after) && rule.apply(r, groups) {
			b.WriteString(r.text[last:at[0]] + " ; ")
			last = at[1]
		}
	}
	b.WriteString(r.text[last:])
	r.text = b.String()
}

// fits reports whether the words of a rule can mean what it says before others.
func (r *rule) fits(after string) bool {
	return (r.before == nil || r.before.MatchString(after)) && (r.unless == nil || !r.unless.MatchString(after))
}

// negated finds words before those of a rule that turn their meaning around.
var negated = regexp.MustCompile(`(?i)(?:^|[\s,(])(?:(?:\p{L}+n't|do not|does not|cannot|never|not|no|nor|neither|without|nicht|kein(?:e|en|er|es)?|sin|sans|` +
	`skip(?:ping)?|ignor(?:e|ing)|exclud(?:e|ing)|avoid(?:ing)?|omit(?:ting)?|except(?: for)?|leave out|drop|forget|instead of|rather than|other than|apart from|besides|away from)` +
	`(?:\s+(?:crawl|crawling|use|using|get|scrape|fetch|follow|go|want|need|the|a|an|any|all|of|to|you|me|us|it|for|include|including|wait|limit|visit|read|be|only|just|simply|ever|stop|having|with|in|on|first))*|` +
	`more than|at least|minimum(?: of)?|over|two|three|four|five|six|seven|eight|nine|several|few|last|next|previous|remaining|deeper than|further than|beyond|past|after|starting (?:at|from)|between|every|mindestens|mehr als|más de|al menos|plus de|au moins)$`)

const maxNegation = 80 // bytes around a rule's words that are looked at

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
	path := pathOf(start)
	if r.choices.CrawlEntireDomain == nil && !Below(r.choices.IncludePaths, start) {
		r.choose(&r.choices.CrawlEntireDomain, true, "wherever that is on the site")
	}
	for _, pattern := range r.choices.IncludePaths {
		if matched, err := regexp.MatchString(pattern, path); err == nil && matched {
			return
		}
	}
	r.choices.IncludePaths = append(r.choices.IncludePaths, Alone(path))
}

// Below reports whether the pages that patterns include are known to lie below
// the start of a crawl, where it finds them without leaving for the rest of the
// site. Patterns that hold for every page name none, and do not count.
func Below(patterns []string, start string) bool {
	folder := strings.TrimRight(pathOf(start), "/")
	return folder == "" || !slices.ContainsFunc(patterns, func(pattern string) bool { return leaves(pattern, folder) })
}

// leaves reports whether a pattern may have pages that are not below a folder.
func leaves(pattern, folder string) bool {
	re, err := regexp.Compile(pattern)
	if err != nil || re.MatchString("/") && re.MatchString("/~/~") {
		return false
	}
	if at := re.FindStringIndex(folder + "/"); at != nil && at[1] >= len(folder) && strings.HasPrefix(pattern, anywhere) {
		return false // the folder is the section
	}
	rest, err := regexp.Compile(strings.TrimPrefix(pattern, "^"))
	if err != nil || !strings.HasPrefix(pattern, "^") {
		return true
	}
	stem, _ := rest.LiteralPrefix()
	below, ok := strings.CutPrefix(stem, folder)
	return !ok || below != "" && below[0] != '/'
}

// pathOf returns the path of an address as it is on the wire.
func pathOf(start string) string {
	if u, err := url.Parse(start); err == nil && u.EscapedPath() != "" {
		return u.EscapedPath()
	}
	return "/"
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
		if clause = strings.Trim(chars.Collapse(clause), ".,:!? "); !isBlank(clause) {
			list = append(list, clause)
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
