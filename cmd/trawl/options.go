package main

import (
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/net/http/httpguts"
	"golang.org/x/term"

	"github.com/trawlhq/trawl"
)

// options are the settings of the service, each declared once: the flag, the
// variable, the key of the file, the help and the documentation all come from
// the field. Beyond the tags of kong a field may carry
//
//	group    which section of the help it is in; this is what makes a flag a setting
//	secret   the value is never printed
//	min, max bounds, written like the value
//	url      the schemes that a URL may have
//	shown    what the documentation gives as default, where it depends on the machine
type options struct {
	Listen         string   `group:"server" default:"127.0.0.1:3002" placeholder:"ADDRESS" help:"Address of the API."`
	MetricsListen  string   `group:"server" shown:"the API server, path /metrics" placeholder:"ADDRESS" help:"Separate address for metrics."`
	PublicURL      string   `group:"server" url:"http,https" shown:"from the request" placeholder:"URL" help:"Base of absolute addresses in answers."`
	TrustedProxies prefixes `group:"server" default:"127.0.0.0/8,::1/128" placeholder:"CIDR,..." help:"Networks whose X-Forwarded headers count."`
	APIKey         string   `group:"server" secret:"" shown:"generated, printed once" placeholder:"KEY" help:"First key of the team default."`
	Auth           string   `group:"server" enum:"on,off" default:"on" placeholder:"on|off" help:"Ask for an API key; off only with a loopback listen address."`
	Console        string   `group:"server" enum:"on,off" default:"on" placeholder:"on|off" help:"Serve the console, a page for people, at /console."`

	MCP          string        `group:"mcp" name:"mcp" enum:"on,off" default:"on" placeholder:"on|off" help:"Offer tools to language models at /mcp, over the Model Context Protocol."`
	MCPKeyInPath string        `group:"mcp" name:"mcp-key-in-path" enum:"on,off" default:"off" placeholder:"on|off" help:"Offer them at /KEY/mcp as well, for clients that cannot send headers. Addresses end up in logs."`
	MCPText      int           `group:"mcp" name:"mcp-text" default:"100000" min:"1000" max:"20000000" placeholder:"N" help:"Most characters of a tool's result, unless the caller chooses; what is longer is cut."`
	MCPSessions  int           `group:"mcp" name:"mcp-sessions" default:"1000" min:"1" max:"100000" placeholder:"N" help:"Most sessions of a team at a time."`
	MCPIdle      time.Duration `group:"mcp" name:"mcp-idle" default:"30m" min:"1s" max:"24h" placeholder:"DURATION" help:"How long a session lasts without messages."`
	MCPOrigins   list          `group:"mcp" name:"mcp-origins" placeholder:"URL,..." help:"Origins of web pages that may use the tools, such as https://app.example.com; pages of this machine and of the service itself always may."`

	storage

	BlobURL          string        `group:"storage" secret:"" url:"s3" shown:"in the database" placeholder:"URL" help:"Object store for large values: s3://bucket?endpoint=...&region=..."`
	Retention        time.Duration `group:"storage" default:"24h" min:"1m" max:"87600h" placeholder:"DURATION" help:"How long results are kept."`
	HistoryPages     int           `group:"storage" default:"100000" min:"1" max:"100000000" placeholder:"N" help:"Most tracked pages that a team has in its history; beyond it the oldest go."`
	HistoryRetention time.Duration `group:"storage" default:"2160h" min:"1m" max:"87600h" placeholder:"DURATION" help:"How long a tracked page stays in the history."`
	CacheMaxBytes    size          `group:"storage" default:"10GiB" min:"0" placeholder:"SIZE" help:"Size of the page cache; beyond it the oldest pages go."`

	Roles   list   `group:"node" default:"api,worker" placeholder:"ROLE,..." help:"What this node does."`
	NodeURL string `group:"node" url:"http,https" shown:"from listen" placeholder:"URL" help:"How other nodes reach this one."`

	Concurrency int `group:"limit" default:"50" min:"1" max:"100000" placeholder:"N" help:"Scrapes of a team at a time, unless the team has a number of its own."`
	RateScrape  int `group:"limit" default:"5000" min:"1" placeholder:"N" help:"Scrapes of a team per minute."`
	RateCrawl   int `group:"limit" default:"1000" min:"1" placeholder:"N" help:"Crawls and batches started by a team per minute."`
	RateExtract int `group:"limit" default:"1000" min:"1" placeholder:"N" help:"Extracts started by a team per minute."`
	RateBrowser int `group:"limit" default:"1000" min:"1" placeholder:"N" help:"Browser sessions started by a team per minute."`
	RateStatus  int `group:"limit" default:"250000" min:"1" placeholder:"N" help:"Status requests of a team per minute."`

	AnonymousConnections int `group:"limit" default:"500" min:"0" max:"1000000" placeholder:"N" help:"Connections of one address on which no valid key has come yet, trusted proxies aside; 0 for any number."`

	AllowPrivate  prefixes `group:"egress" placeholder:"CIDR,..." help:"Private networks open to targets and webhooks; none unless named."`
	AllowPorts    ports    `group:"egress" placeholder:"PORT,..." help:"Ports open to targets and webhooks although they are those of other services than the web, such as 25 and 5432; none unless named."`
	ProxyBasic    list     `group:"egress" secret:"" placeholder:"URL,..." help:"Proxies of plain requests, DE=http://... for one country."`
	ProxyEnhanced list     `group:"egress" secret:"" placeholder:"URL,..." help:"Proxies of enhanced requests, DE=http://... for one country."`
	UserAgent     string   `group:"egress" shown:"a browser's, with the name and address of this project" placeholder:"TEXT" help:"User agent of requests; give an address at which you can be reached."`

	Chromium        string `group:"browser" type:"path" shown:"found" placeholder:"FILE" help:"Chromium or Chrome."`
	ChromiumShell   string `group:"browser" type:"path" shown:"found" placeholder:"FILE" help:"Headless shell of Chromium, which is cheaper."`
	BrowserSandbox  string `group:"browser" enum:"on,off" default:"on" placeholder:"on|off" help:"Run the browser in its sandbox; off only where the machine offers none."`
	BrowserPages    int    `group:"browser" default:"${browser_pages}" shown:"2 × cores" min:"1" max:"10000" placeholder:"N" help:"Most pages open at a time; twice as many if teams would be kept out."`
	BrowserSessions int    `group:"browser" default:"20" min:"0" max:"10000" placeholder:"N" help:"Most browser sessions at a time, of a team and on a node; 0 means none."`
	BrowserWarm     int    `group:"browser" default:"1" min:"0" max:"100" placeholder:"N" help:"Browsers kept ready for sessions."`
	AdblockLists    string `group:"browser" type:"path" shown:"built-in list" placeholder:"FOLDER" help:"Folder of filter lists."`
	Autoconsent     string `group:"browser" type:"path" shown:"found where set-up put it" placeholder:"FOLDER" help:"Folder of the autoconsent library, which answers cookie dialogs."`

	Tesseract       string `group:"document" shown:"found" placeholder:"FILE|off" help:"Tesseract, which recognises the text of scanned pages; off for none."`
	OCRLanguages    list   `group:"document" name:"ocr-languages" default:"eng" placeholder:"LANGUAGE,..." help:"Languages that it recognises, by their names in Tesseract."`
	DocumentWorkers int    `group:"document" default:"${document_workers}" shown:"cores" min:"1" max:"1000" placeholder:"N" help:"Processes that read documents, each of up to 800 MiB; twice as many if several teams have files read."`

	LLMBaseURL     string `group:"model" name:"llm-base-url" url:"http,https" placeholder:"URL" help:"Language model: any endpoint compatible with OpenAI."`
	LLMAPIKey      string `group:"model" name:"llm-api-key" secret:"" placeholder:"KEY" help:"Key of the language model."`
	LLMModel       string `group:"model" name:"llm-model" placeholder:"NAME" help:"Name of the language model."`
	LLMMaxTokens   int    `group:"model" name:"llm-max-tokens" default:"0" min:"0" max:"10000000" placeholder:"N" help:"Most tokens of an answer; 0 leaves it to the endpoint."`
	LLMConcurrency int    `group:"model" name:"llm-concurrency" default:"8" min:"1" max:"1000" placeholder:"N" help:"Most questions to the language model at a time."`
	SearchURL      string `group:"model" url:"http,https" placeholder:"URL" help:"Web search: address of a SearXNG whose settings allow the format json."`

	SMTPURL       string `group:"webhook" name:"smtp-url" secret:"" url:"smtp,smtps" placeholder:"URL" help:"Mail server for mail of monitors: smtp://user:password@host:587?from=address, with STARTTLS, or smtps://."`
	MonitorSpread string `group:"node" enum:"on,off" default:"on" placeholder:"on|off" help:"Start checks of monitors that are due at the same time within a minute instead of all at once."`

	WebhookSecret string `group:"webhook" secret:"" shown:"per team, generated" placeholder:"SECRET" help:"Signs what webhooks deliver."`

	LogLevel  string `group:"log" default:"info" enum:"debug,info,warn,error" placeholder:"LEVEL" help:"Least level that is logged: debug, info, warn or error."`
	AuditLog  string `group:"log" shown:"none" placeholder:"FILE|stderr" help:"Where requests that change or fetch something are written down, a line of JSON each: a file, or stderr."`
	LogFormat string `group:"log" default:"${log_format}" shown:"text on a terminal, else json" enum:"text,json" placeholder:"FORMAT" help:"How the log is written: text or json."`
}

