package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trawlhq/trawl"
)

// tool is a line of the table: what models see, and the route behind it.
type tool struct {
	name, title string
	about       string // for the model: when to call it, what it returns

	readOnly, openWorld, destructive bool

	route    string            // such as "GET /v2/crawl/{id}"; without it the tool is not offered
	path     map[string]string // placeholders of the path, by the argument that fills them
	query    map[string]string // parameters of the query, by the argument that fills them
	fields   []string          // arguments that are fields of the body, with the schema that they have there
	own      func(*spec) object
	required []string
	output   object // members of the result beyond those of the answer

	needs     func(*Server) bool                              // whether it is offered at all; nil for always
	translate func(call *call) error                          // puts arguments into the words of the API
	run       func(context.Context, *call) ([]byte, error)    // instead of one request to the route
	unwrap    string                                          // member of the answer that is the result
	rest      func(call *call, result []byte) (uris []string) // where the rest of a result is that was cut

	arguments object // what it takes: what models are told of, and the other fields of the body
}

// call is a call of a tool.
type call struct {
	server  *Server
	tool    *tool
	visitor visitor
	args    map[string]json.RawMessage
	request *sdk.CallToolRequest
	limit   int // most characters of the result
}

// Arguments that tools of many lines have.
const (
	argLimit = "maxCharacters"
	argID    = "id"
)

// addTools offers those tools whose routes the service has. One that ends with this
// program has nobody to read feedback, and no time for monitors.
func (s *Server) addTools() {
	tools := slices.Concat(pageTools, jobTools, browserTools, teamTools)
	if !s.Passing {
		tools = slices.Concat(tools, monitorTools, feedbackTools)
	}
	for _, t := range tools {
		op := s.spec.operation(t.route)
		if op == nil || t.needs != nil && !t.needs(s) {
			continue
		}
		input := t.input(s.spec, op)
		t.arguments = with(properties(s.spec.body(op)), properties(input))
		s.sdk.AddTool(&sdk.Tool{
			Name: t.name, Title: t.title, Description: t.about, InputSchema: input, OutputSchema: t.result(s.spec, op),
			Annotations: &sdk.ToolAnnotations{
				Title: t.title, ReadOnlyHint: t.readOnly, OpenWorldHint: &t.openWorld, DestructiveHint: &t.destructive,
			},
		}, s.handler(&t))
	}
}

// input returns the schema of the arguments.
func (t *tool) input(d *spec, op *operation) object {
	fields := object{}
	taken := properties(d.body(op))
	for _, name := range t.fields {
		if schema, ok := taken[name]; ok {
			fields[name] = d.plain(schema)
		}
	}
	for argument, name := range t.query {
		if schema := op.parameter(name); schema != nil {
			fields[argument] = d.plain(schema)
		}
	}
	for argument := range t.path {
		fields[argument] = object{"type": "string", "description": "Which one it is about."}
	}
	if t.own != nil {
		maps.Copy(fields, t.own(d))
	}
	if _, ok := t.output["truncated"]; ok {
		fields[argLimit] = object{
			"type": "integer", "minimum": leastText, "maximum": mostText,
			"description": "Most characters of the result. What is longer is cut, and says where the rest is.",
		}
	}
	return object{"type": "object", "properties": fields, "required": append([]string{}, t.required...), "additionalProperties": false}
}

// result returns the schema of what the tool returns.
func (t *tool) result(d *spec, op *operation) object {
	schema := d.answer(op)
	if t.unwrap != "" {
		schema = d.resolved(properties(schema)[t.unwrap])
	}
	members := d.loose(schema)
	maps.Copy(members, t.output)
	return object{"type": "object", "properties": members}
}

// handler answers calls of a tool. What goes wrong is told to the model, which may
// do better with other arguments.
func (s *Server) handler(t *tool) sdk.ToolHandler {
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c := &call{server: s, tool: t, request: r, visitor: s.visitor(r.Extra), limit: s.Text}
		result, err := c.answer(ctx)
		if err != nil {
			return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}, nil
		}
		return result, nil
	}
}

func (c *call) answer(ctx context.Context) (*sdk.CallToolResult, error) {
	if err := c.read(); err != nil {
		return nil, err
	}
	run := c.tool.run
	if run == nil {
		run = func(ctx context.Context, c *call) ([]byte, error) { return c.once(ctx) }
	}
	body, err := run(ctx, c)
	if err != nil {
		return nil, err
	}
	return c.present(body), nil
}

