package session

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/trawlhq/trawl/browser/cdp"
)

var (
	errDepth = errors.New("nested too deeply")
	errMore  = errors.New("more than one value")
)

const (
	mostDepth   = 200       // of what is nested in a command; a browser itself reads 300 levels
	mostURL     = 2 << 20   // bytes of an address, as in a browser
	addressHead = 2 << 10   // bytes of an address that decide where it leads
	mostTrace   = 200 << 10 // kB that a trace may keep in memory
)

// The protocol's own error codes.
const (
	codeNotJSON = -32700
	codeInvalid = -32600
	codeUnknown = -32601
	codeParams  = -32602
	codeRefused = -32000
)

// command is what a client wants the browser to do.
type command struct {
	id      int64
	method  string
	params  jsontext.Value // none, or an object
	session string
}

// verdict is what becomes of a command: it is refused, answered here because it ends
// the session, or passed on with the given parameters.
type verdict struct {
	refused *cdp.Error
	ends    bool
	params  jsontext.Value
}

// filter decides which commands of clients reach the browser. The protocol is made
// for people who sit in front of the browser: it reads and writes their files, opens
// ports, starts programs and changes the way to the network. All a client may use is
// what concerns the pages of the session. Only domains and commands of the tables in
// this file pass, and what passes was understood, and written anew, by us.
type filter struct {
	is func(targetID string, what kind) bool
}

// parse reads a message of a client. The id of the refused command is in the result
// as far as it was understood.
func parse(data []byte) (m command, hasID bool, refused *cdp.Error) {
	if err := sound(data); err != nil {
		return m, false, &cdp.Error{Code: codeNotJSON, Message: "JSON: " + err.Error()}
	}
	var raw params
	lenient := jsontext.AllowInvalidUTF8(true)
	if json.Unmarshal(data, &raw, lenient) != nil {
		return m, false, invalid("Message must be an object")
	}
	id, method, object, session := raw["id"], raw["method"], raw["params"], raw["sessionId"]
	if id.Kind() != '0' || json.Unmarshal(id, &m.id) != nil {
		return m, false, invalid("Message must have integer 'id' property")
	}
	all := len(raw)
	raw.keep("id", "method", "params", "sessionId")
	switch {
	case method.Kind() != '"' || json.Unmarshal(method, &m.method, lenient) != nil:
		return m, true, invalid("Message must have string 'method' property")
	case session != nil && (session.Kind() != '"' || json.Unmarshal(session, &m.session, lenient) != nil):
		return m, true, invalid("Message may have string 'sessionId' property")
	case object != nil && object.Kind() != '{':
		return m, true, invalid("Message may have object 'params' property")
	case len(raw) != all:
		return m, true, invalid("Message has property other than 'id', 'method', 'sessionId', 'params'")
	}
	m.params = object
	return m, true, nil
}

func invalid(text string) *cdp.Error { return &cdp.Error{Code: codeInvalid, Message: text} }

// sound reports why bytes are not one JSON value, whose objects name nothing twice
// and which is not nested too deeply.
func sound(data []byte) error {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowInvalidUTF8(true))
	for first := true; first || decoder.StackDepth() > 0; first = false {
		if _, err := decoder.ReadToken(); err != nil {
			return err
		}
		if decoder.StackDepth() > mostDepth {
			return errDepth
		}
	}
	if _, err := decoder.ReadToken(); err != io.EOF {
		return errMore
	}
	return nil
}

// check decides about a command to a target, which may not be known.
func (f *filter) check(m command, target string) verdict {
	if m.method == "Browser.close" {
		return verdict{ends: true}
	}
	if f.is(target, strayed) && !leads(m.method) {
		return verdict{refused: refusal("The page is not one of the web.")}
	}
	if refused := permitted(m.method); refused != nil {
		return verdict{refused: refused}
	}
	rule := rules[m.method]
	if rule == nil {
		return verdict{params: m.params}
	}
	p := params{}
	if m.params != nil {
		if err := json.Unmarshal(m.params, &p, jsontext.AllowInvalidUTF8(true)); err != nil {
			return verdict{refused: invalidParams(err.Error())}
		}
	}
	if refused := rule(f, p); refused != nil {
		return verdict{refused: refused}
	}
	written, err := json.Marshal(p, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return verdict{refused: invalidParams(err.Error())}
	}
	return verdict{params: written}
}

// leads reports whether a command can be part of leading a page back to the web.
func leads(method string) bool {
	return method == "Page.navigate" || method == "Page.close" || strings.HasPrefix(method, "Fetch.") || strings.HasSuffix(method, ".disable")
}

