package steer

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const maxPatterns = 50 // of each kind

// What introduces the sections that are wanted, and those that are not.
var (
	introduced = regexp.MustCompile(`(?i)(?:^|[\s,(])(?:but\s+)?(?:(` +
		`exclud(?:e|ing)|except(?:\s+for)?|skip(?:ping)?|without|not|nor|no|avoid(?:ing)?|omit(?:ting)?|ignor(?:e|ing)|leav(?:e|ing)\s+out|` +
		`(?:don't|do\s+not|never)\s+(?:crawl|include|visit|get|scrape|fetch|follow|open|read|want|need)|other\s+than|` +
		`ohne|außer|nicht|keine?|sin|excepto|sauf|excepté|sans)|(` +
		`only|just|nur|solo|sólo|solamente|seulement|uniquement|exclusively|focus(?:ing)?\s+on|limit(?:ed)?\s+to|restrict(?:ed)?\s+to|` +
		`includ(?:e|ing)))(?:\s+|:\s*|$)`)

	exception = regexp.MustCompile(`(?i)^[\s,(]*(?:except|other\s+than|außer|excepto|sauf|excepté)`)
	merely    = regexp.MustCompile(`(?i)^(?:only|just|merely|simply|even|limited|restricted|nur|solo|sólo|solamente|seulement|uniquement)\b`) // "not only"
	including = regexp.MustCompile(`(?i)^[\s,(]*includ`)
	// reversed finds words that turn around what follows, or make it something else
	// than a restriction: "don't skip", "not only", "make sure to include".
	reversed = regexp.MustCompile(`(?i)(?:^|[\s,])(?:\p{L}+n't|do not|cannot|never|not|neither|no need to|nicht|instead of|rather than|forget to|sure to|stop|quit|cease|also|even|as well as)(?:\s+(?:you|to|please|ever|want|need|me|us|be))*\s*$`)

	clauseEnd = regexp.MustCompile(`[;!?]|\.(?:\s|$)|\s(?:but|aber|pero|mais)\s`)
	qualified = regexp.MustCompile(`(?i)\s(?:from|in|about|since|that|which|with|written|mentioning|containing|by|on)\s`)
	listMark  = regexp.MustCompile(`(?i)\s*(?:,|&|\s(?:and|or|und|oder|y|o|et|ou|as well as|plus)\s)\s*(?:(?:and|or|und|oder|y|et|ou)\s)?`)
)

// The ways in which a list of sections is meant.
const (
	mentioned = iota // not introduced: only what is surely a section counts
	wanted
	unwanted
)

// sections reads what no rule has taken as sections of the site.
func (r *reader) sections() {
	var rest []string
	for _, clause := range clauseEnd.Split(r.text, -1) {
		choices, understood := r.choices, r.understood
		left, ok := r.clause(clause)
		if !ok {
			r.choices, r.understood, left = choices, understood, clause
		}
		rest = append(rest, left)
	}
	r.text = strings.Join(rest, " ; ")
}

// clause reads the lists of a clause and returns what is not understood of them.
// It reports whether the clause is clear: where words turn around the meaning of
// others in a way that is not known, none of it can be relied on.
func (r *reader) clause(clause string) (left string, sure bool) {
	var rest []string
	var now list
	last := 0
	for _, at := range introduced.FindAllStringSubmatchIndex(clause, -1) {
		now.text = clause[last:at[0]]
		next := list{intro: clause[at[0]:at[1]], mode: wanted}
		if at[2] >= 0 {
			next.mode = unwanted
		}
		apart := strings.HasSuffix(now.text, ",") || strings.HasPrefix(next.intro, ",")
		next.attached = !apart && !isBlank(now.text)
		unclear := now.mode == unwanted && (isBlank(now.text) || exception.MatchString(next.intro)) ||
			next.mode == unwanted && merely.MatchString(clause[at[1]:])
		left, ok := r.list(&now)
		if !ok || unclear || reversed.MatchString(now.text) || !apart && !isBlank(left) {
			return "", false
		}
		rest, now, last = append(rest, left), next, at[1]
	}
	now.text = clause[last:]
	left, ok := r.list(&now)
	if !ok || now.mode == unwanted && isBlank(now.text) {
		return "", false
	}
	return strings.Join(append(rest, left), " ; "), true
}

