package main

import (
	"cmp"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/trawlhq/trawl/bench/score"
)

const (
	mostStarts = 10   // that are looked at
	mostPages  = 2000 // that are followed from each
)

var (
	indexPage = regexp.MustCompile(`^index(\.[a-z-]+)?\.html?$`)
	href      = regexp.MustCompile(`(?i)\shref\s*=\s*["']?([^"'#?\s>]+)`)
)

// findStart returns the index page that the crawl begins with: the shallowest one
// from which links lead to references, and of several the one that leads to most.
// A package without any starts at the first reference.
func (s *site) findStart(references []score.Reference) string {
	wanted := map[string]bool{}
	for _, r := range references {
		wanted[r.Path()] = true
	}
	links := linkCache{files: s.files, links: map[string][]string{}}
	start, most := "", 0
	for _, candidate := range s.indexPages() {
		if start != "" && depth(candidate) > depth(start) {
			break
		}
		n := 0
		for _, file := range links.reachable(candidate) {
			if wanted[file] {
				n++
			}
		}
		if n > most {
			start, most = candidate, n
		}
	}
	return cmp.Or(start, references[0].Path())
}

func depth(file string) int { return strings.Count(file, "/") }

// indexPages returns the shallowest index pages.
func (s *site) indexPages() []string {
	var list []string
	_ = fs.WalkDir(s.files.FS(), ".", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && indexPage.MatchString(entry.Name()) {
			list = append(list, file)
		}
		return nil // a folder that cannot be read has no index page
	})
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(depth(a), depth(b)), cmp.Compare(a, b))
	})
	return list[:min(mostStarts, len(list))]
}

// linkCache reads each page once, however many starts lead to it.
type linkCache struct {
	files *os.Root
	links map[string][]string
}

// reachable returns the pages that links lead to from a page, itself included.
func (c linkCache) reachable(start string) []string {
	list, seen := []string{start}, map[string]bool{start: true}
	for i := 0; i < len(list) && i < mostPages; i++ {
		for _, file := range c.read(list[i]) {
			if !seen[file] {
				seen[file] = true
				list = append(list, file)
			}
		}
	}
	return list
}

// read returns the pages that a page links to.
func (c linkCache) read(page string) []string {
	list, ok := c.links[page]
	if ok {
		return list
	}
	body, _ := c.files.ReadFile(page) // one that is not there has no links
	for _, match := range href.FindAllSubmatch(body, -1) {
		if file, ok := resolve(page, string(match[1])); ok {
			list = append(list, file)
		}
	}
	slices.Sort(list)
	c.links[page] = slices.Compact(list)
	return c.links[page]
}

// resolve returns the page of the same site that a link leads to.
func resolve(from, link string) (string, bool) {
	u, err := url.Parse(html.UnescapeString(link))
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return "", false
	}
	file := path.Join(path.Dir(from), u.Path)
	if path.IsAbs(u.Path) {
		file = path.Clean(u.Path)[1:]
	}
	if strings.HasSuffix(u.Path, "/") {
		file = path.Join(file, "index.html")
	}
	return file, isPage(file)
}
