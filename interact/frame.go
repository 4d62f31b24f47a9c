package interact

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trawlhq/trawl/browser/cdp"
)

//go:embed inside.js
var insideScript string

// inside returns the world of a frame in which our scripts run.
func (p *page) inside(ctx context.Context, frame protocol.FrameID) (world, error) {
	p.mu.Lock()
	w, known := p.worlds[frame]
	p.mu.Unlock()
	if known {
		return w, nil
	}
	session := p.speaker(frame)
	made, err := protocol.Call(ctx, session, cdppage.CreateIsolatedWorld, cdppage.CreateIsolatedWorldParams{FrameID: frame, WorldName: "trawl"})
	if err != nil {
		return world{}, err
	}
	w = world{session, made.ExecutionContextID}
	if err := w.run(ctx, insideScript+";0", nil); err != nil {
		return world{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.worlds[frame] = w
	return w, nil
}

// forget makes the world of a frame be made again.
func (p *page) forget(frame protocol.FrameID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.worlds, frame)
}

// ask runs a script in our world of a frame and decodes its value. A document that was
// left meanwhile is replaced by the one that took its place.
func (p *page) ask(ctx context.Context, frame protocol.FrameID, script string, result any) error {
	for attempt := 0; ; attempt++ {
		w, err := p.inside(ctx, frame)
		if err == nil {
			err = w.run(ctx, script, result)
		}
		if err == nil || attempt >= 5 || !isStale(err) || ctx.Err() != nil {
			return err
		}
		p.forget(frame)
		if attempt > 0 {
			pause(ctx, 50*time.Millisecond)
		}
	}
}

// pause waits, and reports false if the context ended before.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// answer is what the browser says of a script.
type answer struct {
	Result struct {
		Type     string                 `json:"type"`
		Subtype  string                 `json:"subtype"`
		ObjectID runtime.RemoteObjectID `json:"objectId"`
		Value    json.RawMessage        `json:"value"`
		Odd      string                 `json:"unserializableValue"`
	} `json:"result"`
	Exception *runtime.ExceptionDetails `json:"exceptionDetails"`
}

// thrown is what a script threw.
type thrown struct{ text string }

func (t *thrown) Error() string { return t.text }

func (a *answer) fault() error {
	if a.Exception != nil {
		return &thrown{exception(a.Exception)}
	}
	return nil
}

// run evaluates an expression in a world, waits for it if it is a promise, and decodes
// its value.
func (w world) run(ctx context.Context, script string, result any) error {
	var a answer
	err := w.session.Call(ctx, runtime.Evaluate.Method, runtime.EvaluateParams{
		Expression: script, ContextID: w.id, ReturnByValue: new(true), AwaitPromise: new(true),
	}, &a)
	if err == nil {
		err = a.fault()
	}
	if err != nil {
		return cause(ctx, err)
	}
	return decode(a.Result.Value, result)
}

func decode(value json.RawMessage, result any) error {
	if result == nil || len(value) == 0 {
		return nil
	}
	return json.Unmarshal(value, result)
}

// cause says why a call ended that its context ended.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if errors.Is(err, cdp.ErrGone) {
		return errTabClosed
	}
	return err
}

// isStale reports whether the document that a script was meant for is gone.
func isStale(err error) bool {
	refused, ok := errors.AsType[*cdp.Error](err)
	if !ok {
		return false
	}
	for _, text := range []string{"context with specified id", "context was destroyed", "navigated or closed", "Promise was collected", "No frame for given id", "Not attached to an active page", "uniqueContextId not found"} {
		if strings.Contains(refused.Message, text) {
			return true
		}
	}
	return false
}

// expression writes a call of one of our functions with arguments.
func expression(function string, args ...any) string {
	list := make([]string, len(args))
	for i, arg := range args {
		data, err := json.Marshal(arg)
		if err != nil {
			data = []byte("null")
		}
		list[i] = string(data)
	}
	return fmt.Sprintf("trawl.%s(%s)", function, strings.Join(list, ","))
}
