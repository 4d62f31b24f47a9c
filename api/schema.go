package api

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/job"
)

// Formats, parsers and actions are unions: a type decides which other fields
// there are. In Go each is one flat struct; here each becomes a schema per type,
// chosen by the type's value, so that a field of another type is an unknown key
// and every finding carries the path of its field.
type (
	formatUnion struct{}
	parserUnion struct{}
	actionUnion struct{}
)

// webhookUnion is an address or an object.
type webhookUnion struct{}

// spendLimit is an object or null.
type spendLimit struct{}

// describeTypes tells the registry what stands on the wire for types that are
// something else in Go.
func describeTypes(registry huma.Registry) {
	registry.RegisterTypeAlias(reflect.TypeFor[trawl.Format](), reflect.TypeFor[formatUnion]())
	registry.RegisterTypeAlias(reflect.TypeFor[trawl.Parser](), reflect.TypeFor[parserUnion]())
	registry.RegisterTypeAlias(reflect.TypeFor[trawl.Action](), reflect.TypeFor[actionUnion]())
	registry.RegisterTypeAlias(reflect.TypeFor[trawl.MonitorTarget](), reflect.TypeFor[targetUnion]())
	registry.RegisterTypeAlias(reflect.TypeFor[trawl.Webhook](), reflect.TypeFor[webhookUnion]())
	registry.RegisterTypeAlias(reflect.TypeFor[trawl.SpendLimit](), reflect.TypeFor[spendLimit]())
	registry.RegisterTypeAlias(reflect.TypeFor[trawl.Metadata](), reflect.TypeFor[Metadata]())
	registry.RegisterTypeAlias(reflect.TypeFor[trawl.SearchOption](), reflect.TypeFor[searchChoice]())
	registry.RegisterTypeAlias(reflect.TypeFor[trawl.SearchResult](), reflect.TypeFor[searchResult]())
	registry.RegisterTypeAlias(reflect.TypeFor[storedDocument](), reflect.TypeFor[trawl.Document]())
	registry.RegisterTypeAlias(reflect.TypeFor[job.Document](), reflect.TypeFor[trawl.Document]())
}

func (formatUnion) Schema(r huma.Registry) *huma.Schema {
	return unionOf[trawl.Format](r, "Format", trawl.FormatVariants(), true)
}

func (parserUnion) Schema(r huma.Registry) *huma.Schema {
	return unionOf[trawl.Parser](r, "Parser", trawl.ParserVariants(), true)
}

func (actionUnion) Schema(r huma.Registry) *huma.Schema {
	return unionOf[trawl.Action](r, "Action", trawl.ActionVariants(), false)
}

func (spendLimit) Schema(r huma.Registry) *huma.Schema {
	schema := huma.SchemaFromType(r, reflect.TypeFor[trawl.SpendLimit]())
	schema.Nullable = true
	return schema
}

// webhookLocation is where a request has its webhook.
const webhookLocation = "body.webhook"

func (webhookUnion) Schema(r huma.Registry) *huma.Schema {
	if _, ok := r.Map()["Webhook"]; !ok {
		r.Map()["Webhook"] = huma.SchemaFromType(r, reflect.TypeFor[trawl.Webhook]())
	}
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeString}, {Ref: schemaPrefix + "Webhook"}}}
}

// validateWebhook returns what is wrong with the object of a webhook.
func validateWebhook(object any) []error {
	registry := huma.NewMapRegistry(schemaPrefix, huma.DefaultSchemaNamer)
	schema := huma.SchemaFromType(registry, reflect.TypeFor[trawl.Webhook]())
	result := &huma.ValidateResult{}
	at := huma.NewPathBuffer([]byte(webhookLocation), len(webhookLocation))
	huma.Validate(registry, schema, at, huma.ModeWriteToServer, object, result)
	return result.Errors
}

const schemaPrefix = "#/components/schemas/"

// unionOf builds the union of a struct's variants. With bare, the type alone as
// a string stands for the object; its values are checked by the root package.
func unionOf[T any](r huma.Registry, name string, variants []trawl.Variant, bare bool) *huma.Schema {
	return unionOfFields(r, name, huma.SchemaFromType(r, reflect.TypeFor[T]()).Properties, variants, bare)
}

// unionOfFields is unionOf with the schemas of all fields.
func unionOfFields(r huma.Registry, name string, all map[string]*huma.Schema, variants []trawl.Variant, bare bool) *huma.Schema {
	union := &huma.Schema{Discriminator: &huma.Discriminator{PropertyName: "type", Mapping: map[string]string{}}}
	object := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{"type": {Type: huma.TypeString}}}
	object.PrecomputeMessages()
	union.AnyOf = []*huma.Schema{object}
	if bare {
		union.AnyOf = append(union.AnyOf, &huma.Schema{Type: huma.TypeString})
		names := make([]any, len(variants))
		for i, variant := range variants {
			names[i] = variant.Type
		}
		union.OneOf = append(union.OneOf, &huma.Schema{Type: huma.TypeString, Enum: names})
	}
	for _, variant := range variants {
		key := name + upperFirst(variant.Type)
		if _, ok := r.Map()[key]; !ok {
			r.Map()[key] = variantSchema(variant, all)
		}
		ref := schemaPrefix + key
		union.OneOf = append(union.OneOf, &huma.Schema{Ref: ref})
		union.Discriminator.Mapping[variant.Type] = ref
	}
	return union
}

