package layout

// Page is what is drawn on a page, as its reader sees it: turned upright,
// measured in points from the top left corner, y growing downwards.
type Page struct {
	Number        int // from 1
	Width, Height float32
	Glyphs        []Glyph // in the order in which they are drawn
	Fonts         []Font
	Rules         []Box // horizontal and vertical lines, whether stroked or filled; thin boxes
	Fills         []Box // filled areas that are no lines, such as the shading of a cell
	Pictures      []Box // images
	Links         []Link
	Root          *Element // of the structure tree; nil if the page has none
	Recognised    bool     // by OCR
	Repeats       bool     // it is in the file once, and was read before in another place
	Cut           bool     // it has more characters, links or fields than were read
}

// Box is a rectangle.
type Box struct{ Left, Top, Right, Bottom float32 }

// Glyph is a character that is drawn. Its box is as wide as its advance and as
// high as the font, so that neighbours in a word touch.
type Glyph struct {
	Box
	Rune       rune
	X, Y       float32 // where it stands on its baseline
	Size       float32 // of the font, in points on the page
	Font       uint16  // index in Fonts
	Turn       uint8   // quarter turns, clockwise, that its line is turned against the page
	Mark       int32   // id of the marked content that it belongs to; -1 for none
	Generated  bool    // a space or line end that is not drawn but follows from the distances
	Hidden     bool    // not painted, as in the text behind a scanned page
	Confidence uint8   // of the recognition, in percent
}

// Font is a font of a page.
type Font struct {
	Name                      string
	Bold, Italic, Mono, Serif bool
}

// Link is an area that leads to an address.
type Link struct {
	Box
	URI string
}

// Element is an element of the structure tree of a page.
type Element struct {
	Type              string // P, H1, Table, TR, TD, L, LI, Lbl, LBody, Figure, Span, Link, Artifact …
	Alt, Actual, Lang string
	Columns, Rows     int     // that a cell spans
	Marks             []int32 // ids of its own marked content, in order
	Children          []*Element
}
