package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/cdp"
)

const (
	mostFile    = 50 << 20  // a picture, a PDF file
	mostOutcome = 100 << 20 // everything the actions of a page make

	findTime   = 5 * time.Second  // for an element that an action needs: pages render late
	calmTime   = 10 * time.Second // for what a click or a key set off
	lazyTime   = 2 * time.Second  // for what scrolling brings in
	endlessMax = 30 * time.Second // for a wait in a context without an end
)

// Outcome is what the actions of a page made, of each kind in the order of the
// actions.
type Outcome struct {
	Screenshots, PDFs []Picture
	Scrapes           []trawl.ActionPage
	Returns           []trawl.ActionReturn

	size int // of all of it, in bytes
}

// failure is why an action cannot be done, in words for the one who asked for it.
type failure string

func (f failure) Error() string { return string(f) }

// act does the actions in order and adds what they make to out. The first that
// fails ends it, with an error that names the action. When ctx ends, so does it,
// with the error of ctx.
func (t *tab) act(ctx context.Context, actions []trawl.Action, out *Outcome) error {
	for i, action := range actions {
		if err := t.perform(ctx, action, out); err != nil {
			return actionError(ctx, i, action.Type, err)
		}
	}
	return nil
}

func (t *tab) perform(ctx context.Context, a trawl.Action, out *Outcome) error {
	switch a.Type {
	case trawl.ActionWait:
		if a.Selector == "" {
			return t.sleep(ctx, time.Duration(a.Milliseconds)*time.Millisecond)
		}
		return t.await(ctx, a.Selector)
	case trawl.ActionClick:
		return t.click(ctx, a.Selector, a.All)
	case trawl.ActionWrite:
		return t.write(ctx, a.Text)
	case trawl.ActionPress:
		return t.press(ctx, a.Key)
	case trawl.ActionScroll:
		return t.scroll(ctx, a.Selector, a.Direction)
	case trawl.ActionScreenshot:
		picture, err := t.shoot(ctx, shot{FullPage: a.FullPage, Quality: a.Quality, Viewport: a.Viewport})
		out.Screenshots = append(out.Screenshots, picture)
		return out.weigh(len(picture.Data), err)
	case trawl.ActionScrape:
		now, err := t.read(ctx)
		out.Scrapes = append(out.Scrapes, trawl.ActionPage{URL: now.URL, HTML: now.HTML})
		return out.weigh(len(now.HTML), err)
	case trawl.ActionJavaScript:
		value, err := t.execute(ctx, a.Script)
		out.Returns = append(out.Returns, value)
		return out.weigh(len(value.Value), err)
	case trawl.ActionPDF, trawl.ActionPDFAlias:
		file, err := t.print(ctx, a)
		out.PDFs = append(out.PDFs, file)
		return out.weigh(len(file.Data), err)
	}
	return failure("there is no such action")
}

// weigh adds to the size of the outcome, unless making the thing has failed.
func (o *Outcome) weigh(size int, err error) error {
	if o.size += size; err == nil && o.size > mostOutcome {
		return failure("together the actions made more than 100 MiB")
	}
	return err
}

// actionError makes the error of an action. What the caller can mend is an Error;
// the end of the time, of the page or of the browser stays what it is.
func actionError(ctx context.Context, index int, kind string, err error) error {
	name := fmt.Sprintf("actions.%d (%s)", index, kind)
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", name, ctx.Err())
	}
	var reason string
	var cause error
	if known, ok := errors.AsType[failure](err); ok {
		reason = string(known)
	} else if refused, ok := errors.AsType[*cdp.Error](err); ok {
		reason, cause = "the browser refused: "+refused.Message, err
	} else if thrown, ok := errors.AsType[*scriptError](err); ok {
		reason, cause = "the page does not allow it: "+thrown.Text, err
	} else {
		return fmt.Errorf("%s: %w", name, err)
	}
	return &trawl.Error{
		Code: trawl.CodeAction, Message: name + ": " + reason, Err: cause,
		Issues: []trawl.Issue{{Code: "action_failed", Message: reason, Path: []any{"actions", index}}},
	}
}

// quoted is a selector or the name of a key in a message, cut if it is long.
func quoted(s string) string {
	const most = 200
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return fmt.Sprintf("%q", s)
}

