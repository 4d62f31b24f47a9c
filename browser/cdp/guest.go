package cdp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

// Bounds of what a guest may keep open.
const (
	guestSessions = 10_000
	guestCommands = 10_000
	guestBytes    = 256 << 20 // of commands that are not answered yet
)

// attached is the event that tells of a new session.
const attached = "Target.attachedToTarget"

// Guest is a client of somebody else on our connection. It has a session of its
// own with the browser, its root, and owns that session and all that are attached
// below it. What it sends and gets looks as if it had a connection for itself: its
// ids are its own, and messages of its root name no session. It neither sees the
// sessions of others nor can name them. It is safe for concurrent use.
type Guest struct {
	conn    *Conn
	root    string
	deliver func(message []byte) error
	gone    chan struct{} // closed when it is put out

	leaving sync.Once
	// These are guarded by the lock of the connection.
	sessions int
	commands int
	bytes    int
}

// GuestCommand is a command as a guest gives it.
type GuestCommand struct {
	ID        int64
	Method    string
	Params    jsonv2.Value // none, or an object
	SessionID string       // empty for its root
}

// attachment is a session that a guest owns.
type attachment struct {
	guest    *Guest
	parent   string
	children map[string]struct{}
	open     map[int64]struct{} // its commands that are not answered
}

// errand is a command of a guest that waits for its answer.
type errand struct {
	guest   *Guest
	id      int64 // as the guest knows it
	session string
	bytes   int
}

// Admit lets a guest in. Its messages are given to deliver, one at a time for those
// of the browser, which are read by nobody else meanwhile: it must not block. Refusals
// of [Guest.Send] come at any time. The bytes are the receiver's to keep. If deliver
// returns an error the guest is put out. [Guest.Leave] must be called in the end.
func (c *Conn) Admit(ctx context.Context, deliver func(message []byte) error) (*Guest, error) {
	var root struct {
		SessionID string `json:"sessionId"`
	}
	if err := c.Browser().Call(ctx, "Target.attachToBrowserTarget", nil, &root); err != nil {
		return nil, fmt.Errorf("admit guest: %w", err)
	}
	if root.SessionID == "" {
		return nil, errors.New("admit guest: the browser names no session")
	}
	g := &Guest{conn: c, root: root.SessionID, deliver: deliver, gone: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, fmt.Errorf("admit guest: %w", c.err)
	}
	c.attach(g, root.SessionID, "")
	return g, nil
}

// Done is closed when the guest is out: it left, its messages could not be
// delivered, or the browser is gone.
func (g *Guest) Done() <-chan struct{} { return g.gone }

// Leave puts the guest out and lets the browser end its sessions, with the
// contexts that it made to be disposed of then.
func (g *Guest) Leave(ctx context.Context) {
	g.putOut()
	// A browser that is gone has ended them already; nothing else can be done about
	// one that refuses.
	_ = g.conn.Browser().Call(ctx, "Target.detachFromTarget", map[string]string{"sessionId": g.root}, nil)
}

// Send passes a command on. One that the guest may not send, because it has too many
// open or the session is not its own, is answered with the protocol's error and never
// sent. The error is that of the connection, which is of no use any more.
func (g *Guest) Send(ctx context.Context, m GuestCommand) error {
	session := m.SessionID
	if session == "" {
		session = g.root
	}
	id, refused, err := g.open(m, session)
	if err != nil {
		return err
	}
	if refused != nil {
		return g.refuse(m, refused)
	}
	out := command{ID: id, Method: m.Method, SessionID: session}
	if len(m.Params) > 0 {
		out.Params = m.Params
	}
	data, err := jsonv2.Marshal(out, lenient)
	if err != nil {
		g.forget(id)
		return g.refuse(m, &Error{Code: -32600, Message: "Message cannot be written as JSON"})
	}
	if err := g.conn.write(ctx, append(data, 0)); err != nil {
		g.forget(id)
		return fmt.Errorf("send command of guest: %w", err)
	}
	return nil
}

