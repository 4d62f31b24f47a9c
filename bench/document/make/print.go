package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/egress"
)

// printer prints HTML with Chromium, which loads nothing else.
type printer struct {
	process *chromium.Process
	session *cdp.Session
	frame   protocol.FrameID
}

const printTimeout = time.Minute

func newPrinter(ctx context.Context) (*printer, error) {
	programs, err := chromium.Find("", "")
	if err != nil {
		return nil, err
	}
	guard := egress.New(egress.Config{Log: slog.New(slog.DiscardHandler)})
	process, err := chromium.Start(ctx, chromium.Launch{
		Program: programs.Chromium, Full: true, Heap: 512, UserAgent: "make", AcceptLanguage: "en", Guard: guard, Door: egress.DoorConfig{Closed: true},
	})
	if err != nil {
		return nil, err
	}
	p := &printer{process: process}
	if err := p.open(ctx); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *printer) open(ctx context.Context) error {
	browser := p.process.Conn().Browser()
	made, err := protocol.Call(ctx, browser, target.CreateTarget, target.CreateTargetParams{URL: "about:blank"})
	if err != nil {
		return err
	}
	yes := true
	attached, err := protocol.Call(ctx, browser, target.AttachToTarget, target.AttachToTargetParams{TargetID: made.TargetID, Flatten: &yes})
	if err != nil {
		return err
	}
	p.session = p.process.Conn().Session(string(attached.SessionID))
	tree, err := protocol.Call(ctx, p.session, page.GetFrameTree, protocol.Empty{})
	if err != nil {
		return err
	}
	p.frame = tree.FrameTree.Frame.ID
	return nil
}

func (p *printer) close() { p.process.Kill() }

// fitTables makes a table as wide as the page if it is wider than its column of text,
// and its text smaller if it is wider than the page.
const fitTables = `{
	const main = document.querySelector("main"), most = %f
	document.body.style.width = most + "px"
	const columns = +getComputedStyle(main).columnCount || 1, gap = parseFloat(getComputedStyle(main).columnGap) || 0
	for (const t of document.querySelectorAll("table")) {
		const width = () => t.getBoundingClientRect().width
		if (columns > 1 && !t.classList.contains("wide") && width() > (most - gap * (columns - 1)) / columns + 1) t.classList.add("wide")
		for (let size = 0.9; size > 0.5 && width() > most + 1; size -= 0.1) t.style.fontSize = size + "em"
	}
	document.body.style.width = ""
}`

// print makes a PDF file of a page.
func (p *printer) print(ctx context.Context, html string, s *style, tagged bool) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, printTimeout)
	defer cancel()
	if _, err := protocol.Call(ctx, p.session, page.SetDocumentContent, page.SetDocumentContentParams{FrameID: p.frame, HTML: html}); err != nil {
		return nil, err
	}
	if err := p.session.Call(ctx, "Runtime.evaluate", map[string]any{"expression": fmt.Sprintf(fitTables, (s.width-2*s.margin)*96)}, nil); err != nil {
		return nil, err
	}
	yes, margin := true, s.margin
	no := false
	printed, err := protocol.Call(ctx, p.session, page.PrintToPDF, page.PrintToPDFParams{
		PrintBackground: &yes, PaperWidth: s.width, PaperHeight: s.height, GenerateTaggedPDF: &tagged, GenerateDocumentOutline: &no,
		MarginTop: &margin, MarginBottom: &margin, MarginLeft: &margin, MarginRight: &margin,
		DisplayHeaderFooter: &s.running, HeaderTemplate: s.header, FooterTemplate: s.footer,
	})
	if err != nil {
		return nil, err
	}
	if len(printed.Data) == 0 {
		return nil, errors.New("nothing was printed")
	}
	return printed.Data, nil
}