// ask calls a function of JavaScript with the arguments in our own world.
func (t *tab) ask(ctx context.Context, function string, result any, args ...any) error {
	list := make([]string, len(args))
	for i, arg := range args {
		data, err := json.Marshal(arg)
		if err != nil {
			return fmt.Errorf("write argument: %w", err)
		}
		list[i] = string(data)
	}
	return t.evaluate(ctx, "("+function+")("+strings.Join(list, ",")+")", result)
}

// patient returns a context that ends a little before ctx does, so that there is
// time to say what was waited for in vain.
func patient(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := endlessMax
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline)
		limit = left - min(left/10, 500*time.Millisecond)
	}
	return context.WithTimeout(ctx, limit)
}

// poll asks until the answer is yes, an error, or ctx ends, which is a no.
func poll(ctx context.Context, ready func(ctx context.Context) (bool, error)) (bool, error) {
	interval := time.NewTimer(0)
	defer interval.Stop()
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		select {
		case <-ctx.Done():
			return false, nil
		case <-interval.C:
		}
		ok, err := ready(ctx)
		if ctx.Err() != nil {
			return false, nil
		}
		if ok || err != nil {
			return ok, err
		}
		interval.Reset(pause)
	}
}

// stir does something in the page and waits for what it sets off, but not for
// long: until the requests that began since are answered and the tree is quiet,
// or another page that it leads to has settled.
func (t *tab) stir(ctx context.Context, limit time.Duration, do func() error) error {
	if err := t.follow(ctx); err != nil {
		return err
	}
	here := t.life.document()
	set, stop := t.watch()
	defer stop()
	if err := do(); err != nil {
		return err
	}
	short, cancel := context.WithTimeout(ctx, t.pool.limit(limit))
	defer cancel()
	for short.Err() == nil {
		set.calm(short, t.Gone())
		var err error
		if now := t.life.document(); now != here {
			here, err = now, t.land(short)
		} else {
			err = t.evaluate(short, quietScript, nil)
		}
		if err != nil && !isStale(err) && short.Err() == nil {
			return t.fate(err)
		}
		if busy, _ := set.state(); !busy && t.life.document() == here {
			break
		}
	}
	return ctx.Err()
}

// await waits until an element is there to be seen.
func (t *tab) await(ctx context.Context, selector string) error {
	waiting, cancel := patient(ctx)
	defer cancel()
	_, err := t.lookUp(waiting, seenScript, selector, "no visible element matches ")
	return err
}

// lookUp asks a script about a selector until it answers with a number above 0;
// one below says that the selector is none. If it never does, none says why.
func (t *tab) lookUp(ctx context.Context, script, selector, none string) (number int, err error) {
	answered := false
	found, err := poll(ctx, func(ctx context.Context) (bool, error) {
		err := t.ask(ctx, script, &number, selector)
		answered = answered || err == nil
		if number < 0 {
			return false, failure(quoted(selector) + " is not a valid selector")
		}
		return number > 0, err
	})
	switch {
	case err != nil || found:
		return number, err
	case !answered:
		return 0, failure(silent)
	}
	return 0, failure(none + quoted(selector))
}

// silent is why nothing can be done in a page whose script does not end.
const silent = "the page does not respond"

// seenScript answers 1 if a match is displayed, or is of a kind that never is,
// 0 if none is, and -1 if the selector is none.
const seenScript = `selector => {
	let found;
	try { found = document.querySelectorAll(selector) } catch { return -1 }
	const unseen = 'head, head *, script, style, link, meta, template, source, option';
	for (let i = 0; i < found.length && i < 1000; i++) {
		if (found[i].checkVisibility() || found[i].matches(unseen) || getComputedStyle(found[i]).display === 'contents') return 1;
	}
	return 0;
}`

// find looks for the elements that match, waiting a moment for the first, and
// keeps them in our world for the scripts that follow.
func (t *tab) find(ctx context.Context, selector string) (count int, err error) {
	waiting, cancel := patient(ctx)
	defer cancel()
	waiting, cancel = context.WithTimeout(waiting, t.pool.limit(findTime))
	defer cancel()
	return t.lookUp(waiting, findScript, selector, "no element matches ")
}

const findScript = `selector => {
	try { globalThis.trawlFound = [...document.querySelectorAll(selector)] } catch { return -1 }
	return globalThis.trawlFound.length;
}`

