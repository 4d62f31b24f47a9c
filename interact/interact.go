// Package interact runs commands in the browser of a session: lines such as
//
//	agent-browser open example.com && agent-browser snapshot -i
//	agent-browser click @e2; agent-browser get text h1
//
// in the words of the agent-browser program, which many agents know. No shell and no
// other program is started: [line] reads the lines, and each command is done over the
// DevTools protocol (command.go has the list). A snapshot, which [snapshot] writes,
// names elements by refs, and these are valid until the next one.
//
// A [Browser] stays with its session: it knows tabs by their names, the refs of the
// last snapshot, and what pages logged. Whatever pages do, a command ends with the
// context that it was given.
package interact

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"github.com/trawlhq/trawl/browser/cdp"
	"github.com/trawlhq/trawl/browser/chromium"
	"github.com/trawlhq/trawl/interact/line"
	"github.com/trawlhq/trawl/llm"
)

const (
	mostOutput   = 1 << 20 // bytes that a script may print
	exitTimeout  = 124
	exitNotFound = 127
)

// Tab is an open page.
type Tab struct {
	ID, Title, Address string
	Context            string // the cookie jar that it uses
}

// Tabs tells what is open in the browser.
type Tabs interface {
	// Refresh asks the browser for titles and addresses.
	Refresh(ctx context.Context) error
	// List returns the pages in the order in which they were opened, and which one is
	// looked at; empty if none is open.
	List() (tabs []Tab, active string)
	// Front makes a page the one that is looked at.
	Front(id string) bool
	// Changes returns a channel that is closed when a page opens, closes or moves.
	Changes() <-chan struct{}
}

// Config is what commands work with.
type Config struct {
	Conn *cdp.Conn
	Tabs Tabs

	// Keep stores a picture or a PDF file and returns where it can be fetched from the
	// service at base.
	Keep func(ctx context.Context, base, contentType string, data []byte) (address string, err error)
	// Markdown returns the main content of a page.
	Markdown func(ctx context.Context, address, html string) (string, error)
	// Model is what understands words; nil if nothing does.
	Model llm.Model
	// Patience is with browsers, on machines that are slow.
	Patience chromium.Patience
}

// Browser runs commands, one at a time. It is safe for concurrent use.
type Browser struct {
	Config
	turn chan struct{} // a token for the one who runs a script

	cdpURL, base string // as the script that runs knows them

	pages     map[string]*page
	names     map[string]string // t1, t2, … by the id of the tab
	labels    map[string]string // by the same
	refs      map[string]ref    // of the last snapshot
	clipboard string
	mouse     point
	held      int64   // modifiers that keydown holds
	watch     *warden // checks what a model wants done; nil while commands are the caller's own
}

// ref is an element of the last snapshot.
type ref struct {
	page       *page
	frame      protocol.FrameID
	element    int64
	role, name string
}

// New returns a browser in which nothing was run yet.
func New(config Config) *Browser {
	return &Browser{
		Config: config, turn: make(chan struct{}, 1), pages: map[string]*page{}, names: map[string]string{}, labels: map[string]string{}, refs: map[string]ref{},
	}
}

// Script is lines of commands.
type Script struct {
	Lines  string
	CDPURL string // where programs drive the same browser
	Base   string // address of the service, with which those of files begin
}

// Result is what a script did.
type Result struct {
	Stdout    string
	Stderr    string
	Last      string // output of the last command
	ExitCode  int
	Killed    bool // its time was up
	Truncated bool // it printed more than is kept
}

// Run runs the lines of a script. It fails only if the browser is gone or ctx was
// cancelled; that commands fail, or that the time is up, is part of the result.
func (b *Browser) Run(ctx context.Context, script Script) (Result, error) {
	s := &shell{browser: b}
	steps, err := line.Parse(script.Lines)
	if err != nil {
		s.fail(err.Error(), 2)
		return s.result(), nil
	}
	if err := b.enter(ctx); err != nil {
		return s.ended(ctx, err)
	}
	defer func() { <-b.turn }()
	b.cdpURL, b.base = script.CDPURL, script.Base
	return s.steps(ctx, steps)
}

// steps runs commands one after the other.
func (s *shell) steps(ctx context.Context, steps []line.Step) (Result, error) {
	for _, step := range steps {
		if step.When == line.And && s.exit != 0 || step.When == line.Or && s.exit == 0 {
			continue
		}
		if err := s.pipeline(ctx, step); err != nil {
			return s.ended(ctx, err)
		}
	}
	return s.result(), nil
}