func variantSchema(variant trawl.Variant, all map[string]*huma.Schema) *huma.Schema {
	schema := &huma.Schema{
		Type:                 huma.TypeObject,
		AdditionalProperties: false,
		Required:             append([]string{"type"}, variant.Required...),
		Properties: map[string]*huma.Schema{
			"type": {Type: huma.TypeString, Enum: []any{variant.Type}},
		},
	}
	for _, field := range variant.Fields {
		schema.Properties[field] = all[field]
	}
	schema.Properties["type"].PrecomputeMessages()
	schema.PrecomputeMessages()
	return schema
}

func upperFirst(s string) string { return string(s[0]-'a'+'A') + s[1:] }

// complete adds to the document what registration cannot say: the path of the
// index without the mux's mark for it, and the defaults of requests. Those are
// taken from the values that decoding starts from, not from tags of their own.
func complete(api *huma.OpenAPI) {
	api.Paths["/"] = api.Paths["/{$}"]
	delete(api.Paths, "/{$}")
	describeAnswers(api)
	for name, defaults := range map[string]any{
		"ScrapeRequest": trawl.DefaultScrapeRequest(), "ScrapeOptions": trawl.DefaultScrapeOptions(),
		"ParseRequest": trawl.DefaultParseRequest(), "BatchRequest": trawl.DefaultBatchRequest(), "CrawlRequest": trawl.DefaultCrawlRequest(),
		"MapRequest": trawl.DefaultMapRequest(), "ExtractRequest": trawl.DefaultExtractRequest(), "SearchRequest": trawl.DefaultSearchRequest(), "SessionRequest": trawl.DefaultSessionRequest(),
	} {
		schema := api.Components.Schemas.Map()[name]
		encoded, err := json.Marshal(defaults)
		if schema == nil || err != nil {
			continue
		}
		var values map[string]any
		if json.Unmarshal(encoded, &values) != nil {
			continue
		}
		for field, property := range schema.Properties {
			if value, ok := values[field]; ok && property.Ref == "" && !slices.Contains(schema.Required, field) {
				property.Default = value
			}
		}
	}
}

// describeAnswers says what the routes answer with whose handlers write bytes.
func describeAnswers(api *huma.OpenAPI) {
	text := &huma.Schema{Type: huma.TypeString}
	object := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
	schema := func(t reflect.Type) *huma.Schema { return api.Components.Schemas.Schema(t, true, "") }
	for path, answer := range map[string]struct {
		contentType string
		schema      *huma.Schema
	}{
		docsRoot:                            {"text/html", text},
		"/openapi.json":                     {"application/json", object},
		"/metrics":                          {"text/plain", text},
		"/live/{key}":                       {"text/html", text},
		"/live/view.js":                     {"text/javascript", text},
		"/live/view.css":                    {"text/css", text},
		devtoolsRoot + "{key}/json/version": {"application/json", schema(reflect.TypeFor[BrowserVersion]())},
		devtoolsRoot + "{key}/json/list":    {"application/json", schema(reflect.TypeFor[[]Target]())},
	} {
		if item := api.Paths[path]; item != nil { // metrics may be elsewhere
			item.Get.Responses["200"].Content = map[string]*huma.MediaType{answer.contentType: {Schema: answer.schema}}
		}
	}
	live := api.Paths["/live/{key}"].Get.Responses
	live["410"] = &huma.Response{Description: "The session has ended, and the page says so", Content: live["200"].Content}
}

// Metadata describes the one flat object that trawl.Metadata becomes.
type Metadata struct {
	_                 struct{} `additionalProperties:"true"`
	Title             string   `json:"title,omitempty" doc:"Title of the page."`
	Description       string   `json:"description,omitempty" doc:"Description of the page."`
	Author            string   `json:"author,omitempty" doc:"Who wrote the page or file."`
	Language          string   `json:"language,omitempty" doc:"Language of the page."`
	Keywords          string   `json:"keywords,omitempty" doc:"Keywords of the page."`
	OGLocaleAlternate []string `json:"ogLocaleAlternate,omitempty" doc:"Other locales of the page."`
	ScrapeID          string   `json:"scrapeId" doc:"Id of this scrape." format:"uuid"`
	SourceURL         string   `json:"sourceURL" doc:"The address as it was given."`
	URL               string   `json:"url" doc:"The address after redirects."`
	StatusCode        int      `json:"statusCode" doc:"Status with which the target answered."`
	Error             string   `json:"error,omitempty" doc:"Reason of a status that is not a success."`
	ContentType       string   `json:"contentType,omitempty" doc:"Content type with which the target answered."`
	NumPages          int      `json:"numPages,omitempty" doc:"Pages of a document that were read."`
	TotalPages        int      `json:"totalPages,omitempty" doc:"Pages that the document has."`
	ProxyUsed         string   `json:"proxyUsed,omitempty" doc:"Kind of proxy that was used." enum:"basic,stealth"`
	CacheState        string   `json:"cacheState,omitempty" doc:"Whether the cache served the page." enum:"hit,miss"`
	CachedAt          string   `json:"cachedAt,omitempty" doc:"When the cached page was fetched." format:"date-time"`
	CreditsUsed       int64    `json:"creditsUsed" doc:"What the scrape cost."`
	TimeZone          string   `json:"timezone,omitempty" doc:"Time zone that the page saw, if it was rendered."`
	Limited           bool     `json:"concurrencyLimited" doc:"Whether the request had to wait for a slot."`
	QueueDuration     int64    `json:"concurrencyQueueDurationMs,omitempty" doc:"How many milliseconds it waited."`
}
