package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/trawlhq/trawl/browser/cdp"
)

// The figures of remote browsers: how long it takes to get one, what lies between a
// client and the browser, what sessions cost that nobody uses or somebody watches,
// and whether many of them leave anything behind.

const (
	keptWarm   = 2
	turns      = 20  // in which connections are compared
	commands   = 400 // of each of them in a turn
	idlers     = 5
	idleTime   = 20 * time.Second
	calmTime   = 10 * time.Second // after which a browser that was started or moved is done with it
	crowd      = 20
	manyChecks = 100
)

// sessionParts are the figures of remote browsers by their names on the command line.
var sessionParts = []string{"create", "relay", "idle", "view", "many"}

// remotes holds what the parts share.
type remotes struct {
	binary  string
	starts  int // of each figure
	site    *renderSite
	figures []figure
}

// measureSessions takes the figures of remote browsers that are asked for.
func measureSessions(ctx context.Context, binary, parts string, starts int) error {
	chosen := sessionParts
	if parts != "all" {
		chosen = strings.Split(parts, ",")
	}
	m := &remotes{binary: binary, starts: starts, site: startRenderSite()}
	defer m.site.close()
	for _, part := range chosen {
		if err := m.part(ctx, part); err != nil {
			return errors.Join(fmt.Errorf("part %s: %w", part, err), printFigures(m.figures))
		}
	}
	return printFigures(m.figures)
}

func (m *remotes) part(ctx context.Context, name string) error {
	switch name {
	case "create":
		return m.create(ctx)
	case "relay":
		return m.with(ctx, 0, m.relay)
	case "idle":
		return m.with(ctx, 0, m.idle)
	case "view":
		return m.with(ctx, 0, m.view)
	case "many":
		return m.with(ctx, 0, m.many)
	}
	return fmt.Errorf("there is none; there are %s", strings.Join(sessionParts, ", "))
}

func (m *remotes) add(name, value, aim string) {
	m.figures = append(m.figures, figure{name, value, aim})
}

