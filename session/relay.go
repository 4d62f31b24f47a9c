package session

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/cdp"
)

// Bounds of a session's clients.
const (
	mostClients = 20
	mostCommand = 64 << 20  // bytes
	mostWaiting = 64 << 20  // bytes that a client has not read yet
	mostUnread  = 512 << 20 // bytes that all clients of a node have not read yet, but for
	fairWaiting = 4 << 20   // what each may have
	mostBad     = 100       // messages that are no commands

	pingEvery = 30 * time.Second
	pongTime  = 90 * time.Second // a program that somebody debugs stands still for a while
	admitTime = 5 * time.Second
	drainTime = time.Second     // for the last messages when a session ends
	partTime  = 2 * time.Second // to close a connection in good order
)

var errOverflow = errors.New("client does not read")

// client is a program that drives the browser. What it says goes through the filter
// to the browser, what the browser says waits in its outbox until it is read: nobody
// waits for a client.
type client struct {
	session *running
	conn    *websocket.Conn
	guest   *cdp.Guest
	filter  filter
	outbox  outbox
	bad     int

	parting sync.Once
	parted  chan struct{} // closed when there is a reason to part
	code    websocket.StatusCode
	reason  string

	mu      sync.Mutex
	targets map[string]string // of its sessions
}

// drive serves a client until either side ends.
func (r *running) drive(ctx context.Context, conn *websocket.Conn) {
	defer r.clients.Add(-1)
	if r.clients.Add(1) > mostClients {
		_ = conn.Close(websocket.StatusTryAgainLater, "too many clients drive this session")
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &client{
		session: r, conn: conn, filter: filter{is: r.tabs.is}, outbox: outbox{more: make(chan struct{}, 1), unread: &r.manager.unread},
		parted: make(chan struct{}), targets: map[string]string{},
	}
	waiting, stop := context.WithTimeout(ctx, r.manager.Patience.Limit(admitTime)) // the end of the session waits for this
	guest, err := r.process.Conn().Admit(waiting, c.deliver)
	stop()
	if err != nil {
		_ = conn.Close(websocket.StatusInternalError, "the browser does not answer")
		return
	}
	c.guest = guest
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), partTime)
		defer cancel()
		guest.Leave(ctx)
	}()
	c.serve(ctx, cancel)
}

// serve passes messages both ways until there is a reason to part.
func (c *client) serve(ctx context.Context, cancel context.CancelFunc) {
	var all sync.WaitGroup
	written := make(chan struct{})
	all.Go(func() { c.read(ctx) })
	all.Go(func() { c.ping(ctx) })
	all.Go(func() {
		defer close(written)
		c.write(ctx)
	})
	c.wait()
	if c.code == closeEnded { // the answer to the command that ended it is to arrive
		c.outbox.finish()
		select {
		case <-written:
		case <-time.After(drainTime):
		}
	}
	// A client that neither reads nor answers is cut when the context ends.
	cut := time.AfterFunc(partTime, cancel)
	_ = c.conn.Close(c.code, c.reason)
	cut.Stop()
	cancel()
	all.Wait()
	c.outbox.drop()
}

// wait returns when client and session part, and notes why.
func (c *client) wait() {
	select {
	case <-c.parted:
		return
	case <-c.session.over():
	case <-c.guest.Done(): // the client was put out, or the browser is gone, which ends the session soon
		select {
		case <-c.parted:
			return
		case <-c.session.over():
		case <-time.After(partTime):
			c.part(websocket.StatusInternalError, "the browser does not answer")
			return
		}
	}
	c.part(closeEnded, c.session.reason())
}

// part notes a reason to part; the first one counts.
func (c *client) part(code websocket.StatusCode, reason string) {
	c.parting.Do(func() {
		c.code, c.reason = code, reason
		close(c.parted)
	})
}

// read takes the commands of the client.
func (c *client) read(ctx context.Context) {
	c.conn.SetReadLimit(mostCommand)
	for {
		kind, data, err := c.conn.Read(ctx)
		if err != nil {
			c.part(websocket.StatusNormalClosure, "")
			return
		}
		if kind != websocket.MessageText {
			data = nil // and therefore no command
		}
		if err := c.handle(ctx, data); err != nil {
			c.part(websocket.StatusInternalError, "the browser does not answer")
			return
		}
		if c.bad > mostBad {
			c.part(websocket.StatusPolicyViolation, "too many messages are not commands")
			return
		}
	}
}

// handle deals with one message of the client.
func (c *client) handle(ctx context.Context, data []byte) error {
	m, hasID, refused := parse(data)
	if refused != nil {
		c.bad++
		c.answer(m, hasID, refused)
		return nil
	}
	c.session.touch()
	c.mu.Lock()
	target := c.targets[m.session]
	c.mu.Unlock()
	v := c.filter.check(m, target)
	switch {
	case v.refused != nil:
		c.answer(m, true, v.refused)
		return nil
	case v.ends:
		c.answer(m, true, nil)
		c.session.end(trawl.EndClosed)
		return nil
	}
	c.follow(m)
	return c.guest.Send(ctx, cdp.GuestCommand{ID: m.id, Method: m.method, Params: v.params, SessionID: m.session})
}

