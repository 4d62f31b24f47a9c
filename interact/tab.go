package interact

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

const (
	openTime = 10 * time.Second // for a tab to be there
	mostTabs = 100              // that commands may open
)

// current returns the page that is looked at, and opens one if there is none.
func (b *Browser) current(ctx context.Context) (*page, error) {
	tabs, active := b.Tabs.List()
	b.name(tabs)
	if active == "" {
		id, err := b.openTab(ctx, "about:blank")
		if err != nil {
			return nil, err
		}
		active = id
	}
	return b.page(ctx, active)
}

// page returns what is known of a tab.
func (b *Browser) page(ctx context.Context, id string) (*page, error) {
	if p := b.pages[id]; p != nil && !isGone(p.session) {
		return p, nil
	}
	p, err := attach(ctx, b.Conn, id, b.Patience)
	if err != nil {
		return nil, cause(ctx, err)
	}
	b.pages[id] = p
	return p, b.show(ctx, id)
}

// show brings a tab to the front: one in the background is not drawn.
func (b *Browser) show(ctx context.Context, id string) error {
	b.Tabs.Front(id)
	_, err := protocol.Call(ctx, b.Conn.Browser(), target.ActivateTarget, target.ActivateTargetParams{TargetID: target.ID(id)})
	return cause(ctx, err)
}

// name gives names to tabs that have none, and forgets tabs that are gone.
func (b *Browser) name(tabs []Tab) {
	for _, t := range tabs {
		if b.names[t.ID] == "" {
			b.names[t.ID] = "t" + strconv.Itoa(len(b.names)+1)
		}
	}
	for id := range b.pages {
		if !slices.ContainsFunc(tabs, func(t Tab) bool { return t.ID == id }) && isGone(b.pages[id].session) {
			delete(b.pages, id)
		}
	}
}

// openTab opens a tab, in the front, and waits until it is known.
func (b *Browser) openTab(ctx context.Context, address string) (string, error) {
	tabs, active := b.Tabs.List()
	if len(tabs) >= mostTabs {
		return "", failed("Too many tabs are open.")
	}
	params := target.CreateTargetParams{URL: address}
	for _, t := range tabs {
		if t.ID == active {
			params.BrowserContextID = protocol.BrowserContextID(t.Context)
		}
	}
	made, err := protocol.Call(ctx, b.Conn.Browser(), target.CreateTarget, params)
	if err != nil {
		return "", cause(ctx, err)
	}
	id := string(made.TargetID)
	if err := b.awaitTabs(ctx, func(tabs []Tab) bool { return slices.ContainsFunc(tabs, func(t Tab) bool { return t.ID == id }) }); err != nil {
		return "", err
	}
	return id, b.show(ctx, id)
}

