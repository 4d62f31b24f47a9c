package interact

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/trawlhq/trawl"
)

// command is an entry of the list of commands.
type command struct {
	usage    string
	least    int  // arguments that it needs
	anywhere bool // it is about no page
	dialogs  bool // it works while a question of the page is open
	acts     bool // a question that the page asks because of it is no failure
	run      func(c *call, ctx context.Context) (output, error)
}

// call is a command with its arguments.
type call struct {
	*Browser
	page  *page
	name  string
	args  []string
	input *string
}

// output is what a command prints: words, or with --json data.
type output struct {
	text string
	data any
}

func says(text string) output { return output{text: text} }

// done is what commands print that have nothing to tell.
var done = says("✓ Done")

// commands is the list. It is filled when the program starts, as help is one of them.
var commands map[string]command

func init() {
	act := func(usage string, run func(context.Context, *call, *element) error) command {
		return command{usage: usage, least: 1, acts: true, run: func(c *call, ctx context.Context) (output, error) { return c.onElement(ctx, run) }}
	}
	page := func(usage string, least int, run func(*call, context.Context) (output, error)) command {
		return command{usage: usage, least: least, run: run}
	}
	acting := func(c command) command { c.acts = true; return c }
	commands = map[string]command{
		"open":           acting(page("open [url]", 0, (*call).open)),
		"back":           acting(page("back", 0, (*call).back)),
		"forward":        acting(page("forward", 0, (*call).forward)),
		"reload":         acting(page("reload", 0, (*call).reload)),
		"pushstate":      page("pushstate <url>", 1, (*call).pushState),
		"snapshot":       page("snapshot [-i] [-c] [-d <depth>] [-s <selector>] [-u]", 0, (*call).snapshot),
		"click":          acting(page("click <selector> [--new-tab]", 1, (*call).click)),
		"dblclick":       act("dblclick <selector>", func(ctx context.Context, c *call, e *element) error { return c.clickOn(ctx, e, 2) }),
		"focus":          act("focus <selector>", func(ctx context.Context, _ *call, e *element) error { return e.do(ctx, "focus", nil) }),
		"hover":          act("hover <selector>", func(ctx context.Context, c *call, e *element) error { return c.hover(ctx, e) }),
		"check":          act("check <selector>", func(ctx context.Context, c *call, e *element) error { return c.check(ctx, e, true) }),
		"uncheck":        act("uncheck <selector>", func(ctx context.Context, c *call, e *element) error { return c.check(ctx, e, false) }),
		"scrollintoview": act("scrollintoview <selector>", func(ctx context.Context, _ *call, e *element) error { _, _, err := e.aim(ctx); return err }),
		"highlight":      act("highlight <selector>", func(ctx context.Context, _ *call, e *element) error { return e.do(ctx, "highlight", nil) }),
		"fill":           acting(page("fill <selector> <text>", 2, (*call).fill)),
		"type":           acting(page("type <selector> <text> [--clear] [--delay <ms>]", 2, (*call).typeInto)),
		"press":          acting(page("press <key>", 1, (*call).press)),
		"keydown":        acting(page("keydown <key>", 1, (*call).keyDown)),
		"keyup":          acting(page("keyup <key>", 1, (*call).keyUp)),
		"keyboard":       acting(page("keyboard <type|inserttext> <text>", 2, (*call).keyboard)),
		"select":         acting(page("select <selector> <value...>", 2, (*call).choose)),
		"drag":           acting(page("drag <source> <target>", 2, (*call).drag)),
		"mouse":          acting(page("mouse <move|down|up|wheel> [args]", 1, (*call).mouseCommand)),
		"scroll":         page("scroll [up|down|left|right] [px] [-s <selector>]", 0, (*call).scroll),
		"set":            page("set <viewport|device|geo|offline|headers|credentials|media> [args]", 1, (*call).set),
		"frame":          page("frame <selector|@ref|main>", 1, (*call).frameCommand),
		"wait":           page("wait <selector|ms> | --text <text> | --url <pattern> | --load <state> | --fn <js> [--state <state>] [--timeout <ms>]", 1, (*call).wait),
		"get":            page("get <text|html|value|attr|title|url|count|box|styles|cdp-url> [args]", 1, (*call).get),
		"is":             page("is <visible|enabled|checked> <selector>", 2, (*call).is),
		"find":           acting(page("find <role|text|label|placeholder|alt|title|testid|first|last|nth> <value> [action] [text] [--name <name>] [--exact]", 2, (*call).find)),
		"eval":           page("eval <script> | -b <base64> | --stdin", 0, (*call).eval),
		"screenshot":     page("screenshot [path] [--full] [--annotate] [--screenshot-format <png|jpeg>] [--screenshot-quality <n>]", 0, (*call).screenshot),
		"pdf":            page("pdf <path>", 1, (*call).pdf),
		"cookies":        page("cookies [get|set <name> <value>|clear]", 0, (*call).cookies),
		"storage":        page("storage <local|session> [key|get <key>|set <key> <value>|clear]", 1, (*call).storage),
		"clipboard":      page("clipboard <read|write <text>|copy|paste>", 1, (*call).clipboardCommand),
		"read":           page("read [url]", 0, func(c *call, ctx context.Context) (output, error) { return c.read(ctx, false) }),
		"scrape":         page("scrape [url]", 0, func(c *call, ctx context.Context) (output, error) { return c.read(ctx, true) }),
		"network":        {usage: "network requests [--filter <text>] [--clear]", least: 1, dialogs: true, run: (*call).network},
		"console":        {usage: "console [--clear]", dialogs: true, run: (*call).consoleCommand},
		"errors":         {usage: "errors [--clear]", dialogs: true, run: (*call).errorsCommand},
		"dialog":         {usage: "dialog <accept [text]|dismiss|status>", least: 1, dialogs: true, run: (*call).dialogCommand},
		"tab":            {usage: "tab [list|new [--label <label>] [url]|<id|label>|close [id]]", anywhere: true, run: (*call).tab},
		"window":         {usage: "window new", least: 1, anywhere: true, run: (*call).window},
		"batch":          {usage: `batch "<command>"... [--bail]`, anywhere: true, run: (*call).batch},
		"close":          {usage: "close", anywhere: true, run: (*call).closeCommand},
		"help":           {usage: "help", anywhere: true, run: func(*call, context.Context) (output, error) { return says(help()), nil }},
		"--version": {usage: "--version", anywhere: true, run: func(*call, context.Context) (output, error) {
			return says(program + " (trawl " + trawl.Version + ")"), nil
		}},
	}
	for alias, name := range map[string]string{
		"goto": "open", "navigate": "open", "quit": "close", "exit": "close", "--help": "help", "-h": "help", "-V": "--version", "key": "press",
		"scrollinto": "scrollintoview",
	} {
		commands[alias] = commands[name]
	}
	for name, why := range refused {
		commands[name] = command{usage: name, anywhere: true, run: func(*call, context.Context) (output, error) {
			return output{}, failed("%s is not offered here: %s", name, why)
		}}
	}
}