// click clicks the first element that matches, or all of them in order, and
// waits for what that sets off.
func (t *tab) click(ctx context.Context, selector string, all bool) error {
	count, err := t.find(ctx, selector)
	if err != nil {
		return err
	}
	if !all {
		count = 1
	}
	return t.stir(ctx, calmTime, func() error {
		for i := range count {
			there, err := t.clickFound(ctx, i)
			if err != nil {
				return err
			}
			if !there && !all {
				return failure("the element that matches " + quoted(selector) + " went away")
			}
		}
		return nil
	})
}

// clickFound clicks an element that was found: with the mouse where it can be
// hit, else by script. It reports false if the element is gone, or its document.
func (t *tab) clickFound(ctx context.Context, i int) (there bool, err error) {
	var point struct {
		There, Hit bool
		X, Y       float64
	}
	if err := t.ask(ctx, aimScript, &point, i); err != nil || !point.There {
		return false, err
	}
	if point.Hit {
		return true, t.tap(ctx, point.X, point.Y)
	}
	return true, t.ask(ctx, clickScript, nil, i)
}

// aimScript brings an element into view and answers where the mouse hits it. A
// link or form that would open another window is made to stay in this one. A
// select is left to clickScript: its list is drawn by the browser, over the page.
const aimScript = `async i => {
	const element = globalThis.trawlFound?.[i];
	if (!element?.isConnected) return {There: false, Hit: false, X: 0, Y: 0};
	const stay = (owner, name) => {
		const target = owner?.getAttribute(name) ?? document.querySelector('base[target]')?.target ?? '';
		if (!owner || /^(_self|_top|_parent|)$/i.test(target)) return;
		if ([...document.querySelectorAll('iframe, frame')].some(frame => frame.name === target)) return;
		owner.setAttribute(name, '_self');
	};
	stay(element.closest('a, area'), 'target');
	const button = element.closest('button, input');
	stay(button?.form, 'target');
	if (button?.hasAttribute('formtarget')) stay(button, 'formtarget');
	const box = element.getBoundingClientRect();
	if (box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth) {
		element.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
		await new Promise(done => { requestAnimationFrame(done); setTimeout(done, 100) });
	}
	if (element.localName === 'select') return {There: true, Hit: false, X: 0, Y: 0};
	for (const box of element.getClientRects()) {
		const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
		const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
		if (right - left < 1 || bottom - top < 1) continue;
		const x = (left + right) / 2, y = (top + bottom) / 2;
		if (element.contains(document.elementFromPoint(x, y))) return {There: true, Hit: true, X: x, Y: y};
	}
	return {There: true, Hit: false, X: 0, Y: 0};
}`

// clickScript clicks what the mouse cannot: what is hidden or covered, and the
// choices of a select.
const clickScript = `i => {
	const element = globalThis.trawlFound?.[i], select = element?.closest('select');
	if (!element) return;
	if (element.localName === 'option' && select) {
		element.selected = true;
		for (const kind of ['input', 'change']) select.dispatchEvent(new Event(kind, {bubbles: true}));
		return;
	}
	element.focus?.();
	if (element.click) element.click();
	else element.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true, composed: true}));
}`

// scroll moves the page by a screen, or an element by its own height; one that
// does not scroll is brought into view.
func (t *tab) scroll(ctx context.Context, selector, direction string) error {
	if selector != "" {
		if _, err := t.find(ctx, selector); err != nil {
			return err
		}
	}
	sign := 1
	if direction == "up" {
		sign = -1
	}
	return t.stir(ctx, lazyTime, func() error { return t.ask(ctx, scrollScript, nil, selector != "", sign) })
}

// scrollScript scrolls what was found, or else the page. Where the page itself
// does not scroll, what fills its middle does in its place.
const scrollScript = `async (found, sign) => {
	const root = document.scrollingElement ?? document.documentElement;
	const scrolls = element => element.scrollHeight > element.clientHeight &&
		(element === root || /auto|scroll/.test(getComputedStyle(element).overflowY));
	let element = root;
	if (found) {
		element = globalThis.trawlFound?.[0];
		if (!element) return;
		if (!scrolls(element)) element.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'});
	} else if (!scrolls(root)) {
		element = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
		while (element && !scrolls(element)) element = element.parentElement;
		element ??= root;
	}
	if (scrolls(element)) {
		const height = element === root ? innerHeight : element.clientHeight;
		element.scrollBy({top: sign * height, behavior: 'instant'});
	}
	await new Promise(done => { requestAnimationFrame(() => setTimeout(done)); setTimeout(done, 100) });
}`
