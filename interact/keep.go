package interact

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/trawlhq/trawl/interact/snapshot"
)

const (
	mostHeight  = 16_384 // pixels of a picture
	mostMarks   = 500    // elements that are marked in one
	mostCookies = 4096   // bytes of what is set
	mostSource  = 20 << 20
)

// screenshot takes a picture and keeps it where it can be fetched.
func (c *call) screenshot(ctx context.Context) (output, error) {
	flags, err := c.flags([]string{"--screenshot-format", "--screenshot-quality", "--screenshot-dir"}, []string{"--full", "-f", "--annotate"})
	if err != nil {
		return output{}, err
	}
	params := cdppage.CaptureScreenshotParams{Format: cdppage.CaptureScreenshotFormatPng}
	kind := "image/png"
	switch format := flags["--screenshot-format"]; format {
	case "", "png":
	case "jpeg", "jpg":
		params.Format, kind = cdppage.CaptureScreenshotFormatJpeg, "image/jpeg"
		if text, set := flags["--screenshot-quality"]; set {
			quality, err := strconv.ParseInt(text, 10, 32)
			if err != nil || quality < 0 || quality > 100 {
				return output{}, failed("Invalid quality: %s", clip(text, 50))
			}
			params.Quality = &quality
		}
	default:
		return output{}, failed("Unknown format: %s", clip(format, 50))
	}
	var clipped *element
	if len(c.args) > 0 && isSelector(c.args[0]) {
		if clipped, err = c.element(ctx, c.page, c.args[0]); err != nil {
			return output{}, err
		}
	}
	if _, full := either(flags, "--full", "-f"); full || clipped != nil {
		if params.Clip, err = c.area(ctx, clipped); err != nil {
			return output{}, err
		}
		params.CaptureBeyondViewport = new(true)
	}
	var legend []string
	if _, annotate := flags["--annotate"]; annotate {
		if legend, err = c.annotate(ctx); err != nil {
			return output{}, err
		}
		defer func() { _ = c.page.ask(ctx, c.page.main(), expression("unmark"), nil) }()
	}
	shot, err := protocol.Call(ctx, c.page.session, cdppage.CaptureScreenshot, params)
	if err != nil {
		return output{}, cause(ctx, err)
	}
	address, err := c.keep(ctx, kind, shot.Data)
	if err != nil {
		return output{}, err
	}
	return output{strings.Join(append([]string{"✓ Screenshot saved to " + address}, legend...), "\n"), map[string]any{"path": address}}, nil
}

// isSelector tells an element whose picture is wanted from a path, which nobody needs.
func isSelector(arg string) bool {
	_, ref := refOf(arg)
	return ref || strings.HasPrefix(arg, "#") || strings.HasPrefix(arg, "text=") || strings.HasPrefix(arg, "xpath=")
}

// area is what a picture shows: an element, or the whole page.
func (c *call) area(ctx context.Context, e *element) (*cdppage.Viewport, error) {
	var size struct{ Width, Height float64 }
	if e == nil {
		if err := c.page.ask(ctx, c.page.main(), expression("size"), &size); err != nil {
			return nil, err
		}
		return &cdppage.Viewport{Width: min(size.Width, mostHeight), Height: min(size.Height, mostHeight), Scale: 1}, nil
	}
	var box struct{ X, Y, Width, Height, ScrollX, ScrollY float64 }
	if err := e.call(ctx, "e => ({...trawl.box(e), scrollX, scrollY})", &box); err != nil {
		return nil, err
	}
	if box.Width < 1 || box.Height < 1 {
		return nil, failed("Element is not visible: %s", e.name)
	}
	offset, err := e.page.offset(ctx, e.frame)
	return &cdppage.Viewport{X: box.X + box.ScrollX + offset.x, Y: box.Y + box.ScrollY + offset.y, Width: min(box.Width, mostHeight), Height: min(box.Height, mostHeight), Scale: 1}, err
}

// annotate draws numbers on what a snapshot names, and returns what they mean.
func (c *call) annotate(ctx context.Context) (legend []string, err error) {
	if _, _, err := c.snap(ctx, snapshot.Options{Interactive: true, Depth: -1}, "", false); err != nil {
		return nil, err
	}
	type box struct {
		X      float64 `json:"x"`
		Y      float64 `json:"y"`
		Width  float64 `json:"width"`
		Height float64 `json:"height"`
		Label  string  `json:"label"`
	}
	var boxes []box
	for i := 1; i <= min(len(c.refs), mostMarks); i++ {
		id := "e" + strconv.Itoa(i)
		r := c.refs[id]
		e, err := c.byRef(ctx, c.page, id)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil || r.frame != c.page.main() {
			continue
		}
		b := box{Label: strconv.Itoa(i)}
		if e.do(ctx, "box", &b) != nil || b.Width < 1 || b.Height < 1 {
			continue
		}
		boxes = append(boxes, b)
		text := fmt.Sprintf("   [%d] @%s %s", i, id, r.role)
		if r.name != "" {
			text += " " + snapshot.Quote(r.name)
		}
		legend = append(legend, text)
	}
	return legend, c.page.ask(ctx, c.page.main(), expression("mark", boxes), nil)
}

func (c *call) pdf(ctx context.Context) (output, error) {
	made, err := protocol.Call(ctx, c.page.session, cdppage.PrintToPDF, cdppage.PrintToPDFParams{PrintBackground: new(true)})
	if err != nil {
		return output{}, cause(ctx, err)
	}
	address, err := c.keep(ctx, "application/pdf", made.Data)
	return output{"✓ PDF saved to " + address, map[string]any{"path": address}}, err
}

