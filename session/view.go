package session

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/coder/websocket"
)

const (
	mostSent    = 1 << 20          // bytes that a view may send at once
	mostDialog  = 2000             // bytes of what a page says in a dialog
	slowTime    = 10 * time.Second // after which a view that does not read is cut off
	beatTime    = 5 * time.Second  // between two states if nothing changes
	writeTime   = 40 * time.Millisecond
	closeTime   = time.Second // for the goodbye
	mostReplies = 8
)

// viewer is the socket of a view. It is sent pictures (see [picture]) as binary
// messages and everything else as JSON. If it may take part it sends gestures.
type viewer struct {
	conn     *websocket.Conn
	interact bool
	patience time.Duration // with one that does not read
	wake     chan struct{} // there is something to send
	replies  chan reply
}

// viewState is what a view shows around the picture.
type viewState struct {
	Type        string      `json:"type"` // "state"
	Interactive bool        `json:"interactive"`
	Tabs        []viewTab   `json:"tabs"`
	Loading     bool        `json:"loading"`
	Stuck       bool        `json:"stuck"`   // the page does not answer
	Crashed     bool        `json:"crashed"` // the page is no more
	Back        bool        `json:"canGoBack"`
	Forward     bool        `json:"canGoForward"`
	Dialog      *viewDialog `json:"dialog"`
	ExpiresAt   time.Time   `json:"expiresAt"`
	SecondsLeft float64     `json:"secondsLeft"` // until then, by the clock of the server
	ActivityTTL float64     `json:"activityTtl"` // seconds without use after which the session ends
	IdleLeft    float64     `json:"idleSecondsLeft"`
}

type viewTab struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Address string `json:"address"`
	Active  bool   `json:"active"`
}

// viewDialog is a question of a page, which waits for the answer.
type viewDialog struct {
	Kind    string `json:"kind"` // alert, confirm, prompt or beforeunload
	Site    string `json:"site"`
	Message string `json:"message"`
	Default string `json:"default"`
}

// reply is for one view alone: a notice, what it asked to copy, or a list to choose
// from.
type reply struct {
	Type    string   `json:"type"` // "notice", "copied" or "list"
	Text    string   `json:"text"`
	Options []option `json:"options,omitempty"`
}

// watch streams the session to a view until either ends. Watching is no use of the
// session; what a view that may take part does is.
func (r *running) watch(ctx context.Context, conn *websocket.Conn, interact bool) {
	r.stream(ctx, &viewer{conn: conn, interact: interact, patience: slowTime, wake: make(chan struct{}, 1), replies: make(chan reply, mostReplies)})
}

func (r *running) stream(ctx context.Context, v *viewer) {
	if !r.cast.join(r, v) {
		_ = v.conn.Close(websocket.StatusTryAgainLater, "too many viewers")
		return
	}
	defer r.cast.leave(r, v)
	v.conn.SetReadLimit(mostSent)
	ctx, cancel := context.WithCancel(ctx)
	var tasks sync.WaitGroup
	defer tasks.Wait()
	defer cancel()
	left := make(chan farewell, 2)
	tasks.Go(func() { left <- v.read(ctx, r) })
	tasks.Go(func() { left <- v.beat(ctx) })
	bye := v.write(ctx, r, left)
	if bye.code == 0 {
		_ = v.conn.CloseNow()
		return
	}
	timer := time.AfterFunc(closeTime, cancel) // the end of a session does not wait for those who do not answer
	defer timer.Stop()
	_ = v.conn.Close(bye.code, bye.reason)
}

// farewell is how a socket is closed; with no code there is nobody to tell.
type farewell struct {
	code   websocket.StatusCode
	reason string
}

// beat finds out whether the other side still reads.
func (v *viewer) beat(ctx context.Context) farewell {
	ticker := time.NewTicker(v.patience)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return farewell{}
		case <-ticker.C:
		}
		ping, cancel := context.WithTimeout(ctx, v.patience)
		err := v.conn.Ping(ping)
		cancel()
		if err != nil {
			return farewell{}
		}
	}
}

// write sends the newest picture and state whenever there are new ones. A view that
// is slow to take them misses those in between.
func (v *viewer) write(ctx context.Context, r *running, left <-chan farewell) farewell {
	beat := time.NewTicker(beatTime)
	defer beat.Stop()
	calm := time.NewTicker(writeTime) // changes in quick succession are sent as one
	defer calm.Stop()
	var sent *picture
	var known string
	for {
		again := false
		select {
		case <-v.wake:
		case <-beat.C:
			again = true
		case answer := <-v.replies:
			if v.send(ctx, answer) != nil {
				return farewell{}
			}
			continue
		case bye := <-left:
			return bye
		case <-r.over():
			return farewell{closeEnded, r.reason()}
		}
		state, newest := r.viewState(v.interact)
		if text := state.fingerprint(); text != known || again {
			known = text
			if v.send(ctx, state) != nil {
				return farewell{}
			}
		}
		if newest != nil && newest != sent {
			sent = newest
			if v.put(ctx, websocket.MessageBinary, newest.data) != nil {
				return farewell{}
			}
		}
		<-calm.C
	}
}

// fingerprint is what of a state makes it worth sending: not that time passes.
func (s viewState) fingerprint() string {
	s.SecondsLeft, s.IdleLeft = 0, 0
	text, _ := json.Marshal(s)
	return string(text)
}

func (v *viewer) send(ctx context.Context, message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return v.put(ctx, websocket.MessageText, text)
}

func (v *viewer) put(ctx context.Context, kind websocket.MessageType, data []byte) error {
	ctx, cancel := context.WithTimeout(ctx, v.patience)
	defer cancel()
	return v.conn.Write(ctx, kind, data)
}

// reply tells this view something, unless it does not listen.
func (v *viewer) reply(answer reply) {
	select {
	case v.replies <- answer:
	default:
	}
}

// viewState returns what a view is to show, with the newest picture of it.
func (r *running) viewState(interact bool) (viewState, *picture) {
	s := viewState{
		Type: "state", Interactive: interact, Tabs: []viewTab{}, ExpiresAt: r.row.ExpiresAt, SecondsLeft: max((r.life() - time.Since(r.began)).Seconds(), 0),
		ActivityTTL: r.row.ActivityTTL.Seconds(), IdleLeft: max((r.row.ActivityTTL - r.unused()).Seconds(), 0),
	}
	pages, active := r.tabs.list()
	for _, p := range pages {
		s.Tabs = append(s.Tabs, viewTab{p.id, p.title, p.address, p.id == active})
	}
	c := &r.cast
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.page
	if p == nil || p.id != active {
		return s, nil
	}
	s.Loading, s.Stuck, s.Crashed, s.Back, s.Forward = p.loading, p.stuck, p.crashed, p.back, p.forward
	if d := p.dialog; d != nil {
		s.Stuck = false
		s.Dialog = &viewDialog{string(d.Type), d.URL, d.Message, d.DefaultPrompt}
	}
	return s, p.picture
}