// list is a part of a clause.
type list struct {
	text, intro string // what is listed, and the words that introduce it
	mode        int
	attached    bool // other words stand right before it
}

// list reads a list of sections. What it does not understand it returns with the
// words that introduced it, for by itself it could mean the opposite. An exclusion
// in the middle of a phrase that excludes nothing known is not clear: it may be
// about the words before it.
func (r *reader) list(l *list) (left string, sure bool) {
	var rest []string
	mode, first, before := l.mode, true, len(r.understood)
	r.containing = strings.Contains(strings.ToLower(l.text), "contain")
	for _, part := range strings.Split(l.text, ",") {
		var group []string
		for _, item := range listMark.Split(part, -1) {
			if !first && isOrder(item) { // "without the blog, and be gentle"
				rest = append(rest, r.group(group, mode, l.intro)...)
				group, mode = nil, mentioned
			}
			if item = strings.TrimSpace(item); item != "" {
				group, first = append(group, item), false
			}
		}
		rest = append(rest, r.group(group, mode, l.intro)...)
	}
	if l.mode == unwanted && l.attached && len(r.understood) == before {
		return "", false
	}
	return strings.Join(rest, " ; "), true
}

// group reads sections that belong together, and returns what is not understood.
// What is not wanted is left out one by one; but of what is wanted a part would
// leave out the rest.
func (r *reader) group(items []string, mode int, intro string) (left []string) {
	var found []section
	for _, item := range items {
		some, rest := r.item(item, mode, intro)
		if rest != "" && len(some) == 0 && mode != unwanted {
			return []string{strings.Join(items, ", ")}
		}
		if found = append(found, some...); rest != "" {
			left = append(left, rest)
		}
	}
	for _, s := range found {
		if !r.add(s.pattern, s.name, mode) {
			left = append(left, s.name)
		}
	}
	if len(left) > 0 && mode == unwanted {
		left = []string{strings.TrimSpace(intro + " " + strings.Join(left, ", "))}
	}
	return left
}

// section is a part of the site.
type section struct{ pattern, name string }

// item reads one of a list, and returns what is not understood of it. Where the
// whole site is wanted, a section that is only mentioned restricts nothing.
func (r *reader) item(text string, mode int, intro string) (found []section, left string) {
	if isBlank(text) {
		return nil, ""
	}
	if whole := r.choices.CrawlEntireDomain; whole != nil && *whole && (mode == mentioned || including.MatchString(intro)) {
		return nil, text
	}
	if found = r.read(text, mode); len(found) > 0 {
		return found, ""
	}
	// "blog posts from last year": the section is clear, the rest is not.
	if at := qualified.FindStringIndex(text); at != nil && mode != unwanted {
		if found = r.read(text[:at[0]], mentioned); len(found) > 0 {
			return found, text[at[0]:]
		}
	}
	return nil, text
}

// read returns the paths that a text has, or the section that it names. It
// understands all of it or nothing.
func (r *reader) read(text string, mode int) (found []section) {
	var words []string
	quoted := false
	for word := range strings.FieldsSeq(text) {
		bare := strings.Trim(word, "\"'`“”‘’«»()[]<>,:.!")
		path := r.path(bare)
		if path == "" {
			quoted = quoted || strings.ContainsAny(word[:1], "\"'`") || strings.HasPrefix(word, "“") || strings.HasPrefix(word, "«")
			words = append(words, strings.ToLower(bare))
			continue
		}
		pattern := pathPattern(path)
		if r.containing {
			pattern = strings.TrimPrefix(pattern, "^")
		}
		if pattern == "" {
			return nil
		}
		found = append(found, section{pattern, path})
	}
	if len(found) == 0 {
		return named(words, mode, quoted)
	}
	if slices.ContainsFunc(words, func(word string) bool { return !besidePath(word) }) {
		return nil
	}
	return found
}

