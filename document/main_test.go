package document_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/document/tree"
)

// TestMain is also the worker, and three that only tests know: one that does what its
// files tell, one that does so when it is let, and one that does not keep to the
// protocol. It can be the service too.
func TestMain(m *testing.M) {
	var work func() error
	switch args := os.Args; {
	case len(args) < 2:
	case args[1] == document.WorkerArgument:
		work = func() error { return document.Work(context.Background(), os.Stdin, os.Stdout, args[2:]) }
	case args[1] == obedient:
		work = func() error { return document.WorkWith(context.Background(), os.Stdin, os.Stdout, args[2:], obey) }
	case args[1] == serving:
		work = serve
	case args[1] == late:
		work = func() error { return waitAndWork(args[2], args[3:]) }
	case args[1] == lying:
		work = func() error { return lie(args[2]) }
	}
	if work == nil {
		goleak.VerifyTestMain(m)
		return
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const (
	obedient = "obedient-worker"
	late     = "late-worker"
	lying    = "lying-worker"
	serving  = "service"
)

// obey does what a file tells: a word, and what belongs to it.
func obey(body string, ask func(int) (int, error)) (*tree.Document, error) {
	command, rest, _ := strings.Cut(body, " ")
	switch command {
	case "say":
		return said(rest), nil
	case "encrypted":
		return nil, fmt.Errorf("open: %w", tree.ErrEncrypted)
	case "complex":
		return nil, fmt.Errorf("open: %w", tree.ErrTooComplex)
	case "deep":
		return nested(rest), nil
	case "panic":
		panic("secret")
	case "recurse":
		return said(strconv.Itoa(recurse(1))), nil
	case "hoard":
		return hoard(), nil
	case "exit":
		os.Exit(3)
	case "hold":
		_, _ = ask(1)
		time.Sleep(time.Hour)
	case "spin":
		for {
			runtime.Gosched()
		}
	case "pages":
		return pages(rest, ask)
	case "process":
		return said(strconv.Itoa(os.Getpid()) + "|" + strings.Join(os.Environ(), " ")), nil
	case "recognise":
		return recognise(rest)
	case "try":
		return said(fmt.Sprint(try(rest))), nil
	}
	return nil, errors.New("secret words")
}

func said(text string) *tree.Document {
	return &tree.Document{Body: []tree.Block{&tree.Paragraph{Text: []tree.Span{{Text: text}}}}, Warnings: []string{"A warning."}}
}

// nested returns a document with a text that stands too deep in it to be written.
func nested(text string) *tree.Document {
	doc := said(text)
	for range 1000 {
		doc.Body = []tree.Block{&tree.Quote{Body: doc.Body}}
	}
	return doc
}

func recurse(n int) int {
	if n == 0 {
		return 0
	}
	return recurse(n+1) + recurse(n+2)
}

func hoard() *tree.Document {
	var all [][]byte
	for {
		block := make([]byte, 1<<20)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		all = append(all, block)
		if len(all) > 1<<20 {
			return said("I have it all")
		}
	}
}

func pages(count string, ask func(int) (int, error)) (*tree.Document, error) {
	total, err := strconv.Atoi(count)
	if err != nil {
		return nil, err
	}
	n, err := ask(total)
	if err != nil {
		return nil, fmt.Errorf("read pages: %w", err)
	}
	doc := &tree.Document{TotalPages: total}
	for i := range n {
		block := tree.Placed{Block: said("page " + strconv.Itoa(i+1)).Body[0], Label: "text", Box: [4]float64{0.1, 0.2, 0.9, 2}}
		doc.Pages = append(doc.Pages, tree.Page{Number: i + 1, Width: 595.2761, Height: 841.89, Status: tree.PageText, Blocks: []tree.Placed{block}})
	}
	return doc, nil
}

// recognise has a program recognise an empty picture.
func recognise(program string) (*tree.Document, error) {
	command := exec.Command(program, "stdin", "stdout", "tsv")
	command.Stdin = io.MultiReader(strings.NewReader("P5\n200 200\n255\n"), bytes.NewReader(bytes.Repeat([]byte{255}, 200*200)))
	out, err := command.Output()
	if err != nil {
		out = []byte(err.Error())
	}
	return said(string(out)), nil
}

// try tries what a worker must not be able to do.
func try(what string) error {
	action, argument, _ := strings.Cut(what, " ")
	switch action {
	case "connect":
		conn, err := net.DialTimeout("tcp", argument, 5*time.Second)
		if err == nil {
			_ = conn.Close()
		}
		return err
	case "open":
		file, err := os.Open(argument)
		if err == nil {
			_ = file.Close()
		}
		return err
	case "create":
		return os.WriteFile(argument, []byte("x"), 0o600)
	case "remove":
		return os.Remove(argument)
	case "run":
		_, err := syscall.ForkExec(argument, []string{argument}, nil)
		return err
	case "kill":
		return syscall.Kill(os.Getpid(), 0) // not even what harms nobody
	case "code":
		_, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE|syscall.PROT_EXEC, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		return err
	}
	return errors.New("what?")
}

// serve is a service whose worker is busy. It prints the page that tells the worker's
// number.
func serve() error {
	pool := document.NewPool(document.Config{Workers: 1, Arguments: []string{obedient}})
	result, err := pool.Read(context.Background(), document.RTF, []byte("process"), document.Options{})
	if err != nil {
		return err
	}
	_, err = pool.Read(context.Background(), document.RTF, []byte("hold"), document.Options{Admit: func(int) (int, error) {
		_, err := os.Stdout.Write(append(result.HTML, 0))
		return 1, err
	}})
	return err
}

// waitAndWork makes a file of that name with its number in it, and works when the
// file is gone.
func waitAndWork(name string, args []string) error {
	if err := os.WriteFile(name, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return err
	}
	for {
		if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
			return document.WorkWith(context.Background(), os.Stdin, os.Stdout, args, obey)
		}
		time.Sleep(time.Millisecond)
	}
}

// lie speaks the protocol up to a point.
func lie(how string) error {
	in := bufio.NewReader(os.Stdin)
	frame := func(kind byte, payload string) { _ = document.Frame(os.Stdout, kind, []byte(payload)) }
	frame('s', "{}")
	if how == "leave" {
		return nil
	}
	if _, err := in.ReadByte(); err != nil { // something comes
		return err
	}
	if how == "break" {
		return errors.New("broken")
	}
	frame('t', "")
	page := "<p>hello</p>"
	switch how {
	case "long":
		_, _ = os.Stdout.Write([]byte{'h', 0xff, 0xff, 0xff, 0xff})
	case "short":
		_, _ = os.Stdout.Write([]byte{'h', 0, 0, 1, 0, '{'})
		return nil
	case "json":
		frame('h', "[")
	case "place":
		frame('q', `{"pages":1}`)
		frame('h', `{"totalPages":1,"pages":[{"Number":1,"From":0,"To":1000}]}`)
	case "order":
		frame('q', `{"pages":1}`)
		frame('h', `{"totalPages":1,"pages":[{"Number":1,"From":5,"To":2}]}`)
	case "block":
		frame('q', `{"pages":1}`)
		frame('h', `{"totalPages":1,"pages":[{"Number":1,"From":1,"To":5,"Blocks":[{"From":-1,"To":5}]}]}`)
	case "count":
		frame('q', `{"pages":1}`)
		frame('h', `{"totalPages":1,"pages":[{"Number":2,"From":1,"To":5}]}`)
	case "unasked":
		frame('h', `{"totalPages":1,"pages":[{"Number":1,"From":1,"To":5}]}`)
	case "more":
		frame('q', `{"pages":1}`)
		frame('h', `{"totalPages":2,"pages":[{"Number":1,"From":1,"To":5},{"Number":2,"From":5,"To":6}]}`)
	case "kind":
		frame('z', "")
	case "ask":
		frame('q', `{"pages":-1}`)
	case "words":
		frame('h', `{"warnings":["`+strings.Repeat("long ", 1000)+`"`+strings.Repeat(`,"x"`, 1000)+`]}`)
	}
	frame('p', page)
	_, err := in.Discard(1 << 30)
	return err
}