// refused are commands of the program that a remote session does not have, and why.
var refused = map[string]string{
	"upload":   "the files of a session are on the server; use the interactive live view or the DevTools protocol",
	"download": "files are not downloaded to a disk of yours; read the address with get attr and fetch it",
	"connect":  "the session has its browser",
	"record":   "ask for recordSession when the session is started",
	"trace":    "use Tracing of the DevTools protocol at the session's cdpUrl",
	"profiler": "use Profiler of the DevTools protocol at the session's cdpUrl",
	"state":    "start the session with a profile, which keeps cookies and storage",
	"auth":     "start the session with a profile, which keeps logins",
	"stream":   "watch the session at its liveViewUrl",
	"chat":     "send a prompt to interact instead",
	"react":    "it needs an extension of the browser",
	"diff":     "compare two snapshots on your side",
	"install":  "the session has its browser",
}

// help lists the commands.
func help() string {
	var out strings.Builder
	out.WriteString("agent-browser commands of this session:\n")
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		c := commands[name]
		first, _, _ := strings.Cut(c.usage, " ")
		if _, no := refused[name]; no || first != name || name == "help" || strings.HasPrefix(name, "-") {
			continue
		}
		out.WriteString("  " + c.usage + "\n")
	}
	out.WriteString("Selectors: @e1 of the last snapshot, CSS, text=…, xpath=…\nFlags: --json, --max-output <n>")
	return out.String()
}

// onElement does something with the element that the first argument names.
func (c *call) onElement(ctx context.Context, do func(context.Context, *call, *element) error) (output, error) {
	e, err := c.element(ctx, c.page, c.args[0])
	if err == nil {
		err = do(ctx, c, e)
	}
	return done, err
}

// flags takes flags out of the arguments: those with a value, and those without.
func (c *call) flags(valued, plain []string) (map[string]string, error) {
	found := map[string]string{}
	var rest []string
	for i := 0; i < len(c.args); i++ {
		name, value, joined := strings.Cut(c.args[i], "=")
		switch {
		case slices.Contains(plain, c.args[i]):
			found[c.args[i]] = ""
		case slices.Contains(valued, c.args[i]):
			if i++; i == len(c.args) {
				return nil, usage(c.name)
			}
			found[c.args[i-1]] = c.args[i]
		case joined && strings.HasPrefix(name, "--") && slices.Contains(valued, name):
			found[name] = value
		default:
			rest = append(rest, c.args[i])
		}
	}
	c.args = rest
	return found, nil
}

// either returns the value of a flag that has two names.
func either(flags map[string]string, names ...string) (string, bool) {
	for _, name := range names {
		if value, set := flags[name]; set {
			return value, true
		}
	}
	return "", false
}