// permitted reports why a command is out of the question whatever its parameters are.
func permitted(method string) *cdp.Error {
	name, command, _ := strings.Cut(method, ".")
	if why, ok := closedDomains[name]; ok {
		return refusal(method + " is not available in a remote session: " + why + ".")
	}
	d, ok := domains[name]
	if !ok {
		return &cdp.Error{Code: codeUnknown, Message: "'" + method + "' wasn't found"}
	}
	if why, ok := d.but[command]; ok {
		return refusal(method + " is not available in a remote session: " + why + ".")
	}
	if d.only != nil && !slices.Contains(d.only, command) {
		return refusal(method + " is not available in a remote session.")
	}
	return nil
}

func refusal(text string) *cdp.Error { return &cdp.Error{Code: codeRefused, Message: text} }

func invalidParams(text string) *cdp.Error {
	return &cdp.Error{Code: codeParams, Message: "Invalid parameters: " + text}
}

// params are those of a command, by name.
type params map[string]jsontext.Value

// get decodes a parameter; one that is absent leaves the value as it is.
func (p params) get(name string, into any) *cdp.Error {
	if p[name] == nil {
		return nil
	}
	if err := json.Unmarshal(p[name], into, jsontext.AllowInvalidUTF8(true)); err != nil {
		return invalidParams(name + " is not what it should be")
	}
	return nil
}

// keep removes all parameters but some.
func (p params) keep(names ...string) {
	for name := range p {
		if !slices.Contains(names, name) {
			delete(p, name)
		}
	}
}

// rule looks at the parameters of a command. It may change them.
type rule func(f *filter, p params) *cdp.Error

var rules = map[string]rule{
	"Browser.setDownloadBehavior":        denyDownloads,
	"Page.setDownloadBehavior":           denyDownloads,
	"Browser.getWindowForTarget":         onTheWeb,
	"Fetch.continueRequest":              toTheWeb,
	"Network.continueInterceptedRequest": toTheWeb,
	"Network.loadNetworkResource":        toTheWeb,
	"Page.navigate":                      toTheWeb,
	"Input.dispatchDragEvent":            noFiles,
	"Input.dispatchKeyEvent":             pageKeys,
	"Target.createTarget":                createTarget,
	"Target.createBrowserContext":        ownProxy,
	"Target.attachToTarget":              attach,
	"Target.activateTarget":              onTheWeb,
	"Target.getTargetInfo":               onTheWeb,
	"Target.autoAttachRelated":           autoAttachRelated,
	"Target.setAutoAttach":               setAutoAttach,
	"Target.setDiscoverTargets":          setDiscoverTargets,
	"Target.getTargets":                  onlyWebTargets,
	"Tracing.start":                      startTracing,
}

// denyDownloads lets no client choose where files are written, nor write any. The
// command succeeds, as clients send it when they connect; they do hear of downloads.
func denyDownloads(_ *filter, p params) *cdp.Error {
	p.keep("behavior", "browserContextId", "eventsEnabled")
	p["behavior"] = jsontext.Value(`"deny"`)
	return nil
}

// toTheWeb accepts addresses of the web only.
func toTheWeb(_ *filter, p params) *cdp.Error {
	if p["url"] == nil {
		return nil
	}
	var address string
	if refused := p.get("url", &address); refused != nil {
		return refused
	}
	clean, refused := webAddress(address)
	if refused != nil {
		return refused
	}
	return p.set("url", clean)
}

func (p params) set(name string, value any) *cdp.Error {
	written, err := json.Marshal(value, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return invalidParams(err.Error())
	}
	p[name] = written
	return nil
}

// createTarget opens a blank page where no address is given. A client that says that
// it needs no new window only means that it does not care; a browser takes it at
// its word, and fails in a context that has no window yet.
func createTarget(f *filter, p params) *cdp.Error {
	if string(p["newWindow"]) == "false" {
		delete(p, "newWindow")
	}
	if string(p["url"]) == `""` {
		return nil
	}
	return toTheWeb(f, p)
}

// webAddress returns an address without what parsers of addresses skip. It must be
// of the web: neither files nor the pages of the browser itself.
func webAddress(address string) (clean string, refused *cdp.Error) {
	clean = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, strings.TrimFunc(address, func(r rune) bool { return r <= ' ' }))
	u, err := whatwg.Parse(clean[:min(len(clean), addressHead)])
	if err != nil || len(clean) > mostURL {
		return "", refusal("Cannot navigate to invalid URL")
	}
	rest := clean[min(len(u.Protocol()), len(clean)):]
	switch u.Protocol() {
	case "http:", "https:", "data:", "javascript:":
		return clean, nil
	case "about:":
		if p := u.Pathname(); p == "blank" || p == "srcdoc" {
			return clean, nil
		}
	case "blob:":
		if strings.HasPrefix(rest, "null/") || onHTTP(rest) {
			return clean, nil
		}
	case "view-source:":
		if onHTTP(rest) {
			return clean, nil
		}
	}
	return "", refusal("Addresses that begin with " + u.Protocol() + " are not available in a remote session.")
}

