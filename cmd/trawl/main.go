// Command trawl runs the scraping service and looks after it.
//
// There is one file per command. A command is a struct whose fields are its
// flags and whose Run method does the work; the settings of the service are the
// struct options, which the commands that need them embed. Settings come from
// flags, the environment and a file, in that order of precedence (setting.go).
// This is the only package that knows all others: it opens them, hands them to
// each other and closes them again.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"github.com/trawlhq/trawl/document"
)

// Exit codes: a failure, and a command line or setting that cannot be used.
const (
	exitFailure = 1
	exitUsage   = 2
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == document.WorkerArgument {
		os.Exit(work(os.Args[2:]))
	}
	log.SetOutput(io.Discard) // package net/http writes there what sites send unasked
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}

// run executes one command line and returns the exit code of the program.
func run(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{
		env: parseEnv(env), stdin: stdin, stdout: stdout, stderr: stderr,
		now: time.Now, machine: thisMachine(),
	}
	return p.run(ctx, args)
}

// program is what a command sees of the world. Commands take it as an argument
// of Run.
type program struct {
	env     map[string]string
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
	now     func() time.Time
	machine machine
}

// commands is the grammar of the command line.
type commands struct {
	Config string `type:"path" placeholder:"FILE" help:"Read settings from a TOML or YAML file; also $$TRAWL_CONFIG."`

	Serve   serveCmd   `cmd:"" help:"Run the service."`
	Scrape  scrapeCmd  `cmd:"" help:"Scrape one page and print it."`
	Parse   parseCmd   `cmd:"" help:"Read documents and print or keep what they say."`
	Crawl   crawlCmd   `cmd:"" help:"Crawl a site and print or keep its pages."`
	Extract extractCmd `cmd:"" help:"Extract data from the pages of sites and print it as JSON."`
	MCP     mcpCmd     `cmd:"" name:"mcp" help:"Offer tools to a language model, on standard input and output."`
	Watch   watchCmd   `cmd:"" help:"Look at a page again and again and print what changed."`
	Monitor monitorCmd `cmd:"" help:"Manage monitors: pages, sites and searches that a server watches."`
	Keys    keysCmd    `cmd:"" help:"Manage API keys."`
	Teams   teamsCmd   `cmd:"" help:"Manage teams."`
	Credits creditsCmd `cmd:"" help:"Manage the credits of teams."`
	Doctor  doctorCmd  `cmd:"" help:"Check what this machine offers the service."`
	Show    configCmd  `cmd:"" name:"config" help:"Print the settings in effect and where they come from."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

const description = `Trawl turns web pages into clean data.

Settings are flags of "trawl serve" (see "trawl serve --help"), variables
TRAWL_... of the environment, or keys of the file named by --config.`

func (p *program) run(ctx context.Context, args []string) int {
	helped := false
	grammar := &commands{}
	parser, err := kong.New(grammar,
		kong.Name("trawl"), kong.Description(description),
		kong.Writers(p.stdout, p.stderr),
		kong.Exit(func(int) { helped = true }), // only --help asks to exit
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
		kong.ValueFormatter(settingHelp), kong.ExplicitGroups(settingGroups()),
		p.defaults(),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(p),
	)
	if err != nil {
		return p.fail(fmt.Errorf("build command line: %w", err))
	}
	parsed, err := parser.Parse(args)
	if helped {
		return 0
	}
	if err != nil {
		return p.fail(usageError{err})
	}
	settings, err := p.load(parsed, grammar.Config)
	if err != nil {
		return p.fail(usageError{err})
	}
	return p.fail(parsed.Run(settings))
}

// usageError marks what the operator can only mend by asking for something else.
type usageError struct{ error }

// fail prints err, if there is one, and returns the exit code it stands for.
func (p *program) fail(err error) int {
	if err == nil {
		return 0
	}
	if !errors.Is(err, errReported) {
		fmt.Fprintf(p.stderr, "trawl: %v\n", err)
	}
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	return exitFailure
}

// errReported ends a command unsuccessfully after it has said why.
var errReported = errors.New("already reported")

// parseEnv reads NAME=value pairs; as everywhere, the last of equals counts.
func parseEnv(pairs []string) map[string]string {
	env := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		if name, value, ok := strings.Cut(pair, "="); ok {
			env[name] = value
		}
	}
	return env
}
