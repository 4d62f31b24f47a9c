package dom

import "strings"

// readComment reads what begins with "<!--".
func (p *parser) readComment() {
	start := p.pos + 4
	rest := p.src[start:]
	switch {
	case strings.HasPrefix(rest, ">"):
		p.pos = start + 1
		p.comment("")
		return
	case strings.HasPrefix(rest, "->"):
		p.pos = start + 2
		p.comment("")
		return
	}
	for i := 0; ; i++ {
		n := strings.Index(rest[i:], "--")
		if n < 0 {
			break
		}
		i += n
		switch after := rest[i+2:]; {
		case strings.HasPrefix(after, ">"):
			p.pos = start + i + 3
			p.comment(rest[:i])
			return
		case strings.HasPrefix(after, "!>"):
			p.pos = start + i + 4
			p.comment(rest[:i])
			return
		}
	}
	p.pos = len(p.src)
	for _, end := range []string{"--!", "--", "-"} {
		if text, ok := strings.CutSuffix(rest, end); ok {
			rest = text
			break
		}
	}
	p.comment(rest)
}

// bogusComment reads a comment that begins at i and ends at the next ">".
func (p *parser) bogusComment(i int) {
	text, rest, _ := strings.Cut(p.src[i:], ">")
	p.pos = len(p.src) - len(rest)
	p.comment(text)
}

// readDoctype reads what begins with "<!doctype".
func (p *parser) readDoctype() {
	d := doctype{rest: p.src[p.pos+len("<!doctype"):]}
	d.read()
	p.pos = len(p.src) - len(d.rest)
	if p.mode != initial || p.top().Space != HTML {
		return
	}
	p.quirks = d.quirks()
	n := p.tree.New(DoctypeNode, 0, p.plain(strings.ToLower(d.name)))
	for _, id := range []Attribute{{"public", d.public}, {"system", d.system}} {
		if id.Val != "" {
			n.Attr = append(n.Attr, Attribute{id.Key, p.plain(id.Val)})
		}
	}
	p.tree.Root.AppendChild(n)
	p.mode = beforeHTML
}

// doctype reads a doctype. Identifiers that are missing differ from empty ones
// in that they can mean quirks mode.
type doctype struct {
	rest                 string
	name, public, system string
	hasSystem, broken    bool
}

func (d *doctype) read() {
	d.skipSpace()
	i := 0
	for i < len(d.rest) && d.rest[i] != '>' && classes[d.rest[i]]&isSpace == 0 {
		i++
	}
	d.name, d.rest = d.rest[:i], d.rest[i:]
	d.broken = d.name == ""
	d.skipSpace()
	if len(d.rest) >= 6 {
		switch keyword := d.rest[:6]; {
		case equalLower(keyword, "public"):
			d.rest = d.rest[6:]
			var ok bool
			if d.public, ok = d.identifier(); ok && strings.HasPrefix(strings.TrimLeft(d.rest, " \n\t\f"), ">") {
				break
			}
			if !d.broken {
				d.system, d.hasSystem = d.identifier()
			}
		case equalLower(keyword, "system"):
			d.rest = d.rest[6:]
			d.system, d.hasSystem = d.identifier()
		}
	}
	d.finish()
}

// identifier reads a quoted string.
func (d *doctype) identifier() (id string, ok bool) {
	d.skipSpace()
	if d.rest == "" || d.rest[0] != '"' && d.rest[0] != '\'' {
		d.broken = true
		return "", false
	}
	quote := d.rest[0]
	d.rest = d.rest[1:]
	i := 0
	for i < len(d.rest) && d.rest[i] != quote && d.rest[i] != '>' {
		i++
	}
	id, d.rest = d.rest[:i], d.rest[i:]
	if d.rest == "" || d.rest[0] != quote {
		d.broken = true
		return id, true
	}
	d.rest = d.rest[1:]
	return id, true
}

// finish reads up to the end. What stands behind an identifier of the system
// does not matter, other words mean quirks mode.
func (d *doctype) finish() {
	d.skipSpace()
	text, rest, closed := strings.Cut(d.rest, ">")
	if !closed || text != "" && !d.hasSystem {
		d.broken = true
	}
	d.rest = rest
}

