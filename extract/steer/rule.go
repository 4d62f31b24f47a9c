package steer

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/extract/notation"
)

// Bounds of options, the same as for callers.
const (
	maxLimit   = 100_000_000
	maxDepth   = 1_000_000
	gentleWait = 1.0 // seconds between pages for "slowly"
)

// rule is one thing that can be said of a crawl, and what it means.
type rule struct {
	says   *regexp.Regexp
	apply  func(r *reader, groups []string) bool
	before *regexp.Regexp // what has to follow; nil: anything
	unless *regexp.Regexp // what must not follow, since it changes the meaning; nil: nothing
}

// Parts of the rules.
const (
	number = `(\d(?:[\d,.']*\d)?\s?k?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred|a hundred|` +
		`zwei|drei|vier|fünf|zehn|dos|tres|cinco|diez|deux|trois|cinq|dix)`
	no      = `(?:don't|do not|never|no|not|without|exclude|excluding|except(?: for)?|ignore|ignoring|skip|avoid|omit|keine?|ohne|sin|sans)`
	page    = `(?:web ?pages?|pages?|urls?|documents?|seiten?|páginas?)`
	seconds = `(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|sekunden?|segundos?|secondes?)`
	the     = `(?:(?:the|all|any|its|their|this|that|of|my|our|der|die|das|el|la|los|las|le|les)\s+)*`
	atMost  = `(?:(?:the\s+)?first|at most|(?:don't|do not|never)\s+(?:crawl|scrape|get|visit|fetch|read)\s+more than|fewer than|less than|up to|no more than|not more than|maximum(?: of)?|max\.?(?: of)?|a total of|` +
		`limit(?:ed|ing)?(?: it| this| the crawl)?(?: to| of|:| is|=)?|stop after|die ersten|höchstens|maximal|bis zu|` +
		`(?:las |los )?primer[ao]s|como máximo|máximo|hasta|(?:les )?premi(?:ers|ères)|au maximum|au plus|jusqu'à)`
)

