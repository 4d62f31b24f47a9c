package rtf

import (
	"encoding/base64"

	"github.com/trawlhq/trawl/document/tree"
)

// picture is a picture while it is read.
type picture struct {
	kind  string // of media; empty for what browsers do not show
	data  []byte
	half  bool // a digit has come, and the second not yet
	digit byte
	large bool
	shape *shape
}

// startPicture begins a picture, unless it is but the filling of a drawing.
func (r *reader) startPicture() {
	s := &r.state
	if s.into == intoShape && s.shape != nil && s.shape.name != "pib" || s.hidden || s.deleted || s.into == intoCapture {
		s.into = intoNothing
		return
	}
	alt := ""
	if s.shape != nil {
		alt = s.shape.alt
	}
	s.into = intoPicture
	s.picture = &picture{shape: &shape{alt: alt}}
}

func (p *picture) word(t *token) {
	switch string(t.name) {
	case "pngblip":
		p.kind = "image/png"
	case "jpegblip":
		p.kind = "image/jpeg"
	}
}

// hex takes data as digits.
func (p *picture) hex(b []byte) {
	if p.kind == "" || p.large {
		return
	}
	for _, c := range b {
		digit, ok := hexDigit(c)
		if !ok {
			continue
		}
		if p.half {
			p.data = append(p.data, p.digit<<4|digit)
		}
		p.digit, p.half = digit, !p.half
		if len(p.data) > maxImage {
			p.large, p.data = true, nil
			return
		}
	}
}

// bytes takes data as it is.
func (p *picture) bytes(b []byte) {
	if len(p.data)+len(b) > maxImage {
		p.large, p.data = true, nil
	}
	if !p.large {
		p.data = append(p.data, b...)
	}
}

// endPicture puts the picture into the text.
func (r *reader) endPicture(ended *state) {
	p := ended.picture
	image := &tree.Image{Alt: p.shape.alt}
	if p.kind != "" && len(p.data) > 0 && r.images+len(p.data) <= maxImages {
		r.images += len(p.data)
		image.Source = "data:" + p.kind + ";base64," + base64.StdEncoding.EncodeToString(p.data)
	}
	span := tree.Span{Image: image, Link: ended.link}
	switch {
	case image.Source == "" && image.Alt == "":
	case ended.shape != nil: // it stands beside the text
		ended.flow.aside([]tree.Block{&tree.Paragraph{Text: []tree.Span{span}}})
	default:
		ended.flow.add(span)
	}
}