// read takes the arguments in.
func (c *call) read() error {
	c.args = map[string]json.RawMessage{}
	if raw := c.request.Params.Arguments; len(raw) > 0 {
		if err := json.Unmarshal(raw, &c.args); err != nil {
			return fmt.Errorf("the arguments must be an object")
		}
	}
	for name, value := range c.args {
		if _, ok := c.tool.arguments[name]; !ok {
			return fmt.Errorf("there is no argument %q", name)
		}
		if string(value) == "null" { // as if it were not there
			delete(c.args, name)
		}
	}
	for _, name := range c.tool.required {
		if c.args[name] == nil {
			return fmt.Errorf("the argument %q is missing", name)
		}
	}
	if _, ok := c.args[argLimit]; ok {
		if err := c.take(argLimit, &c.limit); err != nil || c.limit < leastText || c.limit > mostText {
			return fmt.Errorf("the argument %q must be a number from %d to %d", argLimit, leastText, mostText)
		}
	}
	if c.tool.translate != nil {
		return c.tool.translate(c)
	}
	return nil
}

// take moves an argument into a variable, whose type it must have. Without the
// argument nothing changes.
func (c *call) take(name string, into any) error {
	value, ok := c.args[name]
	if !ok {
		return nil
	}
	delete(c.args, name)
	if err := json.Unmarshal(value, into); err != nil {
		return fmt.Errorf("the argument %q has the wrong type", name)
	}
	return nil
}

// put sets a field of the body.
func (c *call) put(name string, value any) {
	raw, err := json.Marshal(value)
	if err != nil { // none of the values can fail
		panic(err)
	}
	c.args[name] = raw
}

// exchange makes the request of the tool's route: placeholders and parameters from
// the arguments that fill them, the others as its body.
func (c *call) exchange(ctx context.Context) (answer, error) {
	method, path, _ := strings.Cut(c.tool.route, " ")
	for argument, name := range c.tool.path {
		var id string
		if err := c.take(argument, &id); err != nil {
			return answer{}, err
		}
		if id == "" {
			return answer{}, fmt.Errorf("the argument %q is empty", argument)
		}
		path = strings.Replace(path, "{"+name+"}", url.PathEscape(id), 1)
	}
	query := url.Values{}
	for argument, name := range c.tool.query {
		if value, ok := c.args[argument]; ok {
			query.Set(name, unquoted(value))
			delete(c.args, argument)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	q := request{method: method, path: path}
	if method == http.MethodPost || method == http.MethodPatch {
		c.put("origin", c.origin())
		q.body, _ = json.Marshal(c.args)
	}
	return c.exchangeWith(ctx, q)
}

// send does, and takes only a success for an answer.
func (c *call) send(ctx context.Context) ([]byte, error) {
	found, err := c.exchange(ctx)
	if err != nil {
		return nil, err
	}
	return found.ok()
}

func (c *call) exchangeWith(ctx context.Context, q request) (answer, error) {
	return c.server.do(ctx, c.visitor, q)
}

// get reads from the API.
func (c *call) get(ctx context.Context, path string) ([]byte, error) {
	found, err := c.exchangeWith(ctx, request{method: http.MethodGet, path: path})
	if err != nil {
		return nil, err
	}
	return found.ok()
}

// post sends a body to the API.
func (c *call) post(ctx context.Context, path string, body map[string]json.RawMessage) ([]byte, error) {
	body["origin"], _ = json.Marshal(c.origin())
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	found, err := c.exchangeWith(ctx, request{method: http.MethodPost, path: path, body: encoded})
	if err != nil {
		return nil, err
	}
	return found.ok()
}

// unquoted is a scalar as it stands in a query.
func unquoted(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// once makes one request, whose answer, or a member of it, is the result.
func (c *call) once(ctx context.Context) ([]byte, error) {
	body, err := c.send(ctx)
	if err != nil || c.tool.unwrap == "" {
		return body, err
	}
	return member(body, c.tool.unwrap)
}

// origin names the client, as the API keeps it with what it does.
func (c *call) origin() string {
	name := ""
	if info := c.request.ClientInfo(); info != nil {
		name = slug(info.Name)
	}
	if name == "" {
		name = "client"
	}
	return "mcp-" + name + "@" + trawl.Version
}

// slug keeps letters and digits of a name that a client gives itself.
func slug(name string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(name) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 48 {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}

// present makes the result of an answer: as text for the model and as data for
// programs, which say the same.
func (c *call) present(body []byte) *sdk.CallToolResult {
	text, data := c.fitted(body)
	if !c.server.Local {
		if result := c.server.bodies.put(text, data); result != nil {
			return result
		}
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(text)}}, StructuredContent: data}
}

func indented(body []byte) []byte {
	text, err := jsontext.AppendFormat(make([]byte, 0, len(body)+len(body)/8), body, jsontext.AllowInvalidUTF8(true), jsontext.WithIndent("  "))
	if err != nil {
		return strconv.AppendQuote(nil, string(body))
	}
	return text
}