// add adds a pattern to those that are wanted or not.
func (r *reader) add(pattern, name string, mode int) bool {
	list, what := &r.choices.IncludePaths, "only "
	if mode == unwanted {
		list, what = &r.choices.ExcludePaths, "without "
	}
	if len(*list) >= maxPatterns {
		return false
	}
	if slices.Contains(*list, pattern) {
		return true
	}
	if mode != unwanted && strings.HasPrefix(name, "/") && slices.ContainsFunc(r.choices.ExcludePaths, func(out string) bool {
		matched, err := regexp.MatchString(out, name)
		return err == nil && matched
	}) {
		return false // it would stay excluded
	}
	*list = append(*list, pattern)
	return r.note(what + name)
}

// path returns the path that a word is, or "": /docs, /tag/*, ^/a/.*$, or an
// address of the site.
func (r *reader) path(word string) string {
	if len(word) > 300 {
		return ""
	}
	if u, err := url.Parse(word); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		if host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."); host != r.host || host == "" {
			return ""
		}
		return "/" + strings.TrimPrefix(u.Path, "/")
	}
	word = strings.TrimSuffix(strings.TrimPrefix(word, "^"), "$")
	word = strings.ReplaceAll(word, ".*", "*")
	word, _, _ = strings.Cut(word, "#")
	word, _, _ = strings.Cut(word, "?")
	if strings.HasPrefix(word, "/") || strings.HasPrefix(word, "*/") || strings.HasPrefix(word, "*.") {
		return word
	}
	return ""
}

// pathPattern returns an expression for a path and what is below it; stars stand
// for anything. It is "" for one that says nothing.
func pathPattern(path string) string {
	stem := strings.TrimRight(path, "/*")
	if stem == "" {
		return ""
	}
	parts := strings.Split(stem, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	pattern := strings.Join(parts, ".*")
	if strings.HasPrefix(stem, "/") {
		pattern = "^" + pattern
	}
	name := stem[strings.LastIndexByte(stem, '/')+1:]
	switch {
	case stem != path && strings.HasSuffix(path, "*") && path[len(stem)] == '*':
		return strings.TrimPrefix(pattern, ".*") // /tag-*: whatever follows
	case stem == path && strings.Contains(name, "."):
		return strings.TrimPrefix(pattern, ".*") + "$" // a file
	}
	return strings.TrimPrefix(pattern, ".*") + "(/|$)"
}

// anywhere is how the expressions of sections begin.
const anywhere = "(^|/)"

// named returns the section that words name, with an expression that finds it as
// a part of the path. It is one that many sites have, or the words say that it is
// one; those that nothing introduces must be even clearer.
func named(words []string, mode int, quoted bool) []section {
	words = trimOrder(words)
	var kept []string
	pages, marked := false, quoted
	for i, word := range words {
		switch {
		case word == "about" && (pages || !aboutUs(words[i+1:])):
			return nil // "pages about Go"
		case word == "us" && i > 0 && words[i-1] == "about":
		case isMarker(word):
			pages = true
		case isStrongMarker(word):
			marked = true
		case !isFiller(word):
			kept = append(kept, word)
		}
	}
	if len(kept) == 0 && pages && mode != mentioned && isKnown(words[len(words)-1]) {
		kept = words[len(words)-1:] // "only the articles"
	}
	if len(kept) == 0 || len(kept) > 3 || slices.ContainsFunc(kept, func(word string) bool { return !isName(word) }) {
		return nil
	}
	name := strings.Join(kept, " ")
	switch {
	case mode == mentioned && isSection(name):
	case (mode != mentioned || pages || marked) && isKnown(name):
	case marked && (len(kept) == 1 || mode != mentioned && len(kept) == 2) && !describes(kept[0]):
	default:
		return nil
	}
	if name == "pdf" || name == "pdfs" {
		return []section{{`\.[pP][dD][fF]$`, "PDF files"}}
	}
	return []section{{anywhere + variants(kept) + "(/|$)", "the section " + name}}
}

// aboutUs reports whether words can follow in the name of the section about.
func aboutUs(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool {
		return word != "us" && !isMarker(word) && !isStrongMarker(word) && word != "please"
	})
}

