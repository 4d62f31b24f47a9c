package session

import (
	"context"
	"errors"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/interact"
	"github.com/trawlhq/trawl/llm"
)

// Execute runs something in a session of this process. It is a use of the session. If
// the session is over, or ends meanwhile, the error has CodeGone.
func (m *Manager) Execute(ctx context.Context, id string, order trawl.SessionOrder) (trawl.Execution, error) {
	r := m.find(id)
	if r == nil || !r.join() {
		return trawl.Execution{}, trawl.ErrSessionOver()
	}
	defer r.sockets.Done()
	return r.execute(ctx, order)
}

func (r *running) execute(ctx context.Context, order trawl.SessionOrder) (trawl.Execution, error) {
	if order.Code == "" {
		return r.obey(ctx, order)
	}
	if order.Language != trawl.LanguageBash {
		return trawl.Execution{ExitCode: 1, Stderr: noCode(order.Language)}, nil
	}
	ctx, cancel := r.bounded(ctx, order.Time)
	defer cancel()
	defer r.using(ctx)()
	result, err := r.browser().Run(ctx, interact.Script{Lines: order.Code, CDPURL: order.CDPURL, Base: order.Base})
	if err != nil {
		return trawl.Execution{}, r.broken(ctx, err)
	}
	return trawl.Execution{
		Stdout: result.Stdout, Result: result.Last, Stderr: result.Stderr, ExitCode: result.ExitCode, Killed: result.Killed, Truncated: result.Truncated,
	}, nil
}

// obey does what words say.
func (r *running) obey(ctx context.Context, order trawl.SessionOrder) (trawl.Execution, error) {
	if err := r.manager.Store.PromptSession(ctx, r.row.ID); err != nil {
		return trawl.Execution{}, err
	}
	ctx, cancel := r.bounded(ctx, order.Time)
	defer cancel()
	defer r.using(ctx)()
	done, err := r.browser().Do(llm.For(ctx, r.row.TeamID, true), interact.Task{Words: order.Prompt, CDPURL: order.CDPURL, Base: order.Base})
	if err != nil {
		return trawl.Execution{}, r.broken(ctx, err)
	}
	return trawl.Execution{
		Output: done.Answer, Stdout: done.Stdout, Result: done.Last, Stderr: done.Stderr, ExitCode: done.ExitCode, Killed: done.Killed, Truncated: done.Truncated,
	}, nil
}

// noCode is what is told of a language that nothing runs.
func noCode(language string) string {
	return "This server does not run " + language + " code. Send agent-browser commands with language bash, a prompt to interact, " +
		"or connect to the session's cdpUrl with Playwright or Puppeteer."
}

// bounded returns a context that ends with the session, and when the time is up.
func (r *running) bounded(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	ctx, end := context.WithCancelCause(ctx)
	stop := make(chan struct{})
	go func() {
		select {
		case <-r.over():
			end(trawl.ErrSessionOver())
		case <-stop:
		}
	}()
	return ctx, func() {
		close(stop)
		end(nil)
		cancel()
	}
}

// using counts what runs as a use of the session, from its beginning to its end.
func (r *running) using(ctx context.Context) (done func()) {
	r.touch()
	stop := context.AfterFunc(ctx, r.touch)
	tick := time.NewTicker(time.Second)
	quit := make(chan struct{})
	go func() {
		for {
			select {
			case <-tick.C:
				r.touch()
			case <-quit:
				return
			}
		}
	}()
	return func() {
		stop()
		tick.Stop()
		close(quit)
		r.touch()
	}
}

// broken is the error of something that could not run to its end.
func (r *running) broken(ctx context.Context, err error) error {
	if _, known := errors.AsType[*trawl.Error](err); known {
		return err
	}
	if r.ended() || errors.Is(err, cdp.ErrClosed) {
		return trawl.ErrSessionOver()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return trawl.Wrap(trawl.CodeBadGateway, "The browser of the session failed.", err)
}

// browser returns what runs commands in the session.
func (r *running) browser() *interact.Browser {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.commands == nil {
		config := interact.Config{Conn: r.process.Conn(), Tabs: openTabs{r.tabs}, Markdown: r.manager.Markdown, Model: r.manager.Model, Patience: r.manager.Patience}
		if keep := r.manager.Keep; keep != nil {
			config.Keep = func(ctx context.Context, base, contentType string, data []byte) (string, error) {
				return keep(ctx, r.row.TeamID, base, contentType, data)
			}
		}
		r.commands = interact.New(config)
	}
	return r.commands
}

// openTabs are the tabs of a session as commands see them.
type openTabs struct{ *tabs }

func (t openTabs) Refresh(ctx context.Context) error { return t.refresh(ctx) }
func (t openTabs) Front(id string) bool              { return t.front(id) }
func (t openTabs) Changes() <-chan struct{}          { return t.changes() }

func (t openTabs) List() (list []interact.Tab, active string) {
	pages, active := t.list()
	for _, p := range pages {
		list = append(list, interact.Tab{ID: p.id, Title: p.title, Address: p.address, Context: p.context})
	}
	return list, active
}

// Live returns the page of a session that is looked at as it is. If the session is over
// the error has CodeNotFound.
func (m *Manager) Live(ctx context.Context, id string, want trawl.LiveOrder) (trawl.LivePage, error) {
	r := m.find(id)
	if r == nil || !r.join() {
		return trawl.LivePage{}, trawl.ErrNoSession()
	}
	defer r.sockets.Done()
	ctx, cancel := r.bounded(ctx, m.Patience.Limit(liveTime))
	defer cancel()
	r.touch()
	page, err := r.browser().Live(ctx, want)
	switch {
	case err == nil:
		return page, nil
	case r.ended():
		return trawl.LivePage{}, trawl.ErrNoSession()
	case ctx.Err() != nil:
		return trawl.LivePage{}, trawl.Wrap(trawl.CodeTimeout, "The page of the session did not answer in time.", err)
	}
	return trawl.LivePage{}, trawl.Wrap(trawl.CodeEngines, "The page of the session cannot be read: "+err.Error(), err)
}

// liveTime is how long a page may take to be read.
const liveTime = 30 * time.Second
