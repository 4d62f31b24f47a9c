package dom

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// isForeignStart reports whether the rules for foreign content apply to the
// current start tag.
func (p *parser) isForeignStart() bool {
	top := p.top()
	if top.Space == HTML {
		return false
	}
	switch top.tag {
	case tagTextPoint:
		return p.tok.name == "mglyph" || p.tok.name == "malignmark"
	case tagAnnotation:
		return p.tok.tag != tagSvg
	}
	return !isPoint(top)
}

// isForeignText reports whether the rules for foreign content apply to text.
func (p *parser) isForeignText() bool {
	top := p.top()
	return top.Space != HTML && top.tag != tagTextPoint && !isPoint(top)
}

// isPoint reports whether n is an HTML integration point.
func isPoint(n *Node) bool { return n.tag == tagHTMLPoint || n.tag == tagAnnotationHTML }

func (p *parser) textInForeign(s string) {
	p.insertText(p.plain(s))
	if !p.noFrameset && strings.Trim(s, " \n\t\f\x00") != "" {
		p.noFrameset = true
	}
}

func (p *parser) startInForeign() bool {
	if kinds[p.tok.tag].flags&breakout != 0 || p.isStyledFont() {
		p.leaveForeign()
		return p.startIn(p.mode)
	}
	p.insertForeign(p.top().Space)
	return true
}

// isStyledFont reports whether the current tag is a font element of HTML's kind.
func (p *parser) isStyledFont() bool {
	return p.tok.tag == tagFont && (hasKey(p.tok.attr, "color") || hasKey(p.tok.attr, "face") || hasKey(p.tok.attr, "size"))
}

// leaveForeign closes foreign elements back to where HTML is allowed.
func (p *parser) leaveForeign() {
	for top := p.top(); top.Space != HTML && top.tag != tagTextPoint && !isPoint(top); top = p.top() {
		p.pop()
	}
}

// endInForeign has the rules for end tags in foreign content. It reports false
// if the rules of the current mode apply.
func (p *parser) endInForeign() bool {
	if p.tok.tag == tagBr || p.tok.tag == tagP {
		p.leaveForeign()
		return false
	}
	for i := len(p.open) - 1; i > 0; i-- {
		n := p.open[i]
		if n.Space == HTML {
			return false
		}
		if equalLower(n.Data, p.tok.name) {
			p.popTo(i)
			return true
		}
	}
	return false
}

// insertForeign inserts a foreign element for the current tag and opens it.
func (p *parser) insertForeign(space Namespace) {
	switch space {
	case SVG:
		if name, ok := svgNames[p.tok.name]; ok {
			p.tok.name, p.tok.atom = name, atom.Lookup([]byte(name))
		}
		renameAttributes(p.tok.attr, svgAttributes)
	case MathML:
		renameAttributes(p.tok.attr, mathAttributes)
	}
	n := p.newElement()
	n.Space = space
	n.tag = foreignTag(n)
	p.place(n)
	if !p.tok.selfClosing {
		p.push(n)
	}
}

// foreignTag returns the tag of a foreign element.
func foreignTag(n *Node) tag {
	if n.Space == SVG {
		switch n.Data {
		case "foreignObject", "desc", "title":
			return tagHTMLPoint
		}
		return tagForeign
	}
	switch n.Data {
	case "mi", "mo", "mn", "ms", "mtext":
		return tagTextPoint
	case "annotation-xml":
		encoding := n.Get("encoding")
		if strings.EqualFold(encoding, "text/html") || strings.EqualFold(encoding, "application/xhtml+xml") {
			return tagAnnotationHTML
		}
		return tagAnnotation
	}
	return tagForeign
}

func renameAttributes(attrs []Attribute, names map[string]string) {
	for i := range attrs {
		if name, ok := names[attrs[i].Key]; ok {
			attrs[i].Key = name
		}
	}
}

// svgNames are the names of SVG's elements that are not in lower case.
var svgNames = byLower(
	"altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform", "clipPath",
	"feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting",
	"feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR",
	"feGaussianBlur", "feImage", "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight",
	"feSpecularLighting", "feSpotLight", "feTile", "feTurbulence", "foreignObject", "glyphRef", "linearGradient",
	"radialGradient", "textPath",
)

// svgAttributes are the names of SVG's attributes that are not in lower case.
var svgAttributes = byLower(
	"attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode", "clipPathUnits", "diffuseConstant",
	"edgeMode", "filterUnits", "glyphRef", "gradientTransform", "gradientUnits", "kernelMatrix", "kernelUnitLength",
	"keyPoints", "keySplines", "keyTimes", "lengthAdjust", "limitingConeAngle", "markerHeight", "markerUnits",
	"markerWidth", "maskContentUnits", "maskUnits", "numOctaves", "pathLength", "patternContentUnits",
	"patternTransform", "patternUnits", "pointsAtX", "pointsAtY", "pointsAtZ", "preserveAlpha", "preserveAspectRatio",
	"primitiveUnits", "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions", "requiredFeatures",
	"specularConstant", "specularExponent", "spreadMethod", "startOffset", "stdDeviation", "stitchTiles",
	"surfaceScale", "systemLanguage", "tableValues", "targetX", "targetY", "textLength", "viewBox", "viewTarget",
	"xChannelSelector", "yChannelSelector", "zoomAndPan",
)

var mathAttributes = byLower("definitionURL")

func byLower(names ...string) map[string]string {
	m := make(map[string]string, len(names))
	for _, name := range names {
		m[strings.ToLower(name)] = name
	}
	return m
}