// variants returns an expression for a name in singular and plural, however its
// words are joined.
func variants(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = regexp.QuoteMeta(word)
	}
	last := words[len(words)-1]
	end := &quoted[len(quoted)-1]
	switch stem := strings.TrimSuffix(last, "s"); {
	case len(words) == 1 && (last == "docs" || last == "doc" || last == "documentation"):
		return "(docs?|documentation)"
	case len(words) == 1 && last == "about":
		return "about([-_]?us)?"
	case last == "news" || strings.HasSuffix(last, "ss") || strings.IndexFunc(last, unicode.IsLetter) < 0:
	case len(last) > 4 && strings.HasSuffix(last, "ies"):
		*end = regexp.QuoteMeta(last[:len(last)-3]) + "(y|ies)"
	case len(last) > 2 && strings.HasSuffix(last, "y") && !strings.ContainsAny(last[len(last)-2:len(last)-1], "aeiou"):
		*end = regexp.QuoteMeta(last[:len(last)-1]) + "(y|ies)"
	default:
		*end = regexp.QuoteMeta(stem) + "s?"
	}
	return strings.Join(quoted, "[-_]?")
}

// isName reports whether a word can be a part of a path: letters, digits and
// hyphens, and no word that describes pages rather than naming a section.
func isName(word string) bool {
	if len(word) > 40 || strings.Trim(word, "-_") == "" {
		return false
	}
	for _, c := range word {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// describes reports whether a word says what a part is like, or which one it is,
// rather than how it is called.
func describes(word string) bool {
	switch word {
	case "recent", "new", "newest", "latest", "relevant", "important", "public", "english", "german", "french", "spanish", "old", "older",
		"popular", "top", "internal", "html", "duplicate", "similar", "big", "small", "long", "short", "first", "second", "third", "last", "next",
		"previous", "whole", "entire", "complete", "full", "many", "much", "few", "more", "most", "less", "some", "external", "other", "others", "same",
		"main", "good", "bad", "best", "worst", "right", "left", "upper", "lower", "bottom", "middle", "common", "certain", "specific", "own",
		"no", "not", "none", "nothing", "outside", "than", "which", "what", "where", "one", "two", "three", "it", "non", "empty", "large", "single":
		return true
	}
	for _, ending := range []string{"ing", "ed", "est", "ly", "ous", "ful", "less", "able", "ible", "ish", "ant"} {
		if len(word) > len(ending)+2 && strings.HasSuffix(word, ending) {
			return true
		}
	}
	return strings.IndexFunc(word, unicode.IsDigit) == 0
}

// isSection reports whether a name, wherever it occurs, is that of a section that
// many sites have.
func isSection(name string) bool {
	switch strings.TrimSuffix(name, "s") {
	case "blog", "blog post", "doc", "documentation", "product", "career", "job", "pricing", "faq", "guide", "tutorial", "changelog", "pres",
		"event", "case studie", "case study", "shop", "store", "forum", "wiki", "help center", "knowledge base", "release note", "api doc",
		"api reference", "recipe", "manual", "handbook", "podcast", "webinar", "glossary", "about":
		return true
	}
	return name == "news"
}

// isKnown reports whether a name that is introduced is that of a section that many
// sites have.
func isKnown(name string) bool {
	switch strings.TrimSuffix(name, "s") {
	case "help", "support", "api", "reference", "customer", "article", "post", "learn", "resource", "community", "team", "legal", "feature",
		"integration", "solution", "service", "example", "project", "paper", "publication", "download", "academy", "course", "lesson", "video",
		"pdf", "comment", "archive", "tag", "category", "categorie", "author", "gallery", "gallerie", "photo", "review", "contact", "login",
		"admin", "account", "cart", "checkout", "privacy", "term", "imprint", "magazine", "newsletter", "story", "storie", "partner", "investor",
		"training", "library", "research", "report", "whitepaper", "catalog", "collection", "location", "testimonial", "roadmap", "statu",
		"security", "member", "profile", "feed", "calendar", "privacy policy", "terms of service", "getting started", "user guide", "quickstart",
		"impressum", "datenschutz", "karriere", "presse", "produkte", "noticia", "producto", "produit", "hilfe", "ayuda":
		return true
	}
	return isSection(name)
}

// isMarker reports whether a word says that what is before it may be a section.
func isMarker(word string) bool {
	switch word {
	case "page", "pages", "post", "posts", "article", "articles", "entries", "seite", "seiten", "páginas", "página", "files", "file":
		return true
	}
	return false
}

// isStrongMarker reports whether a word says that another one is the name of a
// section, whatever that is.
func isStrongMarker(word string) bool {
	switch word {
	case "section", "sections", "area", "areas", "directory", "folder", "folders", "subfolder", "bereich", "abschnitt", "sección", "rubrique":
		return true
	}
	return false
}

// isOrder reports whether a part of a list says what to do, so that the list ended
// before it.
func isOrder(item string) bool {
	first, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(item)), " ")
	switch first {
	case "be", "please", "go", "wait", "use", "take", "keep", "make", "stop", "start", "return", "extract", "collect", "get", "crawl", "scrape",
		"visit", "read", "fetch", "find", "follow", "then", "give", "show", "limit", "try", "stay", "respect", "do", "save", "tell":
		return true
	}
	return false
}

