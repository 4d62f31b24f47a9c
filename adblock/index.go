package adblock

import "strings"

// table finds the rules that may meet a request without trying them all. Each
// rule is kept in one place: under the host it covers; else under the rarest
// word that every address it meets must contain; else under the pages it is
// limited to; else in the rest, which is tried every time.
type table struct {
	hosts multimap[string, rule]
	words multimap[uint32, rule]
	pages pageIndex
	rest  []rule
	whole int // rules that cover a whole host
}

func newTable(rules []rule) table {
	var (
		t     table
		hosts []pair[string, rule]
		words []pair[uint32, rule]
		pages pagePairs
	)
	count := countWords(rules)
	for i := range rules {
		u := &rules[i]
		if host, ok := u.wholeHost(); ok {
			hosts = append(hosts, pair[string, rule]{host, *u})
			if u.types == anyType {
				t.whole++
			}
			continue
		}
		if word, ok := u.rarest(count); ok {
			words = append(words, pair[uint32, rule]{word, *u})
			continue
		}
		if u.limit == nil || len(u.limit.pages.in) == 0 {
			t.rest = append(t.rest, *u)
			continue
		}
		pages.add(*u)
	}
	t.hosts, t.words, t.pages = group(hosts), group(words), pages.index()
	return t
}

// coversHost reports whether a rule blocks all that the host of a request has.
func (t *table) coversHost(r *request) bool {
	for s := r.host.name; s != ""; s = parent(s) {
		found := t.hosts.get(s)
		for i := range found {
			if u := &found[i]; u.types == anyType && u.applies(r) {
				return true
			}
		}
	}
	return false
}

// match reports whether a rule meets the request.
func (t *table) match(r *request) bool {
	for s := r.host.name; s != ""; s = parent(s) {
		found := t.hosts.get(s)
		for i := range found {
			if u := &found[i]; u.types&r.kind != 0 && u.applies(r) {
				return true
			}
		}
	}
	return t.matchWords(r) || t.matchPages(r) || matchAny(t.rest, r)
}

func (t *table) matchWords(r *request) bool {
	if len(t.words.values) == 0 {
		return false
	}
	for i := 0; i < len(r.url); i++ {
		hash, end := word(r.url, i)
		if end > i {
			if matchAny(t.words.get(hash), r) {
				return true
			}
			i = end
		}
	}
	return false
}

func (t *table) matchPages(r *request) bool {
	for s := r.page.name; s != ""; s = parent(s) {
		exact, wild := t.pages.at(s)
		if matchEach(exact, r) || matchEach(wild, r) {
			return true
		}
	}
	return false
}

func matchAny(rules []rule, r *request) bool {
	for i := range rules {
		if rules[i].match(r) {
			return true
		}
	}
	return false
}

func matchEach(rules []*rule, r *request) bool {
	for _, u := range rules {
		if u.match(r) {
			return true
		}
	}
	return false
}

// word returns the hash of the word that begins at i and where it ends. Words
// are runs of letters, digits and %, none of which a separator stands for. The
// hash does not see case, for rules that do are kept with the others.
func word(s string, i int) (hash uint32, end int) {
	hash = 2166136261 // FNV-1a
	for end = i; end < len(s); end++ {
		c := s[end]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '%' {
			break
		}
		hash = (hash ^ uint32(c)) * 16777619
	}
	return hash, end
}

// words calls yield for each word that stands whole in every address the rule
// meets: one at an open end of the pattern or beside a star may be part of a
// longer one.
func (u *rule) words(yield func(uint32)) {
	if u.limit != nil && u.limit.regex != nil {
		return
	}
	for i := 0; i < len(u.text); i++ {
		hash, end := word(u.text, i)
		if end == i {
			continue
		}
		closedLeft := i > 0 && u.text[i-1] != '*' || i == 0 && u.flags&(hostAnchor|startAnchor) != 0
		closedRight := end < len(u.text) && u.text[end] != '*' || end == len(u.text) && u.flags&endAnchor != 0
		if closedLeft && closedRight {
			yield(hash)
		}
		i = end
	}
}

