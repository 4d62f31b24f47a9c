package session

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/interact"
	"github.com/trawlhq/trawl/profile"
)

const (
	watchEvery = 500 * time.Millisecond
	sizeEvery  = 60      // looks between two at the disk
	mostDisk   = 2 << 30 // bytes that the browser may write

	keepTime = 3 * time.Second
	saveTime = 10 * time.Second
	endTime  = 5 * time.Second // for the row of a session that ended
	retryEnd = 500 * time.Millisecond
	retryPay = 5 * time.Second
)

// running is a session whose browser runs in this process.
type running struct {
	manager *Manager
	row     trawl.Session // as it was created
	process *chromium.Process
	home    *chromium.Home // of a session with a profile
	tabs    *tabs
	cast    cast // what views see

	commands *interact.Browser // what runs commands in it; nil until the first

	began            time.Time    // by a clock that nobody sets, unlike what its row says
	last             atomic.Int64 // nanoseconds after that: when it was last used
	clients, viewers atomic.Int32

	mu      sync.Mutex
	why     string         // it ends
	sockets sync.WaitGroup // clients and views
	ending  chan struct{}  // closed when it begins to end
	gone    chan struct{}  // closed when nothing is left of it
}

// touch is a sign of use.
func (r *running) touch() { r.last.Store(int64(time.Since(r.began))) }

func (r *running) lastActivity() time.Time {
	return r.row.CreatedAt.Add(time.Duration(r.last.Load()).Truncate(time.Millisecond))
}

// unused returns for how long nobody has used it.
func (r *running) unused() time.Duration { return time.Since(r.began) - time.Duration(r.last.Load()) }

// life returns how long it may be used at all.
func (r *running) life() time.Duration { return r.row.ExpiresAt.Sub(r.row.CreatedAt) }

// end makes the session end, and returns at once. The first reason counts.
func (r *running) end(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.why == "" {
		r.why = reason
		close(r.ending)
	}
}

// over is closed when the session begins to end.
func (r *running) over() <-chan struct{} { return r.ending }

// reason is why the session ends; empty as long as it does not.
func (r *running) reason() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.why
}

func (r *running) ended() bool { return r.reason() != "" }

// join makes the end of the session wait for one more socket; it reports false if
// it is too late.
func (r *running) join() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.why != "" {
		return false
	}
	r.sockets.Add(1)
	return true
}

// live is a session's life, from its first minute to its end.
func (r *running) live() {
	defer close(r.gone)
	defer r.manager.forget(r)
	r.wait()
	r.sockets.Wait()
	reason := r.reason()
	if !r.close(reason) {
		reason += ", profile not saved"
	}
	r.record(reason)
}

// wait returns when the session is to end: because somebody said so, its time is
// up, nobody uses it, nobody pays for it or its browser died.
func (r *running) wait() {
	expiry := time.NewTimer(r.life() - time.Since(r.began))
	defer expiry.Stop()
	idle := time.NewTimer(r.row.ActivityTTL)
	defer idle.Stop()
	minute := 1
	bill := time.NewTimer(r.untilMinute(minute))
	defer bill.Stop()
	look := time.NewTicker(watchEvery)
	defer look.Stop()
	for looks := 1; ; {
		select {
		case <-r.ending:
			return
		case <-r.process.Exited():
			r.crash("the browser is gone")
		case <-r.process.Conn().Done():
			r.crash("the browser does not answer")
		case <-expiry.C:
			r.end(trawl.EndExpired)
		case <-idle.C:
			if left := r.row.ActivityTTL - r.unused(); left > 0 {
				idle.Reset(left)
			} else {
				r.end(trawl.EndIdle)
			}
		case <-bill.C:
			if r.pay(minute) {
				minute++
				bill.Reset(r.untilMinute(minute))
			} else {
				bill.Reset(retryPay)
			}
		case <-look.C:
			r.inspect(looks%sizeEvery == 0)
			looks++
		}
	}
}