func onHTTP(address string) bool {
	u, err := whatwg.Parse(address[:min(len(address), addressHead)])
	return err == nil && (u.Protocol() == "http:" || u.Protocol() == "https:")
}

// noFiles refuses to drag files of the computer that the browser runs on.
func noFiles(_ *filter, p params) *cdp.Error {
	var data struct {
		Files jsontext.Value `json:"files"`
	}
	if refused := p.get("data", &data); refused != nil {
		return refused
	}
	if data.Files != nil && string(data.Files) != "[]" {
		return refusal("Input.dispatchDragEvent cannot drag files in a remote session: they would be files of the server.")
	}
	return nil
}

// pageKeys keeps keys to pages. One that has a code of the keyboard is the browser's
// own, too, which opens its history, its settings and its tools for some, and that in
// pages that clients are attached to.
func pageKeys(_ *filter, p params) *cdp.Error {
	delete(p, "nativeVirtualKeyCode")
	return nil
}

// ownProxy keeps contexts on the session's way to the network.
func ownProxy(_ *filter, p params) *cdp.Error {
	for _, name := range []string{"proxyServer", "proxyBypassList", "originsWithUniversalNetworkAccess"} {
		if v := string(p[name]); v != "" && v != `""` && v != "[]" {
			return refusal("Target.createBrowserContext cannot have " + name + " in a remote session: all traffic takes the session's own way to the network.")
		}
		delete(p, name)
	}
	return nil
}

// onTheWeb refuses targets that are the browser's own. Without one, the command is
// about the target that it is sent to.
func onTheWeb(f *filter, p params) *cdp.Error {
	if p["targetId"] == nil {
		return nil
	}
	var id string
	if refused := p.get("targetId", &id); refused != nil {
		return refused
	}
	if !f.is(id, ofWeb) {
		return &cdp.Error{Code: codeParams, Message: "No target with given id found"}
	}
	return nil
}

// attach refuses sessions whose messages are wrapped into those of others: nobody
// would look at what is in them. To the browser as a whole a client is attached
// already; what it says there passes the same filter.
func attach(f *filter, p params) *cdp.Error {
	if string(p["flatten"]) != "true" {
		return refusal("Target.attachToTarget needs flatten: true in a remote session.")
	}
	var id string
	if p.get("targetId", &id) == nil && f.is(id, whole) {
		return nil
	}
	return onTheWeb(f, p)
}

func autoAttachRelated(f *filter, p params) *cdp.Error {
	if refused := onTheWeb(f, p); refused != nil {
		return refused
	}
	return onlyWebTargets(f, p)
}

func setAutoAttach(f *filter, p params) *cdp.Error {
	if string(p["autoAttach"]) != "true" {
		return nil
	}
	if string(p["flatten"]) != "true" {
		return refusal("Target.setAutoAttach needs flatten: true in a remote session.")
	}
	return onlyWebTargets(f, p)
}

func setDiscoverTargets(f *filter, p params) *cdp.Error {
	if string(p["discover"]) != "true" {
		return nil // the browser wants no filter then
	}
	return onlyWebTargets(f, p)
}

// onlyWebTargets takes the browser's own pages out of what a client asks for. The
// first entry of a filter that fits a target decides.
func onlyWebTargets(_ *filter, p params) *cdp.Error {
	wanted := []jsontext.Value{ // what a browser takes where nothing is said
		jsontext.Value(`{"type":"browser","exclude":true}`), jsontext.Value(`{"type":"tab","exclude":true}`), jsontext.Value(`{}`),
	}
	if refused := p.get("filter", &wanted); refused != nil {
		return refused
	}
	without := []jsontext.Value{
		jsontext.Value(`{"type":"browser_ui","exclude":true}`), jsontext.Value(`{"type":"background_page","exclude":true}`),
		jsontext.Value(`{"type":"app","exclude":true}`),
	}
	return p.set("filter", append(without, wanted...))
}

// startTracing keeps traces to the browser, and to a size.
func startTracing(_ *filter, p params) *cdp.Error {
	var backend string
	var config struct {
		Size     float64        `json:"traceBufferSizeInKb"`
		Systrace jsontext.Value `json:"enableSystrace"`
	}
	if refused := p.get("tracingBackend", &backend); refused != nil {
		return refused
	}
	if refused := p.get("traceConfig", &config); refused != nil {
		return refused
	}
	switch {
	case p["perfettoConfig"] != nil, backend == "system", config.Systrace != nil && string(config.Systrace) != "false":
		return refusal("Tracing.start traces only the browser in a remote session: without perfettoConfig, enableSystrace and the system backend.")
	case config.Size > mostTrace:
		return refusal("Tracing.start keeps at most 200 MB in a remote session.")
	}
	return p.set("tracingBackend", "chrome")
}
