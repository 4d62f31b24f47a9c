// Package audit writes down who did what: a line of JSON for every request that
// changed or fetched something, to a file or to standard error.
//
// A request never waits for it. Lines wait in a bounded buffer for one goroutine to
// write them; those that find it full are dropped and counted, and the count is
// written as soon as there is room again. What was done under zero data retention is
// only counted. A file is opened again when it was moved away or on request, so that
// it can be rotated in either way.
package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	mostWaiting = 4096             // entries
	lookEvery   = time.Second      // for the file to have been moved
	countEvery  = time.Minute      // what is only counted is written so often
	closeTime   = 10 * time.Second // that the last entries may take
)

// Entry is one request. It has no content: neither of the request nor of the answer.
type Entry struct {
	Time    time.Time `json:"time"`
	Request string    `json:"request"`           // its id
	Team    string    `json:"team"`              // name
	TeamID  string    `json:"teamId"`            //
	Key     int64     `json:"key,omitempty"`     // number of the key; 0 where none is needed
	KeyName string    `json:"keyName,omitempty"` //
	Action  string    `json:"action"`            // method and path of the route
	Target  string    `json:"target,omitempty"`  // address, query, or path of what it is about
	Status  int       `json:"status"`            // of the answer
	Code    string    `json:"code,omitempty"`    // of a failure
	Credits int64     `json:"credits,omitempty"` // that it cost; those of a job are taken later
	Job     string    `json:"job,omitempty"`     // id of the scrape, job or session
}

// count is a line about requests that have none of their own.
type count struct {
	Time    time.Time `json:"time"`
	Dropped int64     `json:"dropped,omitempty"`           // lines that found the buffer full, or could not be written
	Silent  int64     `json:"zeroDataRetention,omitempty"` // requests under zero data retention
}

// Log takes entries.
type Log struct {
	entries chan Entry
	reopen  chan struct{}
	done    chan struct{}
	dropped atomic.Int64
	silent  atomic.Int64
	now     func() time.Time
	path    string // empty if the output is not a file

	closing sync.RWMutex
	closed  bool
}

// Open appends to the file at path, which it makes if needed.
func Open(path string, now func() time.Time) (*Log, error) {
	file, err := openFile(path)
	if err != nil {
		return nil, fmt.Errorf("open audit log: %w", err)
	}
	l := newLog(now)
	l.path = path
	go l.run(&output{Writer: file, file: file})
	return l, nil
}

// To writes to what is open already, such as standard error.
func To(w io.Writer, now func() time.Time) *Log {
	l := newLog(now)
	go l.run(&output{Writer: w})
	return l
}

func newLog(now func() time.Time) *Log {
	return &Log{entries: make(chan Entry, mostWaiting), reopen: make(chan struct{}, 1), done: make(chan struct{}), now: now}
}

func openFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
}

// Write takes an entry, and never waits.
func (l *Log) Write(e Entry) {
	l.closing.RLock()
	defer l.closing.RUnlock()
	if l.closed {
		return
	}
	select {
	case l.entries <- e:
	default:
		l.dropped.Add(1)
	}
}

// Count notes a request of which nothing may be written.
func (l *Log) Count() { l.silent.Add(1) }

// Reopen opens the file again, after it was moved away.
func (l *Log) Reopen() {
	select {
	case l.reopen <- struct{}{}:
	default: // it is about to be
	}
}

// Close writes what waits, and returns then; after some time it returns anyway.
func (l *Log) Close() {
	l.closing.Lock()
	if !l.closed {
		l.closed = true
		close(l.entries)
	}
	l.closing.Unlock()
	select {
	case <-l.done:
	case <-time.After(closeTime):
	}
}

// output is where lines go.
type output struct {
	io.Writer
	file *os.File // nil if it is not a file of ours
}

// run writes entries until there will be none.
func (l *Log) run(out *output) {
	defer close(l.done)
	look, tally := time.NewTicker(lookEvery), time.NewTicker(countEvery)
	defer look.Stop()
	defer tally.Stop()
	for {
		select {
		case e, ok := <-l.entries:
			if !ok {
				l.write(out, nil, true)
				if out.file != nil {
					_ = out.file.Close()
				}
				return
			}
			l.write(out, l.gather(e), false)
		case <-l.reopen:
			l.renew(out)
		case <-look.C:
			if l.moved(out) {
				l.renew(out)
			}
		case <-tally.C:
			l.write(out, nil, true)
		}
	}
}

// gather returns an entry and those that wait behind it.
func (l *Log) gather(first Entry) []Entry {
	list := []Entry{first}
	for range len(l.entries) {
		if e, ok := <-l.entries; ok {
			list = append(list, e)
		}
	}
	return list
}

// write writes entries and what was dropped meanwhile; with all, also what is counted.
func (l *Log) write(out *output, entries []Entry, all bool) {
	var lines bytes.Buffer // which are written at once, so that nothing gets in between on standard error
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	c := count{Time: l.now(), Dropped: l.dropped.Swap(0)}
	if all {
		c.Silent = l.silent.Swap(0)
	}
	if c.Dropped > 0 || c.Silent > 0 {
		_ = encoder.Encode(c)
	}
	for i := range entries {
		_ = encoder.Encode(&entries[i])
	}
	if lines.Len() == 0 {
		return
	}
	if _, err := out.Write(lines.Bytes()); err != nil {
		l.dropped.Add(c.Dropped + int64(len(entries)))
		l.silent.Add(c.Silent)
	}
}

// moved reports whether the file is not the one at its path any more.
func (l *Log) moved(out *output) bool {
	if out.file == nil {
		return false
	}
	mine, err := out.file.Stat()
	if err != nil {
		return true
	}
	there, err := os.Stat(l.path)
	return err != nil || !os.SameFile(mine, there)
}

// renew opens the file again; if that fails, the old one stays.
func (l *Log) renew(out *output) {
	if out.file == nil {
		return
	}
	file, err := openFile(l.path)
	if err != nil {
		return
	}
	_ = out.file.Close()
	out.Writer, out.file = file, file
}
