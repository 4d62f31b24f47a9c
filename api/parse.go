package api

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/document"
	"github.com/trawlhq/trawl/scrape"
	"github.com/trawlhq/trawl/scrape/source"
)

// partOptions is the part of an upload that holds its options, and the first
// element of the paths of what is wrong with them.
const partOptions = "options"

// parseSchema is the name of their schema.
const parseSchema = "ParseRequest"

// newOptions returns a registry with the schema of the options in full. The one
// that the document shows lacks those that are refused.
func newOptions() huma.Registry {
	registry := huma.NewMapRegistry(schemaPrefix, huma.DefaultSchemaNamer)
	describeTypes(registry)
	registry.Schema(reflect.TypeFor[trawl.ParseRequest](), true, parseSchema)
	return registry
}

// parse answers POST /v2/parse.
func (s *Server) parse(w *answer, r *http.Request) {
	doc, err := s.parseUpload(w, r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answer := &ScrapeAnswer{Success: yes, Data: doc}
	visitOf(r.Context()).deed = answer.did()
	w.Header().Set("Content-Type", "application/json")
	_ = answer.writeJSON(w) // there is nobody to tell
}

func (s *Server) parseUpload(w http.ResponseWriter, r *http.Request) (*trawl.Document, error) {
	up, options, err := s.receiveEither(w, r)
	if err != nil {
		return nil, err
	}
	defer up.release()
	ctx, err := discreetly(r.Context(), options.ZeroDataRetention)
	if err != nil {
		return nil, err
	}
	who := visitOf(ctx).caller
	return s.inSlot(ctx, who.Team, options.Budget(), func(ctx context.Context, waited time.Duration) (*trawl.Document, error) {
		return s.Scraper.Parse(ctx, scrape.ParseRequest{
			ParseRequest: options, Caller: who, Waited: waited, Name: up.name, ContentType: up.contentType, Body: up.file,
		})
	})
}

// receiveEither reads a form with a file, or the reference to one that was sent before.
func (s *Server) receiveEither(w http.ResponseWriter, r *http.Request) (*upload, trawl.ParseRequest, error) {
	if mediaType, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); mediaType == "application/json" {
		return s.receiveRef(w, r)
	}
	up, err := s.receive(w, r)
	if err != nil {
		return nil, trawl.ParseRequest{}, err
	}
	options, err := s.parseOptions(r.Context(), partOptions, up.options)
	if err != nil {
		up.release()
	}
	return up, options, err
}

// parseOptions reads the options of an upload, which are checked like a body. They are
// a part of a form, or without its name the body itself.
func (s *Server) parseOptions(ctx context.Context, part string, data []byte) (trawl.ParseRequest, error) {
	options := trawl.DefaultParseRequest()
	if data == nil {
		return options, s.checkOptions(ctx, &options.ScrapeOptions)
	}
	if err := checkJSON(data); err != nil {
		if trawl.ErrorCode(err) == trawl.CodeInvalidJSON {
			return options, badPart(part, "invalid_value", "is not JSON")
		}
		return options, inPart(part, err)
	}
	var object any
	if err := decodeGeneric(data, &object); err != nil {
		return options, badPart(part, "invalid_value", "is not JSON")
	}
	if _, ok := object.(map[string]any); !ok {
		return options, badPart(part, "invalid_type", "is not a JSON object")
	}
	if err := s.validateOptions(part, object); err != nil {
		return options, err
	}
	if err := decodeTyped(data, &options); err != nil {
		return options, badPart(part, "invalid_value", "has a value that does not fit")
	}
	err := options.Unsupported() // first, as the rules for what is refused anyway do not matter
	if err == nil {
		err = trawl.Invalid(options.Validate())
	}
	if err == nil {
		err = s.checkOptions(ctx, &options.ScrapeOptions)
	}
	return options, inPart(part, err)
}

