package interact

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
)

// warden checks what a model wants done in a page against the words of its task: what a
// page says may have turned the model, and cannot turn this. It lets a model read and use
// the site that the task began on. Leaving that site, and sending a form, need a word in
// the task; scripts, cookies and whatever else a page has no business with are refused.
type warden struct {
	task string
	home string // site of the page that the task began on
}

func newWarden(ctx context.Context, p *page, task string) (*warden, error) {
	w := &warden{task: strings.ToLower(task)}
	address, err := p.address(ctx)
	if err != nil {
		return nil, err
	}
	w.home = siteOf(address)
	return w, w.follow(ctx, p)
}

// follow keeps a page from documents that the task says nothing of, whoever asks for them:
// scripts of the page open them, too.
func (w *warden) follow(ctx context.Context, p *page) error {
	return p.rule(ctx, func(t *traffic) {
		t.bar = func(address, method string) bool {
			return !w.mayGo(address) || method != "GET" && !sends.MatchString(w.task)
		}
	})
}

// leave ends that.
func (w *warden) leave(ctx context.Context, p *page) {
	_ = p.rule(ctx, func(t *traffic) { t.bar = nil })
}

// siteOf returns the registrable domain of an address, or its host if it has none.
func siteOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	if site, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return site
	}
	return host
}

// allowed are the commands that a model may give.
var allowed = []string{
	"snapshot", "click", "dblclick", "hover", "check", "uncheck", "focus", "fill", "type", "press", "keyboard", "select", "scroll", "scrollintoview",
	"wait", "back", "forward", "reload", "get", "is", "find", "tab", "dialog", "read", "scrape", "frame", "highlight", "drag", "help", "--help",
}

// sends are words by which a task asks for a form to be sent.
var sends = regexp.MustCompile(`(?i)\b(submit|send|search|log ?in|sign ?in|sign ?up|register|subscribe|order|buy|book|checkout|post|apply|save|confirm|create|filter|find|query|look up|enter|complete|finish|contact|delete|remove|add|update|suche?n?|anmelden|abschicken|senden|bestellen|kaufen|speichern)\b`)

// check refuses a command that the task does not ask for.
func (w *warden) check(ctx context.Context, c *call) error {
	if !slices.Contains(allowed, c.name) {
		return failed("%s is not allowed in a task.", clip(c.name, 50))
	}
	switch c.name {
	case "tab":
		if len(c.args) > 0 && (c.args[0] == "new") {
			return failed("tab new is not allowed in a task.")
		}
		return nil
	case "read", "scrape":
		if len(c.args) > 0 {
			return failed("%s takes no address in a task.", c.name)
		}
		return nil
	case "get":
		if len(c.args) > 0 && c.args[0] == "cdp-url" {
			return failed("get cdp-url is not allowed in a task.")
		}
		return nil
	case "wait":
		if slices.Contains(c.args, "--fn") || slices.Contains(c.args, "-f") {
			return failed("wait --fn is not allowed in a task.")
		}
		return nil
	case "type", "keyboard", "fill":
		if strings.ContainsAny(strings.Join(c.args, " "), "\r\n") { // it would press Enter
			return failed("Text must be on one line in a task. Use press Enter.")
		}
		return nil
	case "click", "dblclick", "find", "press", "check", "uncheck":
	default:
		return nil
	}
	if slices.Contains(c.args, "--new-tab") {
		return failed("--new-tab is not allowed in a task.")
	}
	p, err := c.current(ctx)
	if err != nil || p.asks() {
		return err
	}
	own := *c
	own.page = p
	return w.target(ctx, &own, p)
}

// target looks at what a click or a key would do: where a link leads, and whether a form
// would be sent.
func (w *warden) target(ctx context.Context, c *call, p *page) error {
	var does struct {
		Link string `json:"link"`
		Form string `json:"form"` // where it is sent; empty if none is
	}
	e, err := w.about(ctx, c, p)
	if err != nil || e == nil {
		return nil // the command itself will say what is wrong
	}
	if err := e.call(ctx, consequence, &does, c.name == "press"); err != nil {
		return nil
	}
	if does.Link != "" && !w.mayGo(does.Link) {
		return failed("The link leads to %s, and the task says nothing of that site.", clip(siteOf(does.Link), 100))
	}
	if does.Form != "" && !sends.MatchString(w.task) {
		return failed("That would send a form, and the task says nothing of sending one.")
	}
	if does.Form != "" && !w.mayGo(does.Form) {
		return failed("The form is sent to %s, and the task says nothing of that site.", clip(siteOf(does.Form), 100))
	}
	return nil
}

// about returns the element that a command is about, nil if there is none.
func (w *warden) about(ctx context.Context, c *call, p *page) (*element, error) {
	switch {
	case c.name == "press":
		if len(c.args) == 0 || !strings.Contains(strings.ToLower(c.args[0]), "enter") && c.args[0] != " " && !strings.EqualFold(c.args[0], "space") {
			return nil, nil
		}
		return c.look(ctx, p, query{kind: "focused"}, "", 0)
	case c.name == "find":
		q := query{kind: c.args[0]}
		for i := 1; i < len(c.args); i++ {
			switch {
			case c.args[i] == "--name" && i+1 < len(c.args):
				i++
				q.name = c.args[i]
			case c.args[i] == "--exact":
				q.exact = true
			case q.value == "":
				q.value = c.args[i]
			}
		}
		if q.kind == "nth" {
			return nil, nil
		}
		return p.find(ctx, p.current(), q)
	case len(c.args) == 0:
		return nil, nil
	}
	return c.present(ctx, c.args[0])
}

// mayGo reports whether an address is of the site that the task began on, or of one that
// the task names.
func (w *warden) mayGo(address string) bool {
	site := siteOf(address)
	return site == "" || site == w.home || names(w.task, site)
}

// names reports whether a text names a site, alone or with names before it: not as the end
// of another site's name, nor as its beginning.
func names(text, site string) bool {
	for rest := text; ; {
		_, after, found := strings.Cut(rest, site)
		if !found {
			return false
		}
		before := rest[:len(rest)-len(after)-len(site)]
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		second, _ := utf8.DecodeRuneInString(strings.TrimPrefix(after, "."))
		if !ofName(last) && !ofName(next) && (next != '.' || !ofName(second)) {
			return true
		}
		rest = after
	}
}

func ofName(r rune) bool { return r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// consequence tells where a click on an element leads, and where a form goes that it
// sends. Enter in a field sends its form, too.
const consequence = `(e, enter) => {
	const link = e.closest('a[href], area[href]')?.href ?? '';
	const button = e.closest('button, input');
	let form = null;
	if (button?.form && (/^(submit|image)$/.test(button.type) || enter && button.localName === 'input')) form = button.form;
	const to = form ? (button.getAttribute('formaction') ? button.formAction : form.getAttribute('action') ? new URL(form.getAttribute('action'), document.baseURI).href : location.href) : '';
	return { link: /^https?:/.test(link) ? link : '', form: to };
}`