// trimOrder takes the words off the beginning that only say that something is to
// be crawled.
func trimOrder(words []string) []string {
	for len(words) > 0 && (isFiller(words[0]) || isRequest(words[0])) && !isMarker(words[0]) && !isStrongMarker(words[0]) {
		words = words[1:]
	}
	return words
}

func isRequest(word string) bool {
	switch word {
	case "i", "we", "you", "me", "want", "need", "would", "should", "can", "could", "crawl", "crawling", "scrape", "scraping", "get", "fetch", "collect",
		"download", "find", "give", "show", "index", "visit", "read", "extract", "grab", "go", "through", "then", "use", "follow", "have", "do", "to",
		"rastrea", "explore", "crawle", "include", "it", "them", "link", "links", "url", "urls", "address", "addresses":
		return true
	}
	return false
}

// isFiller reports whether a word holds a prompt together and says nothing else.
func isFiller(word string) bool {
	switch word {
	case "", "a", "an", "the", "and", "or", "of", "on", "in", "from", "its", "their", "this", "that", "these", "those", "all", "any", "every", "each",
		"please", "my", "our", "site", "site's", "website", "domain", "web", "content", "contents", "under", "below", "within", "inside", "only", "just",
		"company", "company's", "etc", "bitte", "der", "die", "das", "den", "dem", "des", "und", "von", "auf", "im", "el", "la", "los", "las", "del", "de",
		"y", "por", "favor", "le", "les", "du", "et":
		return true
	}
	return false
}

// besidePath reports whether a word beside a path does not change what is said of
// it.
func besidePath(word string) bool {
	switch word {
	case "everything", "anything", "url", "urls", "path", "paths", "address", "addresses", "whose", "beneath", "containing", "contain", "contains", "matching",
		"match", "starting", "beginning", "with", "unter", "sous", "bajo", "subpages":
		return true
	}
	return isFiller(word) || isRequest(word) || isMarker(word) || isStrongMarker(word)
}

// isBlank reports whether a text says nothing by itself.
func isBlank(text string) bool {
	for word := range strings.FieldsSeq(text) {
		word = strings.ToLower(strings.Trim(word, `.,:;!?"'()`))
		switch word {
		case "everything", "anything", "url", "urls", "path", "paths", "links", "part", "parts", "stop", "limit", "with", "so", "up", "as", "well", "too", "also", "there", "for", "by", "is", "are", "be", "page", "pages":
			continue
		}
		if !isFiller(word) && !isRequest(word) && !isStrongMarker(word) {
			return false
		}
	}
	return true
}