// untilMinute returns how long it is until a minute of the session begins. One that
// would begin at its very end never does.
func (r *running) untilMinute(minute int) time.Duration {
	start := time.Duration(minute) * r.manager.minute
	if start >= r.life() {
		return time.Hour
	}
	return max(start-time.Since(r.began), 0)
}

// pay charges for a minute that begins. It reports false if that has to be tried
// again.
func (r *running) pay(minute int) bool {
	ctx, cancel := context.WithTimeout(r.manager.base, retryPay)
	defer cancel()
	err := r.manager.Store.BillSession(ctx, r.row.ID, minute, r.lastActivity())
	switch trawl.ErrorCode(err) {
	case trawl.CodePayment:
		r.end(trawl.EndCredits)
	case trawl.CodeGone, trawl.CodeNotFound: // others took this node for dead
		r.end(trawl.EndStopped)
	default:
		if err != nil && r.manager.base.Err() == nil {
			r.manager.Log.Warn("a minute of a session could not be charged yet", "session", r.row.ID, "err", err)
		}
		return err == nil
	}
	return true
}

// inspect ends pages and helpers of the browser that take too much memory. A main
// process that does, or a browser that fills the disk, ends with its session.
func (r *running) inspect(disk bool) {
	switch what := bound(r.process, r.manager.memory); what {
	case "":
	case mainHoards:
		r.crash(what)
	default:
		r.manager.Log.Warn("processes of a session take too much memory and are ended", "session", r.row.ID, "reason", what)
	}
	if disk && r.process.Home().Size() > mostDisk {
		r.crash("the browser takes too much of the disk")
	}
}

func (r *running) crash(what string) {
	if r.ended() {
		return
	}
	r.manager.Log.Warn("a session's browser crashed", "session", r.row.ID, "reason", what)
	r.manager.mu.Lock()
	r.manager.stats.Crashed++
	r.manager.mu.Unlock()
	r.end(trawl.EndCrashed)
}

// close ends the browser and saves the profile, if it is to be saved. It reports
// false if that did not succeed.
func (r *running) close(reason string) (saved bool) {
	defer r.discard()
	if !r.row.SaveChanges {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), r.manager.Patience.Limit(saveTime))
	defer cancel()
	err := r.save(ctx)
	if err != nil {
		r.manager.Log.Warn("a profile was not saved", "session", r.row.ID, "reason", reason, "err", err)
	}
	return err == nil
}

// save puts what the browser knows into the profile. Only a browser that closed
// properly has written all of it.
func (r *running) save(ctx context.Context) error {
	keep, cancel := context.WithTimeout(ctx, r.manager.Patience.Limit(keepTime))
	defer cancel()
	if err := profile.Keep(keep, r.process.Conn(), r.home); err != nil {
		return err
	}
	if err := r.process.Quit(ctx); err != nil {
		return err
	}
	return profile.Save(ctx, r.manager.Store, r.home, r.row.TeamID, r.row.Profile, r.row.ID)
}

// discard ends the browser, if there is one, and removes what it wrote.
func (r *running) discard() {
	if r.process != nil {
		r.process.Kill()
	}
	if r.home != nil {
		r.home.Remove()
	}
}

// record writes the end of the session down. It is tried for a while; then the
// end of the process, or of its signs of life, will do.
func (r *running) record(reason string) {
	ctx, cancel := context.WithTimeout(context.Background(), r.manager.Patience.Limit(endTime))
	defer cancel()
	for {
		_, err := r.manager.Store.EndSession(ctx, r.row.ID, reason, r.lastActivity())
		if err == nil || trawl.ErrorCode(err) == trawl.CodeNotFound {
			return
		}
		select {
		case <-time.After(retryEnd):
		case <-ctx.Done():
			r.manager.Log.Error("the end of a session could not be recorded", "session", r.row.ID, "err", err)
			return
		}
	}
}
