package rtf

import "github.com/trawlhq/trawl/document/tree"

// picture is a picture while it is read.
type picture struct {
	shown bool // by browsers
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
	case "pngblip", "jpegblip":
		p.shown = true
	}
}

// hex takes data as digits.
func (p *picture) hex(b []byte) {
	if !p.shown || p.large {
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
		if len(p.data) > tree.MaxPicture {
			p.large, p.data = true, nil
			return
		}
	}
}

// bytes takes data as it is.
func (p *picture) bytes(b []byte) {
	if len(p.data)+len(b) > tree.MaxPicture {
		p.large, p.data = true, nil
	}
	if !p.large {
		p.data = append(p.data, b...)
	}
}

// endPicture puts the picture into the text.
func (r *reader) endPicture(ended *state) {
	p := ended.picture
	if p.shown && p.large {
		r.pictures.Leave()
	}
	image := &tree.Image{Source: r.pictures.Embed(p.data), Alt: p.shape.alt}
	span := tree.Span{Image: image, Link: ended.link}
	switch {
	case image.Source == "" && image.Alt == "":
	case ended.shape != nil: // it stands beside the text
		ended.flow.aside([]tree.Block{&tree.Paragraph{Text: []tree.Span{span}}})
	default:
		ended.flow.add(span)
	}
}
