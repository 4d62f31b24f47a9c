package interact

import (
	"context"
	"path"
	"strconv"
	"strings"
	"time"
)

const (
	waitTime  = 25 * time.Second
	mostWait  = 5 * time.Minute
	pollEvery = 100 * time.Millisecond
	idleTime  = 500 * time.Millisecond // without requests, after which the network is idle
)

// wait waits until something is true of the page.
func (c *call) wait(ctx context.Context) (output, error) {
	flags, err := c.flags([]string{"--state", "--text", "-t", "--url", "-u", "--load", "-l", "--fn", "-f", "--timeout"}, nil)
	if err != nil {
		return output{}, err
	}
	if len(c.args) > 0 && len(flags) == 0 {
		if n, err := strconv.Atoi(c.args[0]); err == nil {
			return c.sleep(ctx, n)
		}
	}
	limit := waitTime
	if text, set := flags["--timeout"]; set {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return output{}, failed("Invalid timeout: %s", clip(text, 50))
		}
		limit = min(time.Duration(n)*time.Millisecond, mostWait)
	}
	p, frame := c.page, c.page.current()
	late := failed("Wait timed out after %dms", limit.Milliseconds())
	ctx, cancel := context.WithTimeoutCause(ctx, limit, late)
	defer cancel()
	text, byText := either(flags, "--text", "-t")
	pattern, byURL := either(flags, "--url", "-u")
	state, byLoad := either(flags, "--load", "-l")
	script, byScript := either(flags, "--fn", "-f")
	switch {
	case byText:
		return output{text, map[string]any{"waited": "text", "text": text}}, p.poll(ctx, func() (yes bool, err error) {
			return yes, p.ask(ctx, frame, expression("hasText", text), &yes)
		})
	case byURL:
		return output{pattern, map[string]any{"waited": "url", "url": pattern}}, p.poll(ctx, func() (bool, error) {
			address, err := p.address(ctx)
			return fits(pattern, address), err
		})
	case byLoad:
		return done, p.waitLoad(ctx, state)
	case byScript:
		return done, p.poll(ctx, func() (yes bool, err error) {
			value, err := p.evaluate(ctx, "(async () => Boolean("+script+"\n))()")
			return string(value) == "true", err
		})
	case len(c.args) == 0:
		return output{}, usage(c.name)
	}
	return done, c.waitElement(ctx, c.args[0], flags["--state"])
}

// sleep waits for a number of milliseconds.
func (c *call) sleep(ctx context.Context, n int) (output, error) {
	d := time.Duration(n) * time.Millisecond
	if n < 0 || d > mostWait {
		return output{}, failed("Invalid time: %d", n)
	}
	if !pause(ctx, d) {
		return output{}, context.Cause(ctx)
	}
	return output{"✓ Done", map[string]any{"waited": "timeout", "ms": n}}, nil
}

// waitElement waits for an element to be in a state: visible unless another is asked for.
func (c *call) waitElement(ctx context.Context, name, state string) error {
	switch state {
	case "", "visible", "hidden", "attached", "detached":
	default:
		return failed("Unknown state: %s", clip(state, 50))
	}
	return c.page.poll(ctx, func() (bool, error) {
		e, err := c.present(ctx, name)
		if err != nil {
			return false, err
		}
		switch state {
		case "attached":
			return e != nil, nil
		case "detached":
			return e == nil, nil
		}
		var seen bool
		if e != nil {
			if err := e.do(ctx, "seen", &seen); err != nil && !isStale(err) {
				return false, err
			}
		}
		return seen == (state != "hidden"), nil
	})
}

// present returns an element if it is there at the moment.
func (c *call) present(ctx context.Context, name string) (*element, error) {
	if ref, is := refOf(name); is {
		if _, known := c.refs[ref]; !known {
			return nil, failed("Unknown ref: %s", ref)
		}
		e, err := c.byRef(ctx, c.page, ref)
		if _, gone := err.(failure); gone {
			return nil, nil
		}
		return e, err
	}
	e, err := c.page.find(ctx, c.page.current(), selector(name))
	if isStale(err) {
		return nil, nil
	}
	if err != nil {
		return nil, badSelector(err, name)
	}
	return e, nil
}

// poll asks until the answer is yes or an error.
func (p *page) poll(ctx context.Context, is func() (bool, error)) error {
	for {
		yes, err := is()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if yes || err != nil && !isStale(err) {
			return err
		}
		if !pause(ctx, pollEvery) {
			return context.Cause(ctx)
		}
	}
}

// waitLoad waits until the page is as far as said.
func (p *page) waitLoad(ctx context.Context, state string) error {
	switch state {
	case "load":
		return p.until(ctx, func() bool { return !p.loading })
	case "domcontentloaded":
		return p.until(ctx, func() bool { return p.parsed })
	case "networkidle":
		return p.poll(ctx, func() (bool, error) {
			p.mu.Lock()
			defer p.mu.Unlock()
			return !p.loading && len(p.open) == 0 && time.Since(p.lastTraffic) >= idleTime, nil
		})
	}
	return failed("Unknown load state: %s", clip(state, 50))
}

// fits reports whether an address is meant by a pattern: a glob in which ** stands for
// anything and * for anything but a slash, or a part of the address.
func fits(pattern, address string) bool {
	if !strings.ContainsAny(pattern, "*?") {
		return strings.Contains(address, pattern)
	}
	before, after, deep := strings.Cut(pattern, "**")
	if !deep {
		ok, err := path.Match(pattern, address)
		return ok && err == nil || strings.Contains(pattern, "?") && strings.Contains(address, pattern)
	}
	for i := 0; i <= len(address); i++ {
		if ok, err := path.Match(before, address[:i]); err != nil || !ok {
			continue
		}
		for j := i; j <= len(address); j++ {
			if fitsRest(after, address[j:]) {
				return true
			}
		}
	}
	return false
}

func fitsRest(pattern, rest string) bool {
	if strings.Contains(pattern, "**") {
		return fits(pattern, rest)
	}
	ok, err := path.Match(pattern, rest)
	return ok && err == nil
}