func (d *doctype) skipSpace() {
	d.rest = d.rest[countSpace(d.rest):]
}

// quirks reports whether the doctype puts the document in quirks mode.
func (d *doctype) quirks() bool {
	if d.broken || !equalLower(d.name, "html") {
		return true
	}
	if strings.EqualFold(d.system, "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd") {
		return true
	}
	public := strings.ToLower(d.public)
	switch public {
	case "":
		return false
	case "-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html":
		return true
	}
	if !d.hasSystem && (strings.HasPrefix(public, "-//w3c//dtd html 4.01 frameset//") || strings.HasPrefix(public, "-//w3c//dtd html 4.01 transitional//")) {
		return true
	}
	for _, prefix := range quirkyDoctypes {
		if strings.HasPrefix(public, prefix) {
			return true
		}
	}
	return false
}

// quirkyDoctypes begin the public identifiers that mean quirks mode.
var quirkyDoctypes = []string{
	"+//silmaril//dtd html pro v0r11 19970101//",
	"-//as//dtd html 3.0 aswedit + extensions//",
	"-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
	"-//ietf//dtd html 2.0 level 1//",
	"-//ietf//dtd html 2.0 level 2//",
	"-//ietf//dtd html 2.0 strict level 1//",
	"-//ietf//dtd html 2.0 strict level 2//",
	"-//ietf//dtd html 2.0 strict//",
	"-//ietf//dtd html 2.0//",
	"-//ietf//dtd html 2.1e//",
	"-//ietf//dtd html 3.0//",
	"-//ietf//dtd html 3.2 final//",
	"-//ietf//dtd html 3.2//",
	"-//ietf//dtd html 3//",
	"-//ietf//dtd html level 0//",
	"-//ietf//dtd html level 1//",
	"-//ietf//dtd html level 2//",
	"-//ietf//dtd html level 3//",
	"-//ietf//dtd html strict level 0//",
	"-//ietf//dtd html strict level 1//",
	"-//ietf//dtd html strict level 2//",
	"-//ietf//dtd html strict level 3//",
	"-//ietf//dtd html strict//",
	"-//ietf//dtd html//",
	"-//metrius//dtd metrius presentational//",
	"-//microsoft//dtd internet explorer 2.0 html strict//",
	"-//microsoft//dtd internet explorer 2.0 html//",
	"-//microsoft//dtd internet explorer 2.0 tables//",
	"-//microsoft//dtd internet explorer 3.0 html strict//",
	"-//microsoft//dtd internet explorer 3.0 html//",
	"-//microsoft//dtd internet explorer 3.0 tables//",
	"-//netscape comm. corp.//dtd html//",
	"-//netscape comm. corp.//dtd strict html//",
	"-//o'reilly and associates//dtd html 2.0//",
	"-//o'reilly and associates//dtd html extended 1.0//",
	"-//o'reilly and associates//dtd html extended relaxed 1.0//",
	"-//sq//dtd html 2.0 hotmetal + extensions//",
	"-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
	"-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
	"-//spyglass//dtd html 2.0 extended//",
	"-//sun microsystems corp.//dtd hotjava html//",
	"-//sun microsystems corp.//dtd hotjava strict html//",
	"-//w3c//dtd html 3 1995-03-24//",
	"-//w3c//dtd html 3.2 draft//",
	"-//w3c//dtd html 3.2 final//",
	"-//w3c//dtd html 3.2//",
	"-//w3c//dtd html 3.2s draft//",
	"-//w3c//dtd html 4.0 frameset//",
	"-//w3c//dtd html 4.0 transitional//",
	"-//w3c//dtd html experimental 19960712//",
	"-//w3c//dtd html experimental 970421//",
	"-//w3c//dtd w3 html//",
	"-//w3o//dtd w3 html 3.0//",
	"-//webtechs//dtd mozilla html 2.0//",
	"-//webtechs//dtd mozilla html//",
}