// validateOptions holds options against their schema.
func (s *Server) validateOptions(part string, object any) error {
	path, body := []byte("body"), object
	if part != "" {
		path, body = append(path, "."+part...), map[string]any{part: object}
	}
	at := huma.NewPathBuffer(path, len(path))
	result := &huma.ValidateResult{}
	huma.Validate(s.options, &huma.Schema{Ref: schemaPrefix + parseSchema}, at, huma.ModeWriteToServer, object, result)
	if len(result.Errors) == 0 {
		return nil
	}
	return invalidInput("The options cannot be used.", result.Errors, body)
}

// inPart puts the paths of an error's issues, and the one that its message begins
// with, under the name of a part.
func inPart(part string, err error) error {
	known, ok := errors.AsType[*trawl.Error](err)
	if !ok || part == "" {
		return err
	}
	moved := *known
	if len(known.Issues) > 0 && strings.HasPrefix(known.Message, trawl.DottedPath(known.Issues[0].Path)+": ") {
		moved.Message = part + "." + known.Message
	}
	moved.Issues = slices.Clone(known.Issues)
	for i := range moved.Issues {
		moved.Issues[i].Path = append([]any{part}, moved.Issues[i].Path...)
	}
	return &moved
}

// addUpload puts a route into the table that takes a form with a file.
func addUpload(s *Server, r route, handler func(*answer, *http.Request)) {
	addPlain(s, r, http.StatusOK, "The type of the file is told by its content, then by its name. The parts can come in any order.", handler)
	s.routes[r.pattern()] = entry{route: r, upload: true}
	schemas := s.huma.OpenAPI().Components.Schemas
	schemas.Schema(reflect.TypeFor[trawl.ParseRequest](), true, parseSchema)
	for _, name := range trawl.ParseRefuses() {
		delete(schemas.Map()[parseSchema].Properties, name)
	}
	op := s.huma.OpenAPI().Paths[r.path].Post
	op.Security = []map[string][]string{{"key": {}}}
	op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{formType: {
		Schema: &huma.Schema{Type: huma.TypeObject, Required: []string{partFile}, AdditionalProperties: false, Properties: map[string]*huma.Schema{
			partFile:    {Type: huma.TypeString, Format: "binary", Description: "The file, at most 50 MB."},
			partOptions: {Ref: schemaPrefix + parseSchema, Description: "What to make of it, as JSON."},
		}},
		Encoding: map[string]*huma.Encoding{partOptions: {ContentType: "application/json"}},
	}, "application/json": {Schema: &huma.Schema{
		Type: huma.TypeObject, Required: []string{"uploadRef"}, Properties: map[string]*huma.Schema{
			"uploadRef": {Type: huma.TypeString, Description: "A file that was sent before. Its options stand beside it."},
		},
	}}}}
	answer := schemas.Schema(reflect.TypeFor[ScrapeAnswer](), true, "ScrapeAnswer")
	op.Responses["200"].Content = map[string]*huma.MediaType{"application/json": {Schema: answer}}
}

// ParseFormats is the answer to GET /v2/parse/formats.
type ParseFormats struct {
	Success
	Data ParseFormatList `json:"data"`
}

// ParseFormatList says what files can be parsed.
type ParseFormatList struct {
	Formats  []ParseFormat `json:"formats"`
	MaxBytes int64         `json:"maxSizeBytes" doc:"How large a file can be."`
}

// ParseFormat is a type of files that can be parsed.
type ParseFormat struct {
	Format     document.Kind `json:"format" doc:"Name of the type, such as pdf."`
	Kind       string        `json:"kind" enum:"document"`
	Extensions []string      `json:"extensions" doc:"How the names of such files end."`
	MediaTypes []string      `json:"mimeTypes"`
	Available  bool          `json:"available" doc:"Whether this server reads them."`
}

// parseFormats answers GET /v2/parse/formats.
func (s *Server) parseFormats(context.Context, *none) (*ParseFormats, error) {
	list := ParseFormatList{MaxBytes: trawl.MaxUpload}
	for _, of := range source.FileTypes() {
		list.Formats = append(list.Formats, ParseFormat{
			Format: of.Kind, Kind: "document", Extensions: of.Extensions, MediaTypes: []string{of.Kind.ContentType()}, Available: true,
		})
	}
	return &ParseFormats{Success: yes, Data: list}, nil
}
