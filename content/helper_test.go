package content_test

import "github.com/trawlhq/trawl/content"

// asMarkdown and asHTML select from a page and write the selection. What is too
// costly to select is nothing.
func asMarkdown(p *content.Page, o content.Options) string {
	s, err := p.Select(o)
	if err != nil {
		return ""
	}
	return s.Markdown()
}

func asHTML(p *content.Page, o content.Options) string {
	s, err := p.Select(o)
	if err != nil {
		return ""
	}
	return s.HTML()
}
