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
	says  *regexp.Regexp
	apply func(r *reader, groups []string) bool
}

// Parts of the rules.
const (
	number = `(\d[\d,.']*\s?k?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred|a hundred|` +
		`zwei|drei|vier|fünf|zehn|dos|tres|cinco|diez|deux|trois|cinq|dix)`
	no      = `(?:don't|do not|never|no|not|without|exclude|excluding|ignore|ignoring|skip|avoid|keine?|ohne|sin|sans)`
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
	say(`(?:one\s+)?page\s+(?:every|per)\s+`+number+`\s*`+seconds, (*reader).delay),
	say(`(?:very\s+)?(?:slowly|gently|politely|langsam|despacio|lentement)`, (*reader).slowly),

	say(`(?:only|just)\s+(?:the\s+|this\s+)?(?:start(?:ing)?|home|landing|front|first|single|one)\s*page`, (*reader).startOnly),
	say(`(?:only|just)\s+(?:the\s+)?(?:`+page+`\s+)?(?:that are\s+)?(?:directly\s+)?link(?:s|ed)\s+(?:from|on)\s+(?:the\s+|this\s+)?(?:start(?:ing)?\s*|home\s*)?page`, (*reader).neighbours),
	say(`(?:(?:don't|do not|no|not|never)\s+(?:go\s+)?(?:deeper|further)\s+than\s+|`+atMost+`\s+|within\s+|only\s+|go\s+|to\s+)*`+number+`\s+(?:levels?|clicks?|hops?|ebenen?|niveles|niveaux|(?:links?)\s+(?:deep|away))(?:\s+(?:deep|away|down|of depth|tief|de profundidad|de profondeur))?(?:\s+from\s+(?:the\s+)?(?:start|home|landing)(?:ing)?(?:\s*page)?)?`, (*reader).depth),
	say(`(?:with\s+)?(?:a\s+)?(?:max(?:imum|imale?)?\.?\s+)?(?:(?:crawl|discovery|link)\s+)?(?:depth|tiefe|profundidad|profondeur)\s*(?:of|to|is|=|:|von|de)?\s*(?:`+atMost+`\s+)?`+number, (*reader).depth),

	say(`(?:`+no+`\s+)(?:include\s+|follow\s+|crawl\s+|visit\s+|using\s+)?`+the+`(?:sub-?domains?|subdominios|sous-domaines)`, (*reader).noSubdomains),
	say(`(?:(?:also|and|plus)\s+)*(?:(?:include|including|with|allow|follow|crawl|across|mit|incluye|inclus)\s+)?`+the+`(?:sub-?domains?|subdominios|sous-domaines)(?:\s+(?:too|as well|included))?`, (*reader).subdomains),
	say(`(?:`+no+`\s+)(?:follow(?:ing)?\s+|crawl(?:ing)?\s+|visit(?:ing)?\s+|include\s+|leave\s+)?`+the+`(?:links to\s+)?`+elsewhere, (*reader).noExternal),
	say(`(?:stay|remain|keep)(?:ing)?\s+(?:on|within|in|inside)\s+`+the+`(?:same\s+)?(?:site|domain|website|host)`, (*reader).noExternal),
	say(`(?:(?:also|and)\s+)*(?:(?:follow|include|allow|crawl|visit|with)(?:ing)?\s+)?`+the+`(?:links to\s+)?`+elsewhere+`(?:\s+(?:too|as well))?`, (*reader).external),

	say(`(?:`+no+`\s+)(?:use\s+|using\s+|read\s+)?`+the+`site-?maps?(?:\.xml)?`, useSitemap(trawl.SitemapSkip)),
	say(`(?:(?:use|using|crawl|with)\s+)?(?:only|just|exclusively|nur)\s+(?:use\s+|using\s+)?`+the+`(?:`+page+`\s+)?(?:(?:that are\s+)?(?:listed\s+)?(?:in|from|of|on)\s+)?`+the+`site-?map(?:\.xml)?`, useSitemap(trawl.SitemapOnly)),
	say(`(?:use\s+)?`+the+`site-?map(?:\.xml)?\s+only`, useSitemap(trawl.SitemapOnly)),
	say(`(?:use|using|with|include|read|via|follow|from)\s+`+the+`site-?map(?:\.xml)?`, useSitemap(trawl.SitemapInclude)),
	say(`(?:`+no+`|strip|drop|remove|disregard)\s+`+the+`(?:different\s+)?(?:url\s+)?(?:query[\s-]?(?:strings?|param(?:eter)?s?|parts?)|quer(?:y|ies)|(?:url|get|search)[\s-]param(?:eter)?s|param(?:eter)?s)`, (*reader).noQuery),

	say(atMost+`\s+`+number+`(?:\s+`+page+`)?`, (*reader).limit),
	say(number+`\s+`+page+`(?:\s+(?:max(?:imum)?|at most|in total|total|höchstens|máximo|au maximum))?`, (*reader).limit),
	say(`everything\s+(?:under|below|beneath|in|inside|within)`, func(*reader, []string) bool { return true }),
	say(`(?:the\s+)?(?:whole|entire|complete|full)\s+(?:site|website|web site|domain)|everything(?:\s+on\s+`+the+`(?:site|website|domain))?|all\s+`+page+
		`\s+(?:of|on)\s+`+the+`(?:site|website|domain)|(?:die\s+)?(?:ganze|gesamte)\s+(?:seite|website|domain)|todo el sitio|tout le site`, (*reader).whole),
}

const (
	between = `(?:\s+(?:between|after|before|zwischen|entre)\s+` + the + `(?:(?:each|every|two|den|cada|chaque)\s+)?(?:` + page + `|requests?|visits?|loads?))?`

	elsewhere = `(?:external|outbound|outside|other|third[- ]party|foreign)\s+(?:links?|sites?|domains?|websites?)`
)

// say makes a rule of words, which stand by themselves and in any case.
func say(words string, apply func(r *reader, groups []string) bool) rule {
	return rule{regexp.MustCompile(`(?i)(?:^|[\s,(])(?:` + words + `)(?:$|[\s,;.!?)])`), apply}
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
	wait := amount(groups[1])
	switch unit := strings.ToLower(groups[2]); {
	case strings.HasPrefix(unit, "mil") || unit == "ms":
		wait /= 1000
	case strings.HasPrefix(unit, "min"):
		wait *= 60
	}
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