func (c *call) keep(ctx context.Context, kind string, data []byte) (string, error) {
	if c.Keep == nil {
		return "", failed("This server keeps no files.")
	}
	address, err := c.Keep(ctx, c.base, kind, data)
	return address, cause(ctx, err)
}

// read prints what a page says, as text or as markdown.
func (c *call) read(ctx context.Context, markdown bool) (output, error) {
	if len(c.args) > 0 {
		address, err := destination(c.args[0])
		if err == nil {
			err = c.page.navigate(ctx, address)
		}
		if err != nil {
			return output{}, err
		}
	}
	if !markdown {
		var text string
		if err := c.page.ask(ctx, c.page.main(), "document.body?.innerText ?? ''", &text); err != nil {
			return output{}, err
		}
		return output{strings.TrimSpace(text), map[string]any{"content": text}}, nil
	}
	if c.Markdown == nil {
		return output{}, failed("This server makes no markdown in sessions.")
	}
	html, address, err := c.page.source(ctx)
	if err != nil {
		return output{}, err
	}
	text, err := c.Markdown(ctx, address, html)
	return output{text, map[string]any{"url": address, "markdown": text}}, cause(ctx, err)
}

// source returns the tree of the page as HTML, and where it is.
func (p *page) source(ctx context.Context) (html, address string, err error) {
	var size int
	if err := p.ask(ctx, p.main(), "document.documentElement.outerHTML.length", &size); err != nil {
		return "", "", err
	}
	if size > mostSource {
		return "", "", failed("The page is too large.")
	}
	if err := p.ask(ctx, p.main(), expression("source"), &html); err != nil {
		return "", "", err
	}
	address, err = p.address(ctx)
	return html, address, err
}

func (c *call) cookies(ctx context.Context) (output, error) {
	address, err := c.page.address(ctx)
	if err != nil {
		return output{}, err
	}
	what := "get"
	if len(c.args) > 0 {
		what = c.args[0]
	}
	switch what {
	case "get":
	case "set":
		if len(c.args) < 3 {
			return output{}, usage(c.name)
		}
		if len(c.args[1])+len(c.args[2]) > mostCookies {
			return output{}, failed("The cookie is too large.")
		}
		_, err := protocol.Call(ctx, c.page.session, network.SetCookie, network.SetCookieParams{Name: c.args[1], Value: c.args[2], URL: address})
		return done, cause(ctx, err)
	case "clear":
		_, err := protocol.Call(ctx, c.page.session, network.ClearBrowserCookies, protocol.Empty{})
		return says("✓ Cookies cleared"), cause(ctx, err)
	default:
		return output{}, failed("Unknown subcommand: cookies %s", clip(what, 100))
	}
	found, err := protocol.Call(ctx, c.page.session, network.GetCookies, network.GetCookiesParams{})
	if err != nil {
		return output{}, cause(ctx, err)
	}
	lines := make([]string, len(found.Cookies))
	for i, cookie := range found.Cookies {
		lines[i] = cookie.Name + "=" + cookie.Value
	}
	return output{strings.Join(lines, "\n"), map[string]any{"cookies": found.Cookies}}, nil
}

func (c *call) storage(ctx context.Context) (output, error) {
	kind, args := c.args[0], c.args[1:]
	if kind != "local" && kind != "session" {
		return output{}, usage(c.name)
	}
	if len(args) > 0 && args[0] == "get" {
		args = args[1:]
	}
	p := c.page
	switch {
	case len(args) > 0 && args[0] == "set":
		if len(args) < 3 {
			return output{}, usage(c.name)
		}
		return done, p.ask(ctx, p.current(), expression("store", kind, args[1], strings.Join(args[2:], " ")), nil)
	case len(args) > 0 && args[0] == "clear":
		return says("✓ Storage cleared"), p.ask(ctx, p.current(), expression("unstore", kind), nil)
	}
	var pairs [][2]*string
	if err := p.ask(ctx, p.current(), expression("storage", kind), &pairs); err != nil {
		return output{}, err
	}
	var lines []string
	data := map[string]any{}
	for _, pair := range pairs {
		if pair[0] == nil || pair[1] == nil || len(args) > 0 && *pair[0] != args[0] {
			continue
		}
		lines = append(lines, *pair[0]+": "+*pair[1])
		data[*pair[0]] = *pair[1]
	}
	switch {
	case len(lines) == 0 && len(args) > 0:
		return output{args[0] + ": null", map[string]any{args[0]: nil}}, nil
	case len(lines) == 0:
		lines = []string{"No storage entries"}
	}
	return output{strings.Join(lines, "\n"), data}, nil
}

// clipboardCommand uses a clipboard of the session's own: that of the server is nobody's.
func (c *call) clipboardCommand(ctx context.Context) (output, error) {
	switch {
	case c.args[0] == "read":
		return output{c.clipboard, map[string]any{"text": c.clipboard}}, nil
	case c.args[0] == "write" && len(c.args) > 1:
		c.clipboard = clip(strings.Join(c.args[1:], " "), mostOutput)
		return done, nil
	case c.args[0] == "copy":
		var text string
		err := c.page.ask(ctx, c.page.current(), expression("selection"), &text)
		c.clipboard = text
		return done, err
	case c.args[0] == "paste":
		_, err := protocol.Call(ctx, c.page.session, input.InsertText, input.InsertTextParams{Text: c.clipboard})
		return done, cause(ctx, err)
	case slices.Contains([]string{"write", "copy", "paste"}, c.args[0]):
		return output{}, usage(c.name)
	}
	return output{}, failed("Unknown subcommand: clipboard %s", clip(c.args[0], 100))
}
