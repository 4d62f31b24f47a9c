package interact

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
)

// network prints the requests that the page made since commands are run in it.
func (c *call) network(context.Context) (output, error) {
	flags, err := c.flags([]string{"--filter"}, []string{"--clear"})
	if err != nil {
		return output{}, err
	}
	if len(c.args) == 0 || c.args[0] != "requests" {
		return output{}, failed("Only network requests is offered here: requests cannot be changed.")
	}
	p := c.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, clear := flags["--clear"]; clear {
		p.requests, p.byID = nil, map[network.RequestID]int{}
		return says("✓ Request log cleared"), nil
	}
	list := []request{}
	for _, r := range p.requests {
		if strings.Contains(r.URL, flags["--filter"]) {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return output{"No requests captured", map[string]any{"requests": list}}, nil
	}
	lines := make([]string, len(list))
	for i, r := range list {
		lines[i] = fmt.Sprintf("[%s] %s %s (%s)", r.ID, r.Method, r.URL, r.Type)
		if r.Status != 0 {
			lines[i] += fmt.Sprintf(" %d", r.Status)
		}
	}
	return output{strings.Join(lines, "\n"), map[string]any{"requests": list}}, nil
}

func (c *call) consoleCommand(context.Context) (output, error) {
	p := c.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(c.args, "--clear") {
		p.console = nil
		return says("✓ Console log cleared"), nil
	}
	lines := make([]string, len(p.console))
	for i, l := range p.console {
		lines[i] = "[" + l.Kind + "] " + l.Text
	}
	return output{strings.Join(lines, "\n"), map[string]any{"messages": append([]logged{}, p.console...)}}, nil
}

func (c *call) errorsCommand(context.Context) (output, error) {
	p := c.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(c.args, "--clear") {
		p.errors = nil
		return says("✓ Errors cleared"), nil
	}
	lines := make([]string, len(p.errors))
	for i, text := range p.errors {
		lines[i] = "✗ " + text
	}
	return output{strings.Join(lines, "\n"), map[string]any{"errors": append([]string{}, p.errors...)}}, nil
}

// dialogCommand answers a question of the page.
func (c *call) dialogCommand(ctx context.Context) (output, error) {
	p := c.page
	p.mu.Lock()
	open := p.dialog
	p.mu.Unlock()
	switch c.args[0] {
	case "status":
		if open == nil {
			return output{"✓ No dialog is currently open", map[string]any{"open": false}}, nil
		}
		text := fmt.Sprintf("⚠ JavaScript %s dialog is open: %q\n  Default prompt text: %q\n  Use `dialog accept [text]` or `dialog dismiss` to resolve it", open.Type, open.Message, open.DefaultPrompt)
		return output{text, map[string]any{"open": true, "type": open.Type, "message": open.Message, "defaultPrompt": open.DefaultPrompt}}, nil
	case "accept", "dismiss":
	default:
		return output{}, usage(c.name)
	}
	if open == nil {
		return output{}, failed("No dialog is currently open")
	}
	text := open.DefaultPrompt
	if len(c.args) > 1 {
		text = strings.Join(c.args[1:], " ")
	}
	_, err := protocol.Call(ctx, p.session, cdppage.HandleJavaScriptDialog, cdppage.HandleJavaScriptDialogParams{Accept: c.args[0] == "accept", PromptText: text})
	if err != nil {
		return output{}, cause(ctx, err)
	}
	short, cancel := context.WithTimeout(ctx, p.patience.Limit(dialogTime))
	defer cancel()
	_ = p.until(short, func() bool { return p.dialog != open })
	if !pause(ctx, 10*time.Millisecond) { // the page may ask again at once
		return output{}, context.Cause(ctx)
	}
	return done, nil
}