// enter waits until no other script runs.
func (b *Browser) enter(ctx context.Context) error {
	select {
	case b.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// shell is a script that runs.
type shell struct {
	browser        *Browser
	stdout, stderr strings.Builder
	last           string
	exit           int
	killed, cut    bool
}

func (s *shell) result() Result {
	return Result{Stdout: s.stdout.String(), Stderr: s.stderr.String(), Last: s.last, ExitCode: s.exit, Killed: s.killed, Truncated: s.cut}
}

// ended is the result of a script whose time is up, or the error of one that has no
// browser any more.
func (s *shell) ended(ctx context.Context, err error) (Result, error) {
	if errors.Is(err, context.DeadlineExceeded) {
		s.killed = true
		s.fail("Command timed out.", exitTimeout)
		return s.result(), nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return s.result(), err
}

func (s *shell) fail(text string, exit int) {
	s.print(&s.stderr, text)
	s.exit = exit
}

// print adds a line, as long as there is room.
func (s *shell) print(to *strings.Builder, text string) {
	text = strings.ToValidUTF8(text, "\uFFFD") + "\n"
	if left := mostOutput - to.Len(); len(text) > left {
		text, s.cut = strings.ToValidUTF8(text[:max(left, 0)], ""), true
	}
	to.WriteString(text)
}

// pipeline runs commands of which each reads what the one before it wrote.
func (s *shell) pipeline(ctx context.Context, step line.Step) error {
	var before *string
	for i, command := range step.Commands {
		input := command.Input
		if input == nil {
			input = before
		}
		text, err := s.command(ctx, command.Words, input)
		if err != nil {
			return err
		}
		if i < len(step.Commands)-1 {
			before = new(text + "\n")
			continue
		}
		if text != "" {
			s.print(&s.stdout, text)
		}
		s.last = text
	}
	return nil
}

// command runs one command and returns what it prints. The error is one that ends the
// script.
func (s *shell) command(ctx context.Context, words []string, input *string) (string, error) {
	s.exit = 0
	if words[0] == "npx" && len(words) > 1 {
		words = words[1:]
	}
	name := words[0]
	if name != program {
		switch name {
		case "echo":
			return strings.Join(words[1:], " "), nil
		case "cat":
			if input != nil && len(words) == 1 {
				return strings.TrimSuffix(*input, "\n"), nil
			}
		case "true":
			return "", nil
		case "false":
			s.exit = 1
			return "", nil
		case "sleep":
			return "", s.sleep(ctx, words[1:])
		}
		if _, known := commands[name]; !known && !isGlobal(name) {
			s.fail("sh: "+clip(name, 200)+": command not found", exitNotFound)
			return "", nil
		}
		words = append([]string{program}, words...)
	}
	return s.run(ctx, words[1:], input)
}

// program is what commands begin with, if they do.
const program = "agent-browser"

func (s *shell) sleep(ctx context.Context, args []string) error {
	if len(args) != 1 {
		s.fail("sleep: one number of seconds is needed", 1)
		return nil
	}
	seconds, err := strconv.ParseFloat(strings.TrimSuffix(args[0], "s"), 64)
	if err != nil || seconds < 0 || seconds > 3600 {
		s.fail("sleep: invalid time interval '"+clip(args[0], 50)+"'", 1)
		return nil
	}
	if !pause(ctx, time.Duration(seconds*float64(time.Second))) {
		return context.Cause(ctx)
	}
	return nil
}

// failure is why a command failed, in words for the one who gave it.
type failure string

func (f failure) Error() string { return string(f) }

func failed(format string, args ...any) error { return failure(fmt.Sprintf(format, args...)) }

// usage is the error of a command that lacks arguments.
type usage string

func (u usage) Error() string {
	return "Missing arguments for: " + string(u) + "\nUsage: " + program + " " + commands[string(u)].usage
}

// errTabClosed is why a command fails whose tab closed under it.
var errTabClosed = errors.New("The tab was closed.")

// run runs a command of the program and returns what it prints.
func (s *shell) run(ctx context.Context, words []string, input *string) (string, error) {
	global, words := globals(words)
	out, err := s.browser.dispatch(ctx, words, input)
	if err != nil && ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil && errors.Is(err, cdp.ErrClosed) {
		return "", err
	}
	if err != nil {
		s.exit = 1
	}
	if global.json {
		return encode(out, err), nil
	}
	if err != nil {
		s.fail(explain(err), 1)
		return "", nil
	}
	return global.cut(out.text), nil
}

// explain writes why a command failed.
func explain(err error) string {
	if u, is := errors.AsType[usage](err); is {
		return u.Error()
	}
	if refused, is := errors.AsType[*cdp.Error](err); is {
		return "✗ The browser refused: " + refused.Message
	}
	return "✗ " + err.Error()
}

// encode writes what a command did as JSON.
func encode(out output, err error) string {
	answer := struct {
		Success bool    `json:"success"`
		Data    any     `json:"data"`
		Error   *string `json:"error"`
	}{Success: err == nil, Data: out.data}
	if err != nil {
		answer.Data, answer.Error = nil, new(strings.TrimPrefix(explain(err), "✗ "))
	} else if out.data == nil {
		answer.Data = map[string]any{}
	}
	return string(plainJSON(answer, ""))
}

// plainJSON writes a value without the escapes that only HTML needs.
func plainJSON(value any, indent string) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(value); err != nil {
		return []byte("null")
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// global is what can be asked of every command.
type global struct {
	json bool
	most int // characters that are printed; 0 means all
}

// ignored are flags that choose a browser, which a session has already.
var ignored = map[string]bool{"--headed": false, "--cdp": true, "--session": true, "--proxy": true, "--profile": true, "--executable-path": true}

func isGlobal(word string) bool {
	_, is := ignored[word]
	return is || word == "--json" || word == "--max-output" || word == "--help" || word == "-h" || word == "--version" || word == "-V"
}

// globals takes the flags of all commands out of one.
func globals(words []string) (g global, rest []string) {
	for i := 0; i < len(words); i++ {
		value, known := ignored[words[i]]
		switch {
		case words[i] == "--json":
			g.json = true
		case words[i] == "--max-output" && i+1 < len(words):
			i++
			g.most, _ = strconv.Atoi(words[i])
		case known && value:
			i++
		case known:
		default:
			rest = append(rest, words[i])
		}
	}
	return g, rest
}

// cut shortens what is printed to what was asked for.
func (g global) cut(text string) string {
	runes := []rune(text)
	if g.most <= 0 || len(runes) <= g.most {
		return text
	}
	return fmt.Sprintf("%s\n[truncated: showing %d of %d chars. Use --max-output to adjust]", string(runes[:g.most]), g.most, len(runes))
}

// dispatch does a command in the page that is looked at.
func (b *Browser) dispatch(ctx context.Context, words []string, input *string) (output, error) {
	if len(words) == 0 {
		return says(help()), nil
	}
	name := words[0]
	c, known := commands[name]
	if !known {
		return output{}, failed("Unknown command: %s", clip(name, 200))
	}
	if slices.Contains(words[1:], "--help") || slices.Contains(words[1:], "-h") {
		return says("Usage: " + program + " " + c.usage), nil
	}
	if len(words)-1 < c.least {
		return output{}, usage(name)
	}
	call := &call{Browser: b, name: name, args: words[1:], input: input}
	if b.watch != nil {
		if err := b.watch.check(ctx, call); err != nil {
			return output{}, err
		}
	}
	if c.anywhere {
		return c.run(call, ctx)
	}
	p, err := b.current(ctx)
	if err != nil {
		return output{}, err
	}
	call.page = p
	return b.guarded(ctx, p, c, call)
}

// guarded does a command in a page whose questions must not hold it up.
func (b *Browser) guarded(ctx context.Context, p *page, c command, call *call) (output, error) {
	inner, interrupt := context.WithCancelCause(ctx)
	defer interrupt(nil)
	p.mu.Lock()
	question := p.dialog
	p.interrupt = interrupt
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.interrupt = nil
		p.mu.Unlock()
	}()
	if question != nil && !c.dialogs {
		return output{}, blocked(string(question.Type), question.Message)
	}
	out, err := c.run(call, inner)
	b.release(ctx, p, err)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(inner), errDialog) {
		if c.acts { // it did what it should, and the page asks
			return done, nil
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.dialog != nil {
			return output{}, blocked(string(p.dialog.Type), p.dialog.Message)
		}
	}
	return out, err
}

// blocked is the error of a page that waits for an answer.
func blocked(kind, message string) error {
	return failed("A JavaScript %s dialog is blocking the page: %q. Answer it with dialog accept or dialog dismiss.", kind, message)
}

// release lets the browser forget the elements of a command, and ends a script that
// had no end.
func (b *Browser) release(ctx context.Context, p *page, err error) {
	if p.asks() || isGone(p.session) {
		return
	}
	short, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err != nil && ctx.Err() != nil {
		for _, s := range p.speakers() {
			_ = s.Call(short, runtime.TerminateExecution.Method, nil, nil)
		}
		return
	}
	for _, s := range p.speakers() {
		_ = s.Call(short, runtime.ReleaseObjectGroup.Method, runtime.ReleaseObjectGroupParams{ObjectGroup: group}, nil)
	}
}

// speakers returns all sessions of a page.
func (p *page) speakers() []*cdp.Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := []*cdp.Session{p.session}
	for _, s := range p.frames {
		list = append(list, s)
	}
	return list
}
