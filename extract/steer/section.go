package steer

import (
	"net/url"
	"regexp"
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
		`includ(?:e|ing)|under|below|beneath|start(?:ing)?\s+with|begin(?:ning)?\s+with|unter|sous|bajo))(?:\s+|:\s*|$)`)

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
		rest = append(rest, r.clause(clause))
	}
	r.text = strings.Join(rest, " ; ")
}

// clause reads the lists of a clause and returns what is not understood of them.
func (r *reader) clause(clause string) string {
	var rest []string
	mode, intro, last := mentioned, "", 0
	for _, at := range introduced.FindAllStringSubmatchIndex(clause, -1) {
		rest = append(rest, r.list(clause[last:at[0]], mode, intro))
		last, mode, intro = at[1], wanted, clause[at[0]:at[1]]
		if at[2] >= 0 {
			mode = unwanted
		}
	}
	rest = append(rest, r.list(clause[last:], mode, intro))
	return strings.Join(rest, " ; ")
}

// list reads a list of sections. What it does not understand it returns with the
// words that introduced it, for by itself it could mean the opposite.
func (r *reader) list(text string, mode int, intro string) string {
	var rest []string
	anywhere := strings.Contains(strings.ToLower(text), "contain")
	for i, item := range listMark.Split(text, -1) {
		if i > 0 && isOrder(item) { // "without the blog, and be gentle"
			mode = mentioned
		}
		if r.item(item, mode, anywhere) {
			continue
		}
		// "blog posts from last year": the section is clear, the rest is not.
		if at := qualified.FindStringIndex(item); at != nil && mode != unwanted && r.item(item[:at[0]], mentioned, false) {
			item = item[at[0]:]
		}
		if item = strings.TrimSpace(item); item != "" {
			rest = append(rest, item)
		}
	}
	if len(rest) == 0 {
		return ""
	}
	if mode != unwanted {
		intro = ""
	}
	return strings.TrimSpace(intro + " " + strings.Join(rest, ", "))
}

// item reads one of a list: paths, or the name of a section. It understands all
// of it or nothing. A path that may be anywhere need not be at the beginning.
func (r *reader) item(text string, mode int, anywhere bool) bool {
	var words, patterns, names []string
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, "\"'`“”‘’«»()[]<>,:.!")
		if path := r.path(word); path != "" {
			pattern := pathPattern(path)
			if pattern == "" {
				return false
			}
			if anywhere {
				pattern = strings.TrimPrefix(pattern, "^")
			}
			patterns, names = append(patterns, pattern), append(names, path)
		} else if word != "" {
			words = append(words, strings.ToLower(word))
		}
	}
	if len(patterns) == 0 {
		pattern, name := sectionPattern(words, mode)
		if pattern == "" {
			return false
		}
		patterns, names = []string{pattern}, []string{name}
	}
	for i, pattern := range patterns {
		if !r.add(pattern, names[i], mode) {
			return false
		}
	}
	return true
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
	for _, known := range *list {
		if known == pattern {
			return true
		}
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

// sectionPattern returns an expression that finds a section as a part of the
// path, and its name. Words that nothing introduces must say that they are one,
// or name one that many sites have; of other names one word may be enough.
func sectionPattern(words []string, mode int) (pattern, name string) {
	var kept []string
	marked := false
	for _, word := range words {
		switch {
		case isMarker(word):
			marked = true
		case !isFiller(word):
			kept = append(kept, word)
		}
	}
	if len(kept) == 0 && marked && len(words) > 0 && isSection(words[len(words)-1]) {
		kept = words[len(words)-1:] // "the articles"
	}
	if len(kept) == 2 && kept[0] == "about" && kept[1] == "us" {
		kept = kept[:1]
	}
	if len(kept) == 0 || len(kept) > 3 {
		return "", ""
	}
	for _, word := range kept {
		if !isName(word) || word == "about" && len(kept) > 1 {
			return "", ""
		}
	}
	name = strings.Join(kept, " ")
	if sure := isSection(name) || marked && len(kept) == 1; !sure && (mode == mentioned || !marked && len(kept) > 1) {
		return "", ""
	}
	if name == "pdf" || name == "pdfs" {
		return `\.[pP][dD][fF]$`, "PDF files"
	}
	return "(^|/)" + variants(kept) + "(/|$)", "the section " + name
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
	switch word {
	case "recent", "new", "newest", "latest", "relevant", "important", "public", "english", "german", "french", "spanish", "old", "older",
		"popular", "useful", "interesting", "top", "internal", "html", "duplicate", "duplicates", "related", "similar", "broken", "big", "small",
		"whole", "entire", "complete", "full", "many", "much", "few", "more", "most", "less", "unnecessary", "irrelevant", "everything", "anything",
		"something", "external", "other", "others", "else", "same", "twice", "again", "fast", "quickly", "main", "good", "best", "stuff", "things",
		"about", "with", "that", "which", "where", "containing", "mentioning", "written", "than", "after", "before", "since", "non":
		return word == "about"
	}
	return true
}

// isSection reports whether a name is that of a section that many sites have.
func isSection(name string) bool {
	switch strings.TrimSuffix(name, "s") {
	case "blog", "doc", "documentation", "new", "product", "career", "job", "about", "pricing", "help", "support", "faq", "api", "guide",
		"tutorial", "reference", "changelog", "pres", "press", "event", "case studie", "case study", "customer", "article", "post", "learn",
		"resource", "shop", "store", "forum", "community", "wiki", "team", "legal", "help center", "knowledge base", "release note", "api doc",
		"api reference", "blog post", "feature", "integration", "solution", "service", "example", "recipe", "project", "paper", "publication",
		"download", "manual", "handbook", "academy", "course", "lesson", "podcast", "video", "webinar", "glossary", "pdf":
		return name != "new"
	}
	return false
}

// isMarker reports whether a word says that what is before it is a section.
func isMarker(word string) bool {
	switch word {
	case "page", "pages", "section", "sections", "area", "areas", "part", "parts", "post", "posts", "article", "articles", "directory",
		"folder", "folders", "entries", "seite", "seiten", "bereich", "abschnitt", "sección", "páginas", "página", "rubrique", "files", "file":
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

// isFiller reports whether a word holds a prompt together and says nothing else.
func isFiller(word string) bool {
	switch word {
	case "", "a", "an", "the", "and", "or", "but", "of", "on", "in", "at", "to", "from", "for", "by", "is", "are", "be", "it", "its", "them", "their",
		"this", "that", "these", "those", "all", "any", "every", "each", "also", "then", "please", "me", "i", "we", "you", "my", "our", "want",
		"need", "would", "like", "can", "could", "should", "do", "not", "crawl", "crawling", "scrape", "scraping", "get", "fetch", "collect", "download", "find",
		"give", "show", "index", "visit", "read", "extract", "grab", "go", "through", "site", "website", "domain", "web", "content", "contents",
		"page", "pages", "section", "sections", "part", "parts", "area", "areas", "path", "paths", "url", "urls", "under", "below", "within", "inside", "with",
		"have", "there", "too", "as", "well", "so", "up", "only", "just", "include", "including", "limit", "use", "follow", "links", "stop", "ignore", "starting", "start", "company", "company's",
		"nothing", "else", "etc", "bitte", "der", "die", "das", "den", "dem", "des", "und", "von", "auf", "im", "seite", "seiten", "bereich", "el", "la", "los", "las", "del", "de", "y", "por", "favor",
		"le", "les", "du", "et", "rastrea", "explore", "crawle":
		return true
	}
	return isMarker(word)
}
