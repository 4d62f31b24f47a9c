package tree

import (
	"encoding/base64"
	"errors"
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
	lost  bool              // one was too large, or there were too many
}

// Embed returns a picture as a data URI: "" if it is none that browsers show, or if
// it is too large or there were too many before.
func (p *Pictures) Embed(body []byte) string {
	kind := pictureType(body)
	if kind == "" {
		return ""
	}
	if len(body) > MaxPicture {
		p.lost = true
		return ""
	}
	if !p.Take(len(body)) {
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
	body, err := read(name)
	if err == nil {
		uri = p.Embed(body)
	}
	p.lost = p.lost || errors.Is(err, ErrTooComplex)
	if p.known == nil {
		p.known = map[string]string{}
	}
	p.known[name] = uri
	return uri
}

// Take counts bytes that pictures bring along, and tells whether there was room.
func (p *Pictures) Take(n int) bool {
	if n > maxPictures-p.used {
		p.lost = true
		return false
	}
	p.used += n
	return true
}

// Leave notes that a picture was too large to be kept.
func (p *Pictures) Leave() { p.lost = true }

// Shown warns if the document has pictures that p did not take.
func (doc *Document) Shown(p *Pictures) {
	if p.lost {
		doc.Warn("Pictures of more than 1 MiB, or beyond 8 MiB in all, are left out; what describes them is kept.")
	}
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
