// Package tree is the one shape that all readers of files give their documents:
// blocks of text with their inline spans, and for files that have pages, where on
// them the blocks stand. [Write] turns it into HTML, from which everything else
// is made.
//
// A tree says what things are and not how they look. Readers fill in what their
// format tells and leave out the rest: an empty block, a span without text or a
// list without items is simply not written.
//
// What readers of different formats do alike stands here too: [Line] gathers the
// spans of a paragraph, [Nest] and [LayOut] make lists and tables of what says how
// deep or how wide it is, [Margins] and [Pictures] keep to what is worth having, and
// [Document.Rank] puts headings below the title.
package tree

import "time"

// Document is a file that was read.
type Document struct {
	Info
	Body  []Block // of files that flow; empty if there are Pages
	Pages []Page  // of files whose pages are fixed
	Notes []Note  // that spans refer to, in the order of their numbers

	TotalPages int      // that the file has; len(Pages) were read. 0 where pages are not fixed
	Warnings   []string // whole sentences, for the caller: what is missing and why
}

// Info is what a file says of itself.
type Info struct {
	Title, Author, Subject, Keywords string
	Language                         string // as in HTML's lang
	Generator                        string // the program that made it
	Publisher                        string
	Created, Modified                time.Time
}

// Block is one of the kinds of blocks below: *Heading, *Paragraph, *List, *Table,
// *Code, *Quote, *Image, *Formula, *Rule, *Group.
type Block interface{ block() }

// Heading is a heading of level 1 to 6, or [Title] until [Document.Rank] is called.
type Heading struct {
	Level int
	Text  []Span
}

// Paragraph is running text.
type Paragraph struct{ Text []Span }

// List is a list. Whether an item is numbered is said by its label.
type List struct{ Items []Item }

// Item is an item of a list. Its label is the number or letter as the document
// shows it ("3.", "iv)", "1.2"), and empty for a bullet.
type Item struct {
	Label string
	Check Check
	Body  []Block
}

// Check is the box in front of an item.
type Check uint8

// Items have no box, an empty one or one that is ticked.
const (
	NoBox Check = iota
	Unchecked
	Checked
)

// Table is a table of data. Where a cell spans several columns or rows, the
// places that it covers have no cells of their own.
type Table struct {
	Caption []Span
	Header  int  // how many rows at the top are headers
	Sheet   bool // its cells are those of a spreadsheet, so that it is a table even if there is only one
	Rows    []Row
}

// Row is a row of a table.
type Row struct{ Cells []Cell }

// Cell is a cell of a table. Plain text is in Text, all else in Body.
type Cell struct {
	Text            string
	Body            []Block
	Columns, Rows   int32 // that it spans; 0 stands for 1
	Header, Numeric bool
}

// Code is text whose spaces and line ends matter.
type Code struct{ Language, Text string }

// Quote is quoted text.
type Quote struct{ Body []Block }

// Image is a picture: an address, a data URI, or nothing but what it shows.
type Image struct{ Source, Alt string }

// Formula is a formula on a line of its own.
type Formula struct{ TeX string }

// Rule is a line between two parts.
type Rule struct{}

// Group holds blocks that belong together: a header, a footer, a text box. Its
// name becomes the element: header, footer, section, aside.
type Group struct {
	Name string
	Body []Block
}

func (*Heading) block()   {}
func (*Paragraph) block() {}
func (*List) block()      {}
func (*Table) block()     {}
func (*Code) block()      {}
func (*Quote) block()     {}
func (*Image) block()     {}
func (*Formula) block()   {}
func (*Rule) block()      {}
func (*Group) block()     {}

// Style is how a span is set.
type Style uint8

// Styles of spans.
const (
	Bold Style = 1 << iota
	Italic
	Strike
	Underline
	Mono
	Super
	Sub
)

// Span is a piece of a line in one style. If it has an Image, a Note or TeX, that
// stands in place of the text. A line feed in the text is a line break.
type Span struct {
	Text  string
	Style Style
	Link  string // address, or "#name" within the document
	Image *Image
	Note  string // name of a note of the document
	TeX   string

	Anchor string // that links within the document lead to, by "#" and its name
}

// Note is a footnote or an endnote.
type Note struct {
	Name string
	Body []Block
}

// Page is a page of a file whose pages are fixed.
type Page struct {
	Number        int // from 1
	Width, Height float64
	Status        string // one of the Page... constants
	Repeated      bool   // the file has it once, and lists it before as well
	Blocks        []Placed
}

// What became of a page.
const (
	PageText   = "text"   // its own text was read
	PageOCR    = "ocr"    // it was recognised
	PageEmpty  = "empty"  // it has nothing to read
	PageUnread = "unread" // it is a picture or garbled, and was not recognised
	PageFailed = "failed"
)

// Placed is a block and where on the page it stands. What goes on over several
// columns or pages stands where it begins.
type Placed struct {
	Block
	Label      string     // title, heading, text, list, table, code, formula, picture, caption, footnote
	Box        [4]float64 // left, top, right, bottom, as parts of the page from 0 to 1
	Confidence float64    // of the recognition, from 0 to 1; 0 for text that was not recognised
}