// storage is the part of the settings that says where the data is; it is all
// that administrative commands need.
type storage struct {
	DataDir     string `group:"storage" type:"path" default:"${data_dir}" shown:"$XDG_DATA_HOME/trawl, else ~/.local/share/trawl" placeholder:"FOLDER" help:"Folder of the SQLite files, the lock and caches."`
	DatabaseURL string `group:"storage" secret:"" url:"postgres,postgresql" shown:"none, which means SQLite" placeholder:"URL" help:"PostgreSQL instead of SQLite: postgres://..."`
}

// settingGroups are the sections of help and documentation.
func settingGroups() []kong.Group {
	return []kong.Group{
		{Key: "server", Title: "Server"},
		{Key: "mcp", Title: "Tools for language models"},
		{Key: "storage", Title: "Storage"},
		{Key: "node", Title: "Several nodes"},
		{Key: "limit", Title: "Limits"},
		{Key: "egress", Title: "Requests to targets"},
		{Key: "browser", Title: "Browser"},
		{Key: "document", Title: "Documents"},
		{Key: "model", Title: "Language model and search"},
		{Key: "webhook", Title: "Webhooks and mail"},
		{Key: "log", Title: "Log"},
	}
}

// defaults are the default values that depend on the machine.
func (p *program) defaults() kong.Vars {
	return kong.Vars{
		"default_team":  trawl.DefaultTeam,
		"data_dir":      dataDir(p.env),
		"browser_pages": strconv.Itoa(2 * runtime.NumCPU()),

		"document_workers": strconv.Itoa(runtime.NumCPU()),
		"log_format":       logFormat(p.stderr),
	}
}

