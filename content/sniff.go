package content

import (
	"encoding/json"
	"strings"

	"github.com/trawlhq/trawl/content/chars"
)

// kind is what a body turned out to be.
type kind int

const (
	kindText kind = iota
	kindHTML
	kindXHTML
	kindFeed
	kindJSON
	kindXML
)

// sniff decides what a text is. The declared type counts unless it is missing
// or the text contradicts it in its first bytes.
func sniff(text, contentType string) kind {
	media, _, _ := strings.Cut(contentType, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	start := strings.TrimLeft(text, " \t\r\n\f")
	switch {
	case startsAsHTML(start):
		if strings.HasSuffix(media, "xml") {
			return kindXHTML
		}
		return kindHTML
	case media == "text/html":
		switch {
		case isFeed(start):
			return kindFeed
		case isJSON(start):
			return kindJSON
		}
		return kindHTML
	case media == "application/xhtml+xml":
		return kindXHTML
	case media == "application/json", strings.HasSuffix(media, "+json"), media == "text/json":
		return kindJSON
	case media == "application/xml", media == "text/xml", strings.HasSuffix(media, "+xml"):
		return sniffXML(start)
	case media == "", media == "application/octet-stream", !strings.Contains(media, "/"):
		return sniffUnknown(start)
	}
	return kindText
}

// sniffUnknown decides by the text alone.
func sniffUnknown(start string) kind {
	switch {
	case chars.HasPrefixFold(start, "<?xml"):
		return sniffXML(start)
	case isJSON(start):
		return kindJSON
	case len(start) > 1 && start[0] == '<' && (chars.IsLetter(start[1]) || start[1] == '!'):
		return kindHTML
	}
	return kindText
}

// startsAsHTML reports whether the text opens like an HTML document, leading
// comments and an XML declaration aside.
func startsAsHTML(start string) bool {
	start = skipProlog(start)
	for _, sign := range []string{"<!doctype html", "<html", "<head", "<body"} {
		if chars.HasPrefixFold(start, sign) && endsName(start[len(sign):]) {
			return true
		}
	}
	return false
}

// sniffXML tells feeds from other XML.
func sniffXML(start string) kind {
	if isFeed(start) {
		return kindFeed
	}
	return kindXML
}

// isFeed tells a feed by its first element.
func isFeed(start string) bool {
	start = skipProlog(start)
	for _, root := range []string{"<rss", "<feed", "<rdf:rdf", "<atom:feed"} {
		if chars.HasPrefixFold(start, root) && endsName(start[len(root):]) {
			return true
		}
	}
	return false
}

// skipProlog skips white space, comments, processing instructions and any
// document type but HTML's.
func skipProlog(s string) string {
	for {
		s = strings.TrimLeft(s, " \t\r\n\f")
		end := ""
		switch {
		case strings.HasPrefix(s, "<!--"):
			end = "-->"
		case strings.HasPrefix(s, "<?"):
			end = ">"
		case chars.HasPrefixFold(s, "<!doctype") && !chars.HasPrefixFold(s, "<!doctype html"):
			end = ">"
		default:
			return s
		}
		i := strings.Index(s, end)
		if i < 0 {
			return ""
		}
		s = s[i+len(end):]
	}
}

func isJSON(start string) bool {
	return start != "" && (start[0] == '{' || start[0] == '[') && json.Valid([]byte(start))
}

// endsName reports whether a tag's name is over at the start of s.
func endsName(s string) bool {
	return s == "" || chars.IsSpace(s[0]) || s[0] == '>' || s[0] == '/'
}