// open notes a command, if the guest may send it.
func (g *Guest) open(m GuestCommand, session string) (id int64, refused *Error, err error) {
	c := g.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, nil, c.err
	}
	a := c.attached[session]
	switch {
	case a == nil || a.guest != g:
		return 0, &Error{Code: -32001, Message: "Session with given id not found."}, nil
	case g.commands >= guestCommands || g.bytes+len(m.Params) > guestBytes:
		return 0, &Error{Code: -32000, Message: "Too many commands wait for their answers."}, nil
	case g.sessions >= guestSessions && strings.HasPrefix(m.Method, "Target.attach"):
		return 0, &Error{Code: -32000, Message: "Too many sessions are attached."}, nil
	}
	c.last++
	c.errands[c.last] = errand{guest: g, id: m.ID, session: session, bytes: len(m.Params)}
	a.open[c.last] = struct{}{}
	g.commands++
	g.bytes += len(m.Params)
	return c.last, nil, nil
}

func (g *Guest) forget(id int64) {
	g.conn.mu.Lock()
	defer g.conn.mu.Unlock()
	g.conn.takeErrand(id)
}

// refuse answers a command in the browser's place.
func (g *Guest) refuse(m GuestCommand, why *Error) error {
	answer := struct {
		ID        int64  `json:"id"`
		Error     *Error `json:"error"`
		SessionID string `json:"sessionId,omitempty"`
	}{m.ID, why, m.SessionID}
	data, err := jsonv2.Marshal(answer, lenient)
	if err != nil {
		return fmt.Errorf("refuse command of guest: %w", err)
	}
	g.give(data)
	return nil
}

// give hands the guest a message.
func (g *Guest) give(data []byte) {
	if g.deliver(data) != nil {
		g.putOut()
	}
}

// putOut forgets all that the guest has.
func (g *Guest) putOut() {
	g.conn.mu.Lock()
	defer g.conn.mu.Unlock()
	g.conn.drop(g.root)
}

func (g *Guest) leave() { g.leaving.Do(func() { close(g.gone) }) }

// attach makes a session a guest's, unless it has too many: to those it did not ask
// for, as they come by themselves, it cannot talk. The lock is held.
func (c *Conn) attach(g *Guest, session, parent string) {
	if g.sessions >= guestSessions || session == "" || c.attached[session] != nil || c.sessions[session] != nil {
		return
	}
	c.attached[session] = &attachment{guest: g, parent: parent, children: map[string]struct{}{}, open: map[int64]struct{}{}}
	if above := c.attached[parent]; above != nil {
		above.children[session] = struct{}{}
	}
	g.sessions++
}

// drop forgets a session of a guest, those below it, and the commands that they will
// never answer. Without its root, the guest is out. The lock is held.
func (c *Conn) drop(session string) {
	a := c.attached[session]
	if a == nil {
		return
	}
	delete(c.attached, session)
	a.guest.sessions--
	if session == a.guest.root {
		a.guest.leave()
	}
	for id := range a.open {
		c.takeErrand(id)
	}
	if above := c.attached[a.parent]; above != nil {
		delete(above.children, session)
	}
	for child := range a.children {
		c.drop(child)
	}
}

// takeErrand returns a command that waited, and forgets it. The lock is held.
func (c *Conn) takeErrand(id int64) (errand, bool) {
	e, ok := c.errands[id]
	if !ok {
		return errand{}, false
	}
	delete(c.errands, id)
	e.guest.commands--
	e.guest.bytes -= e.bytes
	if a := c.attached[e.session]; a != nil {
		delete(a.open, id)
	}
	return e, true
}

// toGuest passes a message to the guest that it is for, and reports whether it was
// for one. Browsers put the id or the method of a message first and its session
// last, so that nothing between has to be read; whatever looks different is
// decoded as a whole.
func (c *Conn) toGuest(data []byte) bool {
	if id, ok := answerOf(data); ok {
		return c.answerGuest(data, id)
	}
	method, isEvent := eventOf(data)
	if session, ok := sessionOf(data); ok && isEvent {
		return c.tellGuest(data, string(method), string(session))
	}
	if isEvent && isPlain(data, method) {
		return false
	}
	var m message
	if err := jsonv2.Unmarshal(data, &m, lenient); err != nil {
		return false
	}
	if m.ID != 0 {
		return c.answerGuest(data, m.ID)
	}
	return c.tellGuest(data, m.Method, m.SessionID)
}