// dataDir follows the XDG base directory rules, by which a relative path does
// not count.
func dataDir(env map[string]string) string {
	if base := env["XDG_DATA_HOME"]; filepath.IsAbs(base) {
		return filepath.Join(base, "trawl")
	}
	if home := env["HOME"]; home != "" {
		return filepath.Join(home, ".local", "share", "trawl")
	}
	return ""
}

func logFormat(w io.Writer) string {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return "text"
	}
	return "json"
}

// check reports the first setting that is wrong beyond what its tags say.
func (o *options) check() error {
	if err := o.storage.check(); err != nil {
		return err
	}
	host, err := splitAddress(o.Listen)
	if err != nil {
		return refuse("listen", "%q is not an address such as 127.0.0.1:3002", o.Listen)
	}
	if o.Auth == "off" && !isLoopback(host) {
		return refuse("auth", "off needs a loopback listen address, not %s", o.Listen)
	}
	if _, err := splitAddress(o.MetricsListen); o.MetricsListen != "" && err != nil {
		return refuse("metrics-listen", "%q is not an address such as 127.0.0.1:9090", o.MetricsListen)
	}
	if len(o.Roles) == 0 {
		return refuse("roles", "must name at least one of api and worker")
	}
	for _, role := range o.Roles {
		if !slices.Contains([]string{"api", "worker"}, role) {
			return refuse("roles", "%q is neither api nor worker", role)
		}
	}
	if o.DatabaseURL == "" && (!slices.Contains(o.Roles, "api") || !slices.Contains(o.Roles, "worker")) {
		return refuse("roles", "api and worker go together without a database-url: SQLite has one process")
	}
	for _, name := range o.OCRLanguages {
		if !isLanguage(name) {
			return refuse("ocr-languages", "%q is no language of Tesseract, such as eng or chi_sim", name)
		}
	}
	if !httpguts.ValidHeaderFieldValue(o.UserAgent) {
		return refuse("user-agent", "must not contain control characters")
	}
	return o.checkModel()
}

func (s *storage) check() error {
	if s.DataDir == "" {
		return refuse("data-dir", "must be set, as neither XDG_DATA_HOME nor HOME is")
	}
	return nil
}

func splitAddress(address string) (host string, err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", err
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return host, err
}

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}
