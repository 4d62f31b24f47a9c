package tree

import (
	"encoding/base64"
	"strings"
)

// MaxPicture is how many bytes a picture may have that is embedded.
const MaxPicture = 1 << 20

// maxPictures is how many bytes all pictures of a document may have.
const maxPictures = 8 << 20

// Pictures embeds the pictures of a document as data URIs, within bounds.
type Pictures struct {
	used  int
	known map[string]string // by the name of their part
}

// Embed returns a picture as a data URI: "" if it is none that browsers show, or if
// it is too large or there were too many before.
func (p *Pictures) Embed(body []byte) string {
	kind := pictureType(body)
	if kind == "" || len(body) > MaxPicture || !p.Take(len(body)) {
		return ""
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(body)
}

// EmbedPart embeds a part of an archive. What is shown twice is read once.
func (p *Pictures) EmbedPart(name string, read func(name string) ([]byte, error)) string {
	if uri, ok := p.known[name]; ok {
		if !p.Take(len(uri) * 3 / 4) {
			return ""
		}
		return uri
	}
	uri := ""
	if body, err := read(name); err == nil {
		uri = p.Embed(body)
	}
	if p.known == nil {
		p.known = map[string]string{}
	}
	p.known[name] = uri
	return uri
}

// Take counts bytes that pictures bring along, and tells whether there was room.
func (p *Pictures) Take(n int) bool {
	if n > maxPictures-p.used {
		return false
	}
	p.used += n
	return true
}

// pictureType tells pictures that browsers show by their first bytes.
func pictureType(body []byte) string {
	head := string(body[:min(len(body), 1024)])
	for _, known := range [...]struct{ magic, kind string }{
		{"\x89PNG\r\n\x1a\n", "image/png"}, {"\xff\xd8\xff", "image/jpeg"}, {"GIF8", "image/gif"}, {"BM", "image/bmp"},
	} {
		if strings.HasPrefix(head, known.magic) {
			return known.kind
		}
	}
	switch {
	case strings.HasPrefix(head, "RIFF") && strings.HasPrefix(head[min(len(head), 8):], "WEBP"):
		return "image/webp"
	case strings.HasPrefix(strings.TrimLeft(head, "\ufeff \t\r\n"), "<") && strings.Contains(head, "<svg"):
		return "image/svg+xml"
	}
	return ""
}