// countWords counts the words of all rules. Those that nearly every address
// contains count as frequent from the start.
func countWords(rules []rule) map[uint32]int {
	count := make(map[uint32]int, len(rules)/4)
	for _, s := range []string{"http", "https", "www", "com"} {
		hash, _ := word(s, 0)
		count[hash] = 1 << 30
	}
	for i := range rules {
		if _, ok := rules[i].wholeHost(); !ok {
			rules[i].words(func(hash uint32) { count[hash]++ })
		}
	}
	return count
}

// rarest returns the word of the rule that the fewest rules share.
func (u *rule) rarest(count map[uint32]int) (best uint32, ok bool) {
	u.words(func(hash uint32) {
		if !ok || count[hash] < count[best] {
			best, ok = hash, true
		}
	})
	return best, ok
}

// pageIndex finds rules by the pages they are limited to.
type pageIndex struct {
	exact multimap[string, *rule]
	wild  multimap[string, *rule] // of "www.example.*", under "example"
}

// at returns the rules that may be about a page of which s is the name or the
// end of it.
func (x *pageIndex) at(s string) (exact, wild []*rule) {
	if len(x.wild.values) > 0 {
		label, _, _ := strings.Cut(s, ".")
		wild = x.wild.get(label)
	}
	return x.exact.get(s), wild
}

// pagePairs gathers what a pageIndex is made of.
type pagePairs struct{ exact, wild []pair[string, *rule] }

// add takes a rule that is limited to pages.
func (p *pagePairs) add(u rule) {
	for _, page := range u.limit.pages.in {
		if site, ok := strings.CutSuffix(page, ".*"); ok {
			label := site[strings.LastIndexByte(site, '.')+1:]
			p.wild = append(p.wild, pair[string, *rule]{label, &u})
		} else {
			p.exact = append(p.exact, pair[string, *rule]{page, &u})
		}
	}
}

func (p *pagePairs) index() pageIndex { return pageIndex{group(p.exact), group(p.wild)} }

// spared holds the exceptions as BlocksHost sees them: an exception for a part
// of a host, or for one kind of request, spares the host as a whole. The text
// of its rules is the host alone, empty if an exception is for any.
type spared struct {
	hosts multimap[string, rule]
	pages pageIndex
}

func newSpared(exceptions []rule) spared {
	var (
		hosts []pair[string, rule]
		pages pagePairs
	)
	for _, u := range exceptions {
		host, named := u.namedHost()
		u.text = host
		if u.limit != nil && len(u.limit.pages.in) > 0 {
			pages.add(u)
		} else if named {
			hosts = append(hosts, pair[string, rule]{host, u})
		}
	}
	return spared{group(hosts), pages.index()}
}

func (s *spared) has(r *request) bool {
	for h := r.host.name; h != ""; h = parent(h) {
		found := s.hosts.get(h)
		for i := range found {
			if found[i].applies(r) {
				return true
			}
		}
	}
	for p := r.page.name; p != ""; p = parent(p) {
		exact, wild := s.pages.at(p)
		if sparesAny(exact, r) || sparesAny(wild, r) {
			return true
		}
	}
	return false
}

// sparesAny reports whether one of the rules is for the host of a request.
func sparesAny(rules []*rule, r *request) bool {
	for _, u := range rules {
		if (u.text == "" || within(r.host.name, u.text)) && u.applies(r) {
			return true
		}
	}
	return false
}

// multimap keeps all values in one slice, those of a key side by side: lists
// have many keys with few values each.
type multimap[K comparable, V any] struct {
	spans  map[K]span
	values []V
}

type span struct{ start, end uint32 }

type pair[K comparable, V any] struct {
	key   K
	value V
}

func group[K comparable, V any](pairs []pair[K, V]) multimap[K, V] {
	size := make(map[K]uint32, len(pairs))
	for i := range pairs {
		size[pairs[i].key]++
	}
	m := multimap[K, V]{spans: make(map[K]span, len(size)), values: make([]V, len(pairs))}
	next := uint32(0)
	for i := range pairs {
		p := &pairs[i]
		s, ok := m.spans[p.key]
		if !ok {
			s = span{next, next}
			next += size[p.key]
		}
		m.values[s.end] = p.value
		s.end++
		m.spans[p.key] = s
	}
	return m
}

func (m *multimap[K, V]) get(key K) []V {
	s, ok := m.spans[key]
	if !ok {
		return nil
	}
	return m.values[s.start:s.end]
}