// answer answers a command in the browser's place.
func (c *client) answer(m command, hasID bool, refused *cdp.Error) {
	var answer struct {
		ID        *int64         `json:"id,omitzero"`
		Error     *cdp.Error     `json:"error,omitzero"`
		Result    jsontext.Value `json:"result,omitzero"`
		SessionID string         `json:"sessionId,omitzero"`
	}
	if hasID {
		answer.ID = &m.id
	}
	answer.Error, answer.SessionID = refused, m.session
	if refused == nil {
		answer.Result = jsontext.Value(`{}`)
	}
	if data, err := json.Marshal(answer, jsontext.AllowInvalidUTF8(true)); err == nil {
		_ = c.put(data)
	}
}

// follow lets views show the page that the client turns to.
func (c *client) follow(m command) {
	var to struct {
		TargetID string `json:"targetId"`
	}
	switch m.method {
	case "Target.activateTarget":
		_ = json.Unmarshal(m.params, &to)
	case "Page.bringToFront":
		c.mu.Lock()
		to.TargetID = c.targets[m.session]
		c.mu.Unlock()
	default:
		return
	}
	c.session.tabs.front(to.TargetID)
}

// deliver takes what the browser says to the client; it never blocks.
func (c *client) deliver(message []byte) error {
	if bytes.HasPrefix(message, []byte(`{"method":"Target.`)) && !c.shows(message) {
		return nil
	}
	return c.put(message)
}

// shows looks at news of targets. Those that are the browser's own are not told.
func (c *client) shows(message []byte) bool {
	var event struct {
		Method string `json:"method"`
		Params struct {
			SessionID string `json:"sessionId"`
			Target    *struct {
				ID   string `json:"targetId"`
				Type string `json:"type"`
				URL  string `json:"url"`
			} `json:"targetInfo"`
		} `json:"params"`
	}
	if json.Unmarshal(message, &event, jsontext.AllowInvalidUTF8(true)) != nil {
		return false
	}
	p := event.Params
	if p.Target == nil {
		if event.Method == "Target.detachedFromTarget" {
			c.mu.Lock()
			delete(c.targets, p.SessionID)
			c.mu.Unlock()
		}
		return true
	}
	if !visible(p.Target.Type, p.Target.URL) {
		return false
	}
	if event.Method == "Target.attachedToTarget" {
		c.mu.Lock()
		c.targets[p.SessionID] = p.Target.ID
		c.mu.Unlock()
	}
	return true
}

// visible reports whether clients hear of a target. Parts of pages always belong to
// them: one that is not told of would wait for its client without end. And a client
// may attach to the browser, where the filter is the same.
func visible(of, address string) bool {
	switch of {
	case "browser", "iframe", "webview":
		return true
	}
	return kindOf(of, address) == ofWeb
}

func (c *client) put(message []byte) error {
	if !c.outbox.put(message) {
		c.part(websocket.StatusPolicyViolation, "too much waits to be read")
		return errOverflow
	}
	return nil
}

// write hands the client what waits for it.
func (c *client) write(ctx context.Context) {
	for {
		message, ok := c.outbox.take(ctx)
		if !ok {
			return
		}
		if err := c.conn.Write(ctx, websocket.MessageText, message); err != nil {
			c.part(websocket.StatusNormalClosure, "")
			return
		}
		c.outbox.done(message)
	}
}

// ping notices clients that are gone without a word.
func (c *client) ping(ctx context.Context) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		wait, cancel := context.WithTimeout(ctx, pongTime)
		err := c.conn.Ping(wait)
		cancel()
		if err != nil {
			c.part(websocket.StatusPolicyViolation, "no answer to a ping")
			return
		}
	}
}

// outbox is what a client has not read yet.
type outbox struct {
	more chan struct{} // something changed

	unread *atomic.Int64 // bytes, of all clients

	mu       sync.Mutex
	messages [][]byte
	bytes    int
	last     bool // nothing more will come
	closed   bool // nothing more is taken
}

// put adds a message; it reports false if there is no room. A single one, however
// large, has it.
func (o *outbox) put(message []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	bytes := o.bytes + len(message)
	if o.closed || o.bytes > 0 && bytes > mostWaiting || bytes > fairWaiting && o.unread.Load() > mostUnread {
		return false
	}
	o.messages = append(o.messages, message)
	o.bytes = bytes
	o.unread.Add(int64(len(message)))
	o.wake()
	return true
}

// finish makes take end when all that is there is taken.
func (o *outbox) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = true
	o.wake()
}

func (o *outbox) wake() {
	select {
	case o.more <- struct{}{}:
	default:
	}
}

// take waits for the next message; there is none when the context ends.
func (o *outbox) take(ctx context.Context) (message []byte, ok bool) {
	for {
		o.mu.Lock()
		if len(o.messages) > 0 {
			message, o.messages[0] = o.messages[0], nil
			o.messages = o.messages[1:]
			o.mu.Unlock()
			return message, true
		}
		last := o.last
		o.mu.Unlock()
		if last {
			return nil, false
		}
		select {
		case <-o.more:
		case <-ctx.Done():
			return nil, false
		}
	}
}

// done makes room again for what was written.
func (o *outbox) done(message []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bytes -= len(message)
	o.unread.Add(-int64(len(message)))
}

// drop forgets what nobody will read any more.
func (o *outbox) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unread.Add(-int64(o.bytes))
	o.messages, o.bytes, o.closed = nil, 0, true
}