// rules are tried in this order: those that would take words which mean
// something else before what they take come last.
var rules = []rule{
	say(`(?:(?:wait|pause|sleep|delay|warte|espera|attends)\s*(?:of|for|at least|about|=|:)?\s*)`+number+`\s*`+seconds+`\b(?:\s+(?:delay|pause))?`+between, (*reader).delay),
	say(`(?:with\s+)?(?:a\s+)?`+number+`[\s-]*`+seconds+`\s+(?:(?:delays?|pauses?|apart|wait)\b`+between+`|between\s+`+the+`(?:two |each )?`+page+`)`, (*reader).delay),
	say(`(?:`+atMost+`\s+|with\s+)?`+number+`?\s*(?:`+page+`|requests?|visits?|anfragen?)\s+(?:every|per|each|pro|alle|por|par|a)\s+`+number+`?\s*`+seconds, (*reader).rate),
	say(`(?:very\s+)?(?:slowly|gently|politely|langsam|despacio|lentement)`, (*reader).slowly),

	say(`(?:only|just)\s+(?:the\s+|this\s+)?(?:start(?:ing)?|home|landing|front|first|single|one|current|given)\s*page`, (*reader).startOnly).but(furtherPages),
	say(`(?:only|just|nur)\s+(?:this|that|diese)\s+(?:page|url|address|seite)`, (*reader).startOnly).but(furtherPages),
	say(`(?:this|the start(?:ing)?|the home|the current)\s*(?:page|url)\s+(?:only|alone|and nothing else)`, (*reader).startOnly).but(furtherPages),
	say(`(?:only|just)\s+(?:the\s+)?(?:`+page+`\s+)?(?:that are\s+)?(?:directly\s+)?link(?:s|ed)\s+(?:from|on)\s+(?:the\s+|this\s+)?(?:start(?:ing)?\s*|home\s*)?page`, (*reader).neighbours),
	say(`(?:(?:don't|do not|never|no|not)\s+)(?:go\s+|crawl\s+|get\s+)?(?:any\s+)?(?:deeper|further)\s+than\s+`+number+`(?:\s+(?:levels?|clicks?|hops?|links?))?(?:\s+deep)?`, (*reader).depth).but(otherAmount),
	say(`(?:(?:don't|do not|no|not|never)\s+(?:go\s+)?(?:deeper|further)\s+than\s+|`+atMost+`\s+|within\s+|only\s+|go\s+|to\s+)*`+number+`\s+(?:levels?|clicks?|hops?|ebenen?|niveles|niveaux|(?:links?)\s+(?:deep|away))(?:\s+(?:deep|away|down|of depth|tief|de profundidad|de profondeur))?(?:\s+from\s+(?:the\s+)?(?:start|home|landing)(?:ing)?(?:\s*page)?)?`, (*reader).depth).but(otherAmount),
	say(`(?:with\s+)?(?:a\s+)?(?:max(?:imum|imale?)?\.?\s+)?(?:(?:crawl|discovery|link)\s+)?(?:depth|tiefe|profundidad|profondeur)\s*(?:of|to|is|=|:|von|de)?\s*(?:`+atMost+`\s+)?`+number, (*reader).depth).but(otherAmount),

	say(`(?:`+no+`\s+)`+visiting+the+`(?:sub-?domains?|subdominios|sous-domaines)`, (*reader).noSubdomains).but(otherwise),
	say(`(?:(?:also|and|plus)\s+)*(?:include|including|with|allow|follow|crawl|across|and|also|plus|mit|incluye|inclus)\s+`+the+`(?:sub-?domains?|subdominios|sous-domaines)(?:\s+(?:too|as well|included))?`, (*reader).subdomains).but(otherwise),
	say(`(?:`+no+`\s+)`+visiting+the+`(?:links to\s+)?`+elsewhere, (*reader).noExternal).but(otherwise),
	say(`(?:stay|remain|keep)(?:ing)?\s+(?:on|within|in|inside)\s+`+the+`(?:same\s+)?(?:site|domain|website|host)`, (*reader).noExternal),
	say(`(?:(?:also|and)\s+)*(?:follow|include|allow|crawl|visit|with|also)(?:ing)?\s+`+the+`(?:links to\s+)?`+elsewhere+`(?:\s+(?:too|as well))?`, (*reader).external).but(otherwise),

	say(`(?:`+no+`\s+)(?:use\s+|using\s+|read\s+)?`+the+`site-?maps?(?:\.xml)?`, useSitemap(trawl.SitemapSkip)),
	say(`(?:(?:use|using|crawl|with)\s+)?(?:only|just|exclusively|nur)\s+(?:use\s+|using\s+)?`+the+`(?:`+page+`\s+)?(?:(?:that are\s+)?(?:listed\s+)?(?:in|from|of|on)\s+)?`+the+`site-?map(?:\.xml)?`, useSitemap(trawl.SitemapOnly)),
	say(`(?:use\s+)?`+the+`site-?map(?:\.xml)?\s+only`, useSitemap(trawl.SitemapOnly)).but(otherwise),
	say(`(?:use|using|with|include|read|via|follow|from)\s+`+the+`site-?map(?:\.xml)?`, useSitemap(trawl.SitemapInclude)),
	say(`(?:`+no+`|strip|drop|remove|disregard)\s+`+the+`(?:different\s+)?(?:url\s+)?(?:query[\s-]?(?:strings?|param(?:eter)?s?|parts?)|quer(?:y|ies)|(?:url|get|search)[\s-]param(?:eter)?s|param(?:eter)?s)`, (*reader).noQuery),

	say(atMost+`\s+`+number+`\s+`+page, (*reader).limit).but(otherAmount),
	say(atMost+`\s+`+number, (*reader).plainLimit).when(ofPages).but(otherAmount),
	say(number+`\s+`+page+`(?:\s+(?:max(?:imum)?|at most|in total|total|höchstens|máximo|au maximum))?`, (*reader).manyPages).but(otherAmount),
	say(`(?:the\s+)?(?:whole|entire|complete|full)\s+(?:site|website|web site|domain)|everything(?:\s+on\s+`+the+`(?:site|website|domain))?|all\s+`+page+
		`\s+(?:of|on)\s+`+the+`(?:site|website|domain)|(?:die\s+)?(?:ganze|gesamte)\s+(?:seite|website|domain)|todo el sitio|tout le site`, (*reader).whole),
}