// with starts a server that keeps browsers ready, and stops it afterwards.
func (m *remotes) with(ctx context.Context, warm int, do func(context.Context, *server) error) error {
	dir, err := os.MkdirTemp("", "trawl-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s, err := startServer(ctx, m.binary, dir, fmt.Sprintf("TRAWL_BROWSER_WARM=%d", warm), fmt.Sprintf("TRAWL_BROWSER_SESSIONS=%d", crowd+5))
	if err != nil {
		return err
	}
	err = do(ctx, s)
	patient.CloseIdleConnections()
	if stopErr := s.stop(); err == nil {
		return stopErr
	}
	return fmt.Errorf("%w; the log ends with %s", err, s.log.Bytes()[max(s.log.Len()-2000, 0):])
}

// times are how long things took.
type times []time.Duration

func (t *times) take(do func() error) error {
	start := time.Now()
	err := do()
	*t = append(*t, time.Since(start))
	return err
}

// String shows the median and the 95th percentile.
func (t times) String() string {
	sorted := slices.Sorted(slices.Values(t))
	return fmt.Sprintf("%d and %d ms", percentile(sorted, 50).Milliseconds(), percentile(sorted, 95).Milliseconds())
}

// create measures how long it takes until there is a session, from one that is ready
// to one that begins with a profile.
func (m *remotes) create(ctx context.Context) error {
	ways := []struct {
		name, aim, extra string
		warm, starts     int
	}{
		{"kept ready", "≤ 150 ms", "", keptWarm, m.starts},
		{"cold", "≤ 1500 ms", "", 0, max(m.starts/2, 1)},
		{"with a profile", "", `,"profile":{"name":"bench"}`, 0, max(m.starts/2, 1)},
	}
	for _, way := range ways {
		err := m.with(ctx, way.warm, func(ctx context.Context, s *server) error {
			var created, led, destroyed times
			for i := range way.starts + 1 {
				if i == 1 { // the first was to warm up, and to have a profile
					created, led, destroyed = nil, nil, nil
				}
				if err := m.once(ctx, s, way.warm, way.extra, &created, &led, &destroyed); err != nil {
					return err
				}
			}
			m.add("created, "+way.name+", p50 and p95", created.String(), way.aim)
			m.add("then connected and a page loaded, "+way.name, led.String(), "")
			m.add("destroyed, "+way.name, destroyed.String(), "")
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// once is the life of one session that goes to one page.
func (m *remotes) once(ctx context.Context, s *server, warm int, extra string, created, led, destroyed *times) (err error) {
	if err := s.warm(ctx, warm); err != nil {
		return err
	}
	if err := pause(ctx, time.Second); err != nil { // let the machine calm down
		return err
	}
	var x remote
	if err := created.take(func() error { x, err = s.create(ctx, extra); return err }); err != nil {
		return err
	}
	if err := led.take(func() error { return x.lead(ctx, m.site.server.URL+"/still") }); err != nil {
		return err
	}
	return destroyed.take(func() error { return s.destroy(ctx, x) })
}

// way is a connection to a browser, and how long commands took on it.
type way struct {
	page       *cdp.Session
	alone, all time.Duration // one at a time, and several
}

// relay compares commands to a session with those to a browser of our own: through
// its pipe, and through the port that it opens if it is asked to.
func (m *remotes) relay(ctx context.Context, s *server) error {
	b, err := startBare(ctx, true)
	if err != nil {
		return err
	}
	defer b.stop()
	x, err := s.create(ctx, "")
	if err != nil {
		return err
	}
	address, err := b.port(ctx)
	if err != nil {
		return err
	}
	port, err1 := dial(ctx, address)
	service, err2 := dial(ctx, x.CDPURL)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	defer port.Close()
	defer service.Close()
	ways := make([]way, 3)
	for i, conn := range []*cdp.Conn{b.conn, port, service} {
		if ways[i].page, err = firstPage(ctx, conn); err != nil {
			return err
		}
	}
	if err := pause(ctx, calmTime); err != nil {
		return err
	}
	used, err := race(ctx, s, ways)
	m.relayFigures(ways, used)
	return err
}

// race sends commands on all ways in turn and returns what the service used for them.
func race(ctx context.Context, s *server, ways []way) (used time.Duration, err error) {
	for turn := range turns + 1 {
		if turn == 1 { // the first was to warm up
			used = 0
			for i := range ways {
				ways[i].alone, ways[i].all = 0, 0
			}
		}
		for i := range ways {
			before, err1 := s.cpu()
			alone, err2 := ways[i].send(ctx, load{commands, 1})
			after, err3 := s.cpu()
			all, err4 := ways[i].send(ctx, load{commands, 16})
			if err := errors.Join(err1, err2, err3, err4); err != nil {
				return 0, err
			}
			ways[i].alone += alone
			ways[i].all += all
			if i == len(ways)-1 {
				used += after - before
			}
		}
	}
	return used, nil
}

func (w *way) send(ctx context.Context, l load) (time.Duration, error) {
	start := time.Now()
	err := l.run(func(int) error { return trivial(ctx, w.page) })
	return time.Since(start), err
}

func (m *remotes) relayFigures(ways []way, used time.Duration) {
	rate := func(d time.Duration) string {
		return fmt.Sprintf("%.0f /s, %d µs", commands*turns/d.Seconds(), (d / commands / turns).Microseconds())
	}
	pipe, port, service := ways[0], ways[1], ways[2]
	m.add("command through the pipe of a browser", rate(pipe.alone), "")
	m.add("command through the port of a browser", rate(port.alone), "")
	m.add("command through the service", rate(service.alone), "")
	m.add("service / pipe, time", ratio(service.alone, pipe.alone), "")
	m.add("service / port, time", ratio(service.alone, port.alone), "")
	m.add("16 at a time: pipe", rate(pipe.all), "")
	m.add("16 at a time: port", rate(port.all), "")
	m.add("16 at a time: service", rate(service.all), "")
	m.add("16 at a time: service / port, time", ratio(service.all, port.all), "")
	m.add("service, Go CPU by 1000 commands", fmt.Sprintf("%.0f ms", milliseconds(used*1000, commands*turns)), "")
}

// spending is CPU time in a span of time.
type spending struct{ service, browsers, span time.Duration }

// String shows milliseconds of CPU by second.
func (u spending) String() string {
	return fmt.Sprintf("%.1f + %.1f ms/s", milliseconds(u.service, 1)/u.span.Seconds(), milliseconds(u.browsers, 1)/u.span.Seconds())
}

// observe returns what the service and its browsers use while something is done.
func (s *server) observe(do func() error) (spending, error) {
	start := time.Now()
	browsers, err1 := s.browsersCPU()
	service, err2 := s.cpu()
	err3 := do()
	browsersAfter, err4 := s.browsersCPU()
	serviceAfter, err5 := s.cpu()
	return spending{serviceAfter - service, browsersAfter - browsers, time.Since(start)}, errors.Join(err1, err2, err3, err4, err5)
}

func (s *server) browsersCPU() (time.Duration, error) {
	pids, err := below(s.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	return spent(pids)
}

// idle measures what sessions cost that nobody uses.
func (m *remotes) idle(ctx context.Context, s *server) error {
	look := func(name string) error {
		err := pause(ctx, calmTime)
		used, err1 := s.observe(func() error { return pause(ctx, idleTime) })
		m.add(name+", Go + Chromium CPU", used.String(), "")
		return errors.Join(err, err1)
	}
	if err := look("no session"); err != nil {
		return err
	}
	all, _, err := s.createMany(ctx, idlers)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%d sessions on ", idlers)
	if err := errors.Join(look(name+"about:blank"), m.weigh(s, name+"about:blank")); err != nil {
		return err
	}
	for _, x := range all {
		if err := x.lead(ctx, m.site.server.URL+"/still"); err != nil {
			return err
		}
	}
	return errors.Join(look(name+"a still page"), m.weigh(s, name+"a still page"))
}

// weigh notes what the service and its browsers hold.
func (m *remotes) weigh(s *server, name string) error {
	service, err1 := hold([]int{s.cmd.Process.Pid})
	pids, err2 := below(s.cmd.Process.Pid)
	browsers, err3 := hold(pids)
	folders, err4 := s.folders()
	m.add(name+", service", service.String(), "")
	m.add(name+", browsers", fmt.Sprintf("%s, %d folders", browsers, folders), "")
	return errors.Join(err1, err2, err3, err4)
}

// createMany starts sessions at the same time, and returns how long each took.
func (s *server) createMany(ctx context.Context, count int) (all []remote, took times, err error) {
	var mu sync.Mutex
	err = load{count, count}.run(func(int) error {
		start := time.Now()
		x, err := s.create(ctx, "")
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			all, took = append(all, x), append(took, time.Since(start))
		}
		return err
	})
	return all, took, err
}

// view measures what it costs that somebody watches.
func (m *remotes) view(ctx context.Context, s *server) error {
	x, err := s.create(ctx, "")
	if err != nil {
		return err
	}
	for _, page := range []string{"still", "moving"} {
		if err := errors.Join(x.lead(ctx, m.site.server.URL+"/"+page), pause(ctx, calmTime)); err != nil {
			return err
		}
		before, err1 := s.observe(func() error { return pause(ctx, idleTime) })
		var seen watching
		watched, err2 := s.observe(func() error { seen = x.watch(ctx, idleTime); return seen.err })
		after, err3 := s.observe(func() error { return pause(ctx, idleTime) })
		if err := errors.Join(err1, err2, err3); err != nil {
			return err
		}
		m.add("a "+page+" page, unwatched, Go + Chromium CPU", before.String(), "")
		m.add("a "+page+" page, watched, Go + Chromium CPU", watched.String(), "")
		m.add("a "+page+" page, pictures", fmt.Sprintf("%.1f /s of %d KB", float64(seen.pictures)/idleTime.Seconds(), seen.bytes/max(seen.pictures, 1)/1000), "")
		m.add("a "+page+" page, watched no more, Go + Chromium CPU", after.String(), "as before")
	}
	return nil
}

// many starts a crowd of sessions, has the browser of one die, and ends them all.
func (m *remotes) many(ctx context.Context, s *server) error {
	one, err := s.create(ctx, "") // so that what stays is there: connections of the database, too
	busy := load{1000, crowd}.run(func(int) error { return s.send(ctx, request{method: "GET", path: "/v2/browser"}) })
	if err := errors.Join(err, busy, s.destroy(ctx, one), m.calm(ctx, s, "before")); err != nil {
		return err
	}
	all, err := m.gather(ctx, s)
	if err := errors.Join(err, m.calm(ctx, s, fmt.Sprintf("with %d", crowd))); err != nil {
		return err
	}
	lost, err := m.killOne(ctx, s, all)
	if err != nil {
		return err
	}
	start := time.Now()
	err = load{len(all), len(all)}.run(func(i int) error { return s.destroy(ctx, all[i-1]) })
	m.add("all others destroyed at once, until all are gone", fmt.Sprintf("%.1f s", time.Since(start).Seconds()), "")
	m.add("sessions lost when the browser of one was killed", fmt.Sprint(lost), "1")
	return errors.Join(err, m.calm(ctx, s, "after"))
}

// gather starts the crowd.
func (m *remotes) gather(ctx context.Context, s *server) (all []remote, err error) {
	var took times
	used, err := s.observe(func() error { all, took, err = s.createMany(ctx, crowd); return err })
	if err != nil {
		return all, err
	}
	m.add(fmt.Sprintf("%d sessions created at once, p50 and p95", crowd), took.String(), "")
	m.add("until all are up", fmt.Sprintf("%.1f s", used.span.Seconds()), "")
	m.add("Go + Chromium CPU for each", fmt.Sprintf("%.0f + %.0f ms", milliseconds(used.service, crowd), milliseconds(used.browsers, crowd)), "")
	return all, nil
}

// calm notes what is held when nothing is done.
func (m *remotes) calm(ctx context.Context, s *server, name string) error {
	patient.CloseIdleConnections()
	client.CloseIdleConnections()
	return errors.Join(pause(ctx, calmTime/2), m.weigh(s, name))
}

// killOne ends the browser of one session, and returns how many do not work then.
func (m *remotes) killOne(ctx context.Context, s *server, all []remote) (lost int, err error) {
	pids, err := below(s.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
		return 0, err
	}
	for range manyChecks { // until it is known
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return 0, err
		}
		if lost, err = s.countLost(ctx, all); lost > 0 || err != nil {
			break
		}
	}
	for _, x := range all {
		state, err := s.status(ctx, x)
		if err != nil {
			return lost, err
		}
		if err := x.lead(ctx, m.site.server.URL+"/still"); (err == nil) != (state == "active") {
			return lost, fmt.Errorf("a session is %s, but: %w", state, err)
		}
	}
	return s.countLost(ctx, all)
}

func (s *server) countLost(ctx context.Context, all []remote) (lost int, err error) {
	for _, x := range all {
		state, err := s.status(ctx, x)
		if err != nil {
			return 0, err
		}
		if state != "active" {
			lost++
		}
	}
	return lost, nil
}