// awaitTabs waits until something is true of the tabs.
func (b *Browser) awaitTabs(ctx context.Context, is func([]Tab) bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, b.Patience.Limit(openTime), failed("The browser did not open the tab."))
	defer cancel()
	for {
		changes := b.Tabs.Changes()
		tabs, _ := b.Tabs.List()
		b.name(tabs)
		if is(tabs) {
			return nil
		}
		select {
		case <-changes:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// tab lists, opens, closes and chooses tabs.
func (c *call) tab(ctx context.Context) (output, error) {
	if err := c.Tabs.Refresh(ctx); err != nil {
		return output{}, cause(ctx, err)
	}
	tabs, active := c.Tabs.List()
	c.Browser.name(tabs)
	if len(c.args) == 0 || c.args[0] == "list" {
		return c.listTabs(tabs, active), nil
	}
	switch c.args[0] {
	case "new":
		return c.newTab(ctx)
	case "close":
		return c.closeTab(ctx, tabs, active)
	}
	id, err := c.tabNamed(tabs, c.args[0])
	if err != nil {
		return output{}, err
	}
	if err := c.show(ctx, id); err != nil {
		return output{}, err
	}
	p, err := c.Browser.page(ctx, id)
	if err != nil {
		return output{}, err
	}
	return p.where(ctx)
}

func (c *call) listTabs(tabs []Tab, active string) output {
	type entry struct {
		Active bool    `json:"active"`
		Label  *string `json:"label"`
		ID     string  `json:"tabId"`
		Title  string  `json:"title"`
		Type   string  `json:"type"`
		URL    string  `json:"url"`
	}
	lines, list := make([]string, len(tabs)), make([]entry, len(tabs))
	for i, t := range tabs {
		mark, label := " ", ""
		if t.Title == "" {
			t.Title = t.Address
		}
		list[i] = entry{t.ID == active, nil, c.names[t.ID], t.Title, "page", t.Address}
		if t.ID == active {
			mark = "→"
		}
		if l := c.labels[t.ID]; l != "" {
			label, list[i].Label = l+" ", &l
		}
		lines[i] = fmt.Sprintf("%s [%s] %s%s - %s", mark, c.names[t.ID], label, t.Title, t.Address)
	}
	return output{strings.Join(lines, "\n"), map[string]any{"tabs": list}}
}

func (c *call) newTab(ctx context.Context) (output, error) {
	flags, err := c.flags([]string{"--label"}, nil)
	if err != nil {
		return output{}, err
	}
	address := "about:blank"
	if len(c.args) > 1 {
		if address, err = destination(c.args[1]); err != nil {
			return output{}, err
		}
	}
	label := flags["--label"]
	for id, other := range c.labels {
		if p := c.pages[id]; label != "" && other == label && p != nil && !isGone(p.session) {
			return output{}, failed("A tab has the label %q already.", label)
		}
	}
	p, err := c.openAt(ctx, address)
	if err != nil {
		return output{}, err
	}
	if label != "" {
		c.labels[p.id] = clip(label, 100)
	}
	where, err := p.address(ctx)
	return output{where, map[string]any{"tabId": c.names[p.id], "url": where}}, err
}

// openAt opens a tab at an address.
func (b *Browser) openAt(ctx context.Context, address string) (*page, error) {
	id, err := b.openTab(ctx, "about:blank")
	if err != nil {
		return nil, err
	}
	p, err := b.page(ctx, id)
	if err == nil && address != "about:blank" {
		err = p.navigate(ctx, address)
	}
	return p, err
}

func (c *call) closeTab(ctx context.Context, tabs []Tab, active string) (output, error) {
	id, err := active, error(nil)
	if len(c.args) > 1 {
		id, err = c.tabNamed(tabs, c.args[1])
	}
	if err != nil {
		return output{}, err
	}
	if len(tabs) == 1 { // the session goes on
		if _, err := c.openTab(ctx, "about:blank"); err != nil {
			return output{}, err
		}
	}
	if _, err := protocol.Call(ctx, c.Conn.Browser(), target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(id)}); err != nil {
		return output{}, cause(ctx, err)
	}
	if err := c.awaitTabs(ctx, func(tabs []Tab) bool { return !slices.ContainsFunc(tabs, func(t Tab) bool { return t.ID == id }) }); err != nil {
		return output{}, err
	}
	return output{fmt.Sprintf("✓ Tab [%s] closed", c.names[id]), map[string]any{"closed": c.names[id]}}, nil
}

// tabNamed returns the tab of a name, a label or an id of the browser.
func (c *call) tabNamed(tabs []Tab, name string) (string, error) {
	if _, err := strconv.Atoi(name); err == nil {
		return "", failed("A tab is named by its id, such as t2, or its label, not by its number. agent-browser tab lists them.")
	}
	for _, t := range tabs {
		if name != "" && (c.names[t.ID] == name || c.labels[t.ID] == name || t.ID == name) {
			return t.ID, nil
		}
	}
	return "", failed("No such tab: %s", clip(name, 200))
}

func (c *call) window(ctx context.Context) (output, error) {
	if c.args[0] != "new" {
		return output{}, usage(c.name)
	}
	id, err := c.openTab(ctx, "about:blank")
	if err != nil {
		return output{}, err
	}
	tabs, _ := c.Tabs.List()
	return output{fmt.Sprintf("✓ Window opened [%s] (%d total)", c.names[id], len(tabs)), map[string]any{"tabId": c.names[id], "total": len(tabs)}}, nil
}

// closeCommand ends nothing: the session is ended by those who started it.
func (c *call) closeCommand(context.Context) (output, error) {
	return output{"✓ Browser closed", map[string]any{"closed": true}}, nil
}
