package browser

import (
	"cmp"
	"context"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/page"

	"github.com/trawlhq/trawl"
)

const pdfChunk = 1 << 20

// paper returns the size of a paper in inches, Letter's if the name is empty.
func paper(format string) (width, height float64, ok bool) {
	const inch = 25.4
	switch cmp.Or(format, "Letter") {
	case "A0":
		return 841 / inch, 1189 / inch, true
	case "A1":
		return 594 / inch, 841 / inch, true
	case "A2":
		return 420 / inch, 594 / inch, true
	case "A3":
		return 297 / inch, 420 / inch, true
	case "A4":
		return 210 / inch, 297 / inch, true
	case "A5":
		return 148 / inch, 210 / inch, true
	case "A6":
		return 105 / inch, 148 / inch, true
	case "Letter":
		return 8.5, 11, true
	case "Legal":
		return 8.5, 14, true
	case "Tabloid":
		return 11, 17, true
	case "Ledger":
		return 17, 11, true
	}
	return 0, 0, false
}

// print makes a PDF file of the page, of at most a thousand sheets.
func (t *tab) print(ctx context.Context, a trawl.Action) (Picture, error) {
	width, height, ok := paper(a.Format)
	if !ok {
		return Picture{}, failure("there is no paper of the format " + quoted(a.Format))
	}
	background := true
	printed, err := protocol.Call(ctx, t.Session, page.PrintToPDF, page.PrintToPDFParams{
		Landscape: &a.Landscape, PrintBackground: &background, Scale: cmp.Or(a.Scale, 1),
		PaperWidth: width, PaperHeight: height, PageRanges: "1-1000",
		TransferMode: page.PrintToPDFTransferModeReturnAsStream,
	})
	if err != nil {
		return Picture{}, err
	}
	data, err := t.drain(ctx, printed.Stream)
	if err != nil {
		return Picture{}, err
	}
	return Picture{ContentType: "application/pdf", Data: data}, nil
}

// drain reads a stream of the browser to its end and closes it.
func (t *tab) drain(ctx context.Context, stream io.StreamHandle) (data []byte, err error) {
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_, _ = protocol.Call(ctx, t.Session, io.Close, io.CloseParams{Handle: stream})
	}()
	for {
		part, err := protocol.Call(ctx, t.Session, io.Read, io.ReadParams{Handle: stream, Size: pdfChunk})
		if err != nil {
			return nil, err
		}
		data = append(data, part.Data...)
		switch {
		case len(data) > mostFile:
			return nil, failure("the PDF file is larger than 50 MiB")
		case part.EOF:
			return data, nil
		}
	}
}
