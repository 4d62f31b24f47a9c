// Package document reads files: PDF, Word, OpenDocument, RTF, spreadsheets,
// presentations, books, messages and pictures.
// [Sniff] tells what a file is, and a [Pool] turns it into HTML, from which
// everything else is made as from the HTML of a page.
//
// Files come from strangers, so no file is read in the process of the service. A
// Pool starts this same program again as a worker, which [Work] is the whole of,
// and speaks with it over two pipes. Before a worker reads its first foreign byte
// it gives up nearly all that a process can do: on Linux it can open no file, make
// no connection, start no program and signal no other process. (If there is a program
// that recognises text, workers for PDF files can start that, and read files, but
// write none.) It has no environment and runs as nobody where the service is root. A
// worker that takes too much memory or time is killed with all that it started, which
// costs the one file it was reading. The service, in turn, believes nothing that a
// worker says: what comes over the pipe has bounds, and the places that it names are
// checked.
//
// The readers of the kinds of files are packages of their own beneath this one. They
// fill a tree.Document, which is written as HTML in the worker.
package document

import "github.com/trawlhq/trawl/document/tree"

// Kind is a kind of file.
type Kind string

// The kinds of files that are known. HTML, which includes XHTML, is a page and read
// without a worker.
const (
	Unknown Kind = ""
	PDF     Kind = "pdf"
	DOCX    Kind = "docx"
	DOC     Kind = "doc"
	ODT     Kind = "odt"
	ODS     Kind = "ods"
	ODP     Kind = "odp"
	RTF     Kind = "rtf"
	XLSX    Kind = "xlsx"
	XLS     Kind = "xls"
	PPTX    Kind = "pptx"
	PPT     Kind = "ppt"
	CSV     Kind = "csv"
	Image   Kind = "image" // of any type that is read; its text is recognised
	XLSB    Kind = "xlsb"
	EPUB    Kind = "epub"
	EML     Kind = "eml"
	MSG     Kind = "msg"
	HTML    Kind = "html"
)

// ContentType returns the media type of files of the kind, and
// application/octet-stream for those that are unknown and for pictures, which have
// several.
func (k Kind) ContentType() string {
	switch k {
	case PDF:
		return "application/pdf"
	case DOCX:
		return "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	case DOC:
		return "application/msword"
	case ODT:
		return "application/vnd.oasis.opendocument.text"
	case ODS:
		return "application/vnd.oasis.opendocument.spreadsheet"
	case ODP:
		return "application/vnd.oasis.opendocument.presentation"
	case RTF:
		return "application/rtf"
	case XLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case XLS:
		return "application/vnd.ms-excel"
	case PPTX:
		return "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	case PPT:
		return "application/vnd.ms-powerpoint"
	case CSV:
		return "text/csv"
	case XLSB:
		return "application/vnd.ms-excel.sheet.binary.macroenabled.12"
	case EPUB:
		return "application/epub+zip"
	case EML:
		return "message/rfc822"
	case MSG:
		return "application/vnd.ms-outlook"
	case HTML:
		return "text/html"
	}
	return "application/octet-stream"
}

// HasPages reports whether the pages of such files are fixed, so that they are counted
// and may have to be recognised.
func (k Kind) HasPages() bool { return k == PDF || k == Image }

// Options say how a file is read. Most are about PDF files.
type Options struct {
	// Owner is for whom the file is read. Whoever has fewest files read is next.
	Owner string

	// Mode is how the text of pages is found: fast reads what is there, ocr
	// recognises every page, and auto, which is the default, those that need it.
	Mode string

	// MaxPages is how many pages are read at most; 0 means all.
	MaxPages int

	// PageByPage says that pages are wanted one by one: a table that goes on on the
	// next page is not made whole, so that every page has its own rows.
	PageByPage bool

	// Attachments says that those of messages are read as well.
	Attachments bool

	// Admit, if set, is asked once with the number of pages, before any is read,
	// and answers how many may be. Its error ends the reading and is returned.
	Admit func(total int) (int, error)
}

// Result is a file that was read.
type Result struct {
	HTML       []byte // a whole page, in UTF-8
	TotalPages int    // that the file has; 0 where pages are not fixed
	Pages      []Page // those that were to be read
	Warnings   []string
}

// Read returns how many pages were read. Those that could not be do not count, and those
// that are listed again neither.
func (r *Result) Read() int {
	n := 0
	for i := range r.Pages {
		if status := r.Pages[i].Status; status != tree.PageFailed && status != tree.PageUnread && !r.Pages[i].Repeated {
			n++
		}
	}
	return n
}

// Page is a page of a file whose pages are fixed. From and To are where it is in
// the HTML.
type Page struct {
	Number        int     // from 1
	Width, Height float64 // in points
	Status        string  // text, ocr, empty, unread or failed
	Repeated      bool    // the file has it once, and lists it before as well
	From, To      int
	Blocks        []Block
}

// Block is a block of a page. From and To are where it is in the HTML.
type Block struct {
	Label      string     // title, heading, text, list, table, code, formula, picture, caption or footnote
	Box        [4]float64 // left, top, right, bottom, as parts of the page
	Confidence float64    // of the recognition; 0 where there was none
	From, To   int
}