const (
	between = `(?:\s+(?:between|after|before|zwischen|entre)\s+` + the + `(?:(?:each|every|two|den|cada|chaque)\s+)?(?:` + page + `|requests?|visits?|loads?))?`

	elsewhere = `(?:(?:external|outbound|outside|other|third[- ]party|foreign|externen?|fremden?|andere[nr]?)\s+(?:links?|sites?|domains?|websites?|webseiten)|enlaces externos|liens externes)`

	visiting = `(?:(?:follow|crawl|visit|includ|us|leav|want|need|open|go)(?:e|ing)?\s+(?:to\s+)?)?`
)

// What follows the words of rules and decides whether they mean what they seem to.
var (
	otherAmount  = regexp.MustCompile(`(?i)^\s*(?:(?:or|and)\s+(?:more|deeper|above|up|last)|minimum|at least|at a time|at once|in parallel|per|each|every|deep\b|a (?:second|minute|hour|day)|pro|(?:of|from|for|in|on|under|below)\s+(?:each|every|any)|(?:[\p{L}-]+\s+){1,3}per)\b`)
	otherwise    = regexp.MustCompile(`(?i)^\s*(?:are|is|be|being|should|must|may|can|could|will|would|have|has|excluded|disabled|off|removed|ignored|skipped|blocked|forbidden|unless|only|except|if|when|as|for|from|to|in|of|on|that|which|where|whose)\b`)
	furtherPages = regexp.MustCompile(`(?i)^\s*(?:(?:,\s*)?(?:and|plus|or|und|oder)\b|,\s*(?:the|/)|&|of|in|for|from|under|below|about|on|per|that|which|if|when|where|with|first|once)`)
	ofPages      = regexp.MustCompile(`(?i)^\s*(?:$|[,;.!?)]|(?:and|but|please|then|und|aber|y|et)\s|(?:[\p{L}-]+\s+){0,2}(?:posts?|articles?|products?|items?|results?|entries|events?|recipes?|jobs?)(?:[\s,;.!?)]|$))`)
)

// say makes a rule of words, which stand by themselves and in any case.
func say(words string, apply func(r *reader, groups []string) bool) rule {
	return rule{says: regexp.MustCompile(`(?i)(?:^|[\s,(])(?:` + words + `)(?P<end>$|[\s,;.!?)])`), apply: apply}
}

// when makes the rule hold only before such words.
func (r rule) when(follows *regexp.Regexp) rule {
	r.before = follows
	return r
}

// but makes the rule not hold before such words.
func (r rule) but(follows *regexp.Regexp) rule {
	r.unless = follows
	return r
}

// amount reads a number as people write it; it is below zero if it is none that
// an option could have.
func amount(text string) float64 {
	text = strings.ToLower(strings.TrimSpace(text))
	if value, ok := numerals[text]; ok {
		return value
	}
	digits, thousands := strings.CutSuffix(text, "k")
	readings := notation.Whole(strings.TrimRight(strings.TrimSpace(digits), ".,'"))
	if len(readings) == 0 {
		return -1
	}
	value, err := strconv.ParseFloat(readings[0], 64)
	if thousands {
		value *= 1000
	}
	if err != nil || value > 1e9 {
		return -1
	}
	return value
}

var numerals = map[string]float64{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12, "twenty": 20,
	"thirty": 30, "fifty": 50, "hundred": 100, "a hundred": 100, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "zehn": 10, "dos": 2, "tres": 3,
	"cinco": 5, "diez": 10, "deux": 2, "trois": 3, "cinq": 5, "dix": 10,
}

// count reads a whole number within bounds.
func count(text string, least, most int) (int, bool) {
	value := amount(text)
	if value != math.Trunc(value) || value < float64(least) || value > float64(most) {
		return 0, false
	}
	return int(value), true
}