func (c *Conn) answerGuest(data []byte, id int64) bool {
	c.mu.Lock()
	e, ok := c.takeErrand(id)
	c.mu.Unlock()
	if !ok {
		return false
	}
	out, ok := translate(data, &e.id, e.guest.root)
	if ok {
		e.guest.give(out)
	}
	return ok
}

func (c *Conn) tellGuest(data []byte, method, session string) bool {
	c.mu.Lock()
	a := c.attached[session]
	c.mu.Unlock()
	if a == nil {
		return false
	}
	if method == attached || method == detached {
		c.follow(a.guest, data, session)
	}
	out, ok := translate(data, nil, a.guest.root)
	if ok {
		a.guest.give(out)
	}
	return ok
}

// follow notes which sessions a guest gets and loses.
func (c *Conn) follow(g *Guest, data []byte, parent string) {
	var event struct {
		Method string `json:"method"`
		Params struct {
			SessionID string `json:"sessionId"`
		} `json:"params"`
	}
	if jsonv2.Unmarshal(data, &event, lenient) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if event.Method == attached {
		c.attach(g, event.Params.SessionID, parent)
	} else if a := c.attached[event.Params.SessionID]; a != nil && a.guest == g {
		c.drop(event.Params.SessionID)
	}
}

// The places of ids and sessions in messages.
var (
	idPrefix      = []byte(`{"id":`)
	sessionSuffix = []byte(`,"sessionId":"`)
	plainParams   = []byte(`","params":{`)
)

// answerOf returns the id of a message that begins with one.
func answerOf(data []byte) (id int64, ok bool) {
	rest, ok := bytes.CutPrefix(data, idPrefix)
	end := bytes.IndexByte(rest[:min(len(rest), 20)], ',')
	if !ok || end < 0 {
		return 0, false
	}
	id, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	return id, err == nil && id > 0
}

// sessionOf returns the session of a message that ends with it. Nothing inside of
// the message can end like that: quotes in strings are escaped, and only one
// brace closes.
func sessionOf(data []byte) (session []byte, ok bool) {
	tail := data[max(len(data)-80, 0):]
	at := bytes.LastIndex(tail, sessionSuffix)
	rest, ok := bytes.CutSuffix(tail, []byte(`"}`))
	if at < 0 || !ok || at+len(sessionSuffix) > len(rest) {
		return nil, false
	}
	session = rest[at+len(sessionSuffix):]
	return session, !bytes.ContainsAny(session, `"\`)
}

// isPlain reports whether an event has nothing but a method and parameters.
func isPlain(data, method []byte) bool {
	rest := data[min(len(`{"method":"`)+len(method), len(data)):]
	return bytes.HasPrefix(rest, plainParams) && bytes.HasSuffix(data, []byte(`}}`))
}

// translate returns a copy of a message with the id that the guest gave, if it is an
// answer, and without its session if that is the root. It fails if the message is
// not one.
func translate(data []byte, id *int64, root string) (out []byte, ok bool) {
	session, tailed := sessionOf(data)
	_, isAnswer := answerOf(data)
	if _, isEvent := eventOf(data); !tailed || isAnswer != (id != nil) || isEvent == isAnswer {
		return rewrite(data, id, root)
	}
	begin, end := 0, len(data)
	out = make([]byte, 0, len(data)+20)
	if id != nil {
		out = strconv.AppendInt(append(out, idPrefix...), *id, 10)
		begin = bytes.IndexByte(data, ',')
	}
	if string(session) != root {
		return append(out, data[begin:end]...), true
	}
	end -= len(sessionSuffix) + len(root) + len(`"}`)
	return append(append(out, data[begin:end]...), '}'), true
}

// rewrite is translate for messages of any layout.
func rewrite(data []byte, id *int64, root string) (out []byte, ok bool) {
	var m struct {
		ID        *int64       `json:"id,omitzero"`
		Method    string       `json:"method,omitzero"`
		Params    jsonv2.Value `json:"params,omitzero"`
		Result    jsonv2.Value `json:"result,omitzero"`
		Error     jsonv2.Value `json:"error,omitzero"`
		SessionID string       `json:"sessionId,omitzero"`
	}
	if err := jsonv2.Unmarshal(data, &m, lenient); err != nil {
		return nil, false
	}
	m.ID = id
	if m.SessionID == root {
		m.SessionID = ""
	}
	out, err := jsonv2.Marshal(m, lenient)
	return out, err == nil
}