func (r *reader) limit(groups []string) bool {
	n, ok := count(groups[1], 1, maxLimit)
	if !ok || r.choices.Limit != nil {
		return false
	}
	r.choices.Limit = &n
	return r.note(fmt.Sprintf("at most %d pages", n))
}

// plainLimit reads a limit that does not say of what. "Up to 2023" is a year.
func (r *reader) plainLimit(groups []string) bool {
	if n := amount(groups[1]); n >= 1900 && n <= 2100 && !strings.Contains(strings.ToLower(groups[0]), "limit") {
		return false
	}
	return r.limit(groups)
}

// manyPages reads a number of pages. "One page" may be any.
func (r *reader) manyPages(groups []string) bool {
	return !strings.EqualFold(groups[1], "one") && r.limit(groups)
}

func (r *reader) depth(groups []string) bool {
	n, ok := count(groups[1], 0, maxDepth)
	if !ok || r.choices.MaxDiscoveryDepth != nil {
		return false
	}
	r.choices.MaxDiscoveryDepth = &n
	return r.note(fmt.Sprintf("at most %d links deep", n))
}

func (r *reader) startOnly([]string) bool {
	return r.depth([]string{"", "0"}) && (r.choices.Limit != nil || r.limit([]string{"", "1"}))
}

func (r *reader) neighbours([]string) bool { return r.depth([]string{"", "1"}) }

func (r *reader) delay(groups []string) bool {
	return r.wait(amount(groups[1]) * secondsOf(groups[2]))
}

// rate reads how many pages in what time, as the time between two of them.
func (r *reader) rate(groups []string) bool {
	pages, time := 1.0, 1.0
	if groups[1] != "" {
		pages = amount(groups[1])
	}
	if groups[2] != "" {
		time = amount(groups[2])
	}
	return pages > 0 && r.wait(time*secondsOf(groups[3])/pages)
}

func secondsOf(unit string) float64 {
	switch unit = strings.ToLower(unit); {
	case strings.HasPrefix(unit, "mil") || unit == "ms":
		return 0.001
	case strings.HasPrefix(unit, "min"):
		return 60
	}
	return 1
}

// wait chooses the time between two pages.
func (r *reader) wait(wait float64) bool {
	if wait <= 0 || wait > trawl.MaxDelay || r.choices.Delay != nil {
		return false
	}
	r.choices.Delay = &wait
	return r.note("a delay of " + strconv.FormatFloat(wait, 'g', -1, 64) + " s between pages")
}

func (r *reader) slowly([]string) bool {
	if r.choices.Delay != nil {
		return true
	}
	wait := gentleWait
	r.choices.Delay = &wait
	return r.note("a delay of 1 s between pages")
}

// choose sets a switch that nothing has set before.
func (r *reader) choose(field **bool, on bool, what string) bool {
	if *field != nil {
		return **field == on
	}
	*field = &on
	return r.note(what)
}

func (r *reader) subdomains([]string) bool {
	return r.choose(&r.choices.AllowSubdomains, true, "subdomains too")
}

func (r *reader) noSubdomains([]string) bool {
	return r.choose(&r.choices.AllowSubdomains, false, "no subdomains")
}

func (r *reader) external([]string) bool {
	return r.choose(&r.choices.AllowExternalLinks, true, "links to other sites")
}

func (r *reader) noExternal([]string) bool {
	return r.choose(&r.choices.AllowExternalLinks, false, "no links to other sites")
}

func (r *reader) whole([]string) bool {
	return r.choose(&r.choices.CrawlEntireDomain, true, "the whole site")
}

func (r *reader) noQuery([]string) bool {
	return r.choose(&r.choices.IgnoreQueryParameters, true, "query parameters ignored")
}

// useSitemap returns what chooses how the sitemap is used.
func useSitemap(use string) func(*reader, []string) bool {
	return func(r *reader, _ []string) bool {
		if r.choices.Sitemap != "" {
			return r.choices.Sitemap == use
		}
		r.choices.Sitemap = use
		return r.note("sitemap: " + use)
	}
}
