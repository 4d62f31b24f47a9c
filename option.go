package trawl

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
	"golang.org/x/text/language"
)

// Limits and defaults of the scrape options.
const (
	DefaultTimeout = 30_000      // milliseconds
	DefaultMaxAge  = 172_800_000 // milliseconds: two days
	MaxWait        = 60_000      // milliseconds of waitFor and wait actions together
	MaxActions     = 50
)

// Proxy values. Stealth is the clients' older name for enhanced.
const (
	ProxyBasic    = "basic"
	ProxyEnhanced = "enhanced"
	ProxyStealth  = "stealth"
	ProxyAuto     = "auto"
)

// ScrapeOptions say how a page is fetched and what is made of it. They are the
// options that scrape, batch scrape, crawl and extract share.
type ScrapeOptions struct {
	Formats             []Format          `json:"formats,omitempty" doc:"Output formats: names, or objects with a type and its options." maxItems:"50"`
	OnlyMainContent     bool              `json:"onlyMainContent,omitempty" doc:"Leave out headers, navigation, footers and the like."`
	OnlyCleanContent    bool              `json:"onlyCleanContent,omitempty" doc:"Clean the markdown further with a language model."`
	IncludeTags         []string          `json:"includeTags,omitempty" doc:"Keep only elements that match one of these selectors." maxItems:"1000" maxLength:"2000"`
	ExcludeTags         []string          `json:"excludeTags,omitempty" doc:"Drop elements that match one of these selectors." maxItems:"1000" maxLength:"2000"`
	MaxAge              *int64            `json:"maxAge,omitempty" doc:"Serve a cached page younger than this many milliseconds; 0 always fetches." minimum:"0" maximum:"9007199254740991"`
	MinAge              *int64            `json:"minAge,omitempty" doc:"Serve only from the cache, a page at least this many milliseconds old; never fetch." minimum:"0" maximum:"9007199254740991"`
	Headers             map[string]string `json:"headers,omitempty" doc:"Headers sent to the target's origin." maxProperties:"100"`
	WaitFor             int64             `json:"waitFor,omitempty" doc:"Extra milliseconds to wait before the content is read; at most half of timeout." minimum:"0" maximum:"60000"`
	Mobile              bool              `json:"mobile,omitempty" doc:"Appear as a mobile device."`
	SkipTLSVerification *bool             `json:"skipTlsVerification,omitempty" doc:"Do not verify the target's certificate. Unless chosen, true without headers and actions, false with them."`
	Timeout             int64             `json:"timeout,omitempty" doc:"Milliseconds the whole request may take." minimum:"1000" maximum:"300000"`
	Parsers             []Parser          `json:"parsers,omitempty" doc:"How files are read; an empty list returns a PDF as base64." maxItems:"10"`
	Actions             []Action          `json:"actions,omitempty" doc:"What to do in the page before its content is read."`
	Location            *Location         `json:"location,omitempty" doc:"Where the request seems to come from."`
	RemoveBase64Images  bool              `json:"removeBase64Images,omitempty" doc:"Replace base64 images in the output by a placeholder."`
	BlockAds            bool              `json:"blockAds,omitempty" doc:"Block advertisements and cookie popups."`
	FastMode            bool              `json:"fastMode,omitempty" doc:"Accepted for compatibility."`
	Proxy               string            `json:"proxy,omitempty" doc:"Which proxies to use; auto tries basic, then enhanced." enum:"basic,enhanced,stealth,auto"`
	StoreInCache        bool              `json:"storeInCache,omitempty" doc:"Keep the page for later requests of the team. Off with headers, actions, profile and zero data retention."`
	Lockdown            bool              `json:"lockdown,omitempty" doc:"Serve only from the cache, however old the page is."`
	Profile             *Profile          `json:"profile,omitempty" doc:"Browser profile to use."`

	// Options that the clients send and that this service does not act on: they
	// are accepted, and named in the answer's warning when they ask for something.
	RedactPII            any    `json:"redactPII,omitempty" doc:"Accepted for compatibility."`
	CheckPromptInjection bool   `json:"checkPromptInjection,omitempty" doc:"Accepted for compatibility."`
	SafeMode             bool   `json:"safeMode,omitempty" doc:"Accepted for compatibility."`
	ThreatProtection     any    `json:"threatProtection,omitempty" doc:"Accepted for compatibility."`
	AuditMetadata        any    `json:"auditMetadata,omitempty" doc:"Accepted for compatibility."`
	DomainTools          bool   `json:"domainTools,omitempty" doc:"Accepted for compatibility."`
	ToolDetail           string `json:"toolDetail,omitempty" doc:"Accepted for compatibility." enum:"compact,summary,full"`
	UseMock              any    `json:"useMock,omitempty" doc:"Accepted for compatibility."`

	// Who asks, which is of no consequence. Some clients say so here, too, where the
	// options are a part of a request.
	Origin      string `json:"origin,omitempty" doc:"Which client sent the request." maxLength:"1000"`
	Integration string `json:"integration,omitempty" doc:"Which integration sent the request." maxLength:"1000"`
}

// Location is where a request seems to come from.
type Location struct {
	Country   string   `json:"country,omitempty" doc:"ISO 3166 alpha-2 country code; US when nothing is given." maxLength:"20"`
	Languages []string `json:"languages,omitempty" doc:"Language tags in order of preference." maxItems:"50" maxLength:"100"`
}

// Profile names a browser profile of the team.
type Profile struct {
	Name        string `json:"name" required:"true" doc:"Name of the profile." minLength:"1" maxLength:"128"`
	SaveChanges *bool  `json:"saveChanges,omitempty" doc:"Save the browser's state back to the profile; true unless chosen."`
}

// ScrapeRequest is the body of POST /v2/scrape.
type ScrapeRequest struct {
	URL       string `json:"url,omitempty" doc:"Address of the page. It or sessionId is needed." minLength:"1" maxLength:"16384" example:"https://example.com"`
	SessionID string `json:"sessionId,omitempty" doc:"Read the page that is open in this browser session, as it is, instead of an address." format:"uuid"`
	ScrapeOptions
	ZeroDataRetention bool `json:"zeroDataRetention,omitempty" doc:"Keep nothing of this request. Needs to be enabled for the team."`
}

// DefaultScrapeOptions returns the options of a request that chooses nothing.
// MaxAge, SkipTLSVerification and Location stay unset: their effect depends on
// whether the caller chose them (see the methods of ScrapeOptions).
func DefaultScrapeOptions() ScrapeOptions {
	return ScrapeOptions{
		Formats:            []Format{{Type: FormatMarkdown}},
		OnlyMainContent:    true,
		Timeout:            DefaultTimeout,
		Parsers:            []Parser{{Type: ParserPDF, Mode: "auto"}, {Type: ParserImage, Mode: "auto"}},
		RemoveBase64Images: true,
		BlockAds:           true,
		Proxy:              ProxyAuto,
		StoreInCache:       true,
		Origin:             "api",
	}
}

// DefaultScrapeRequest returns a request that only lacks its address.
func DefaultScrapeRequest() ScrapeRequest {
	return ScrapeRequest{ScrapeOptions: DefaultScrapeOptions()}
}

// UnmarshalJSON decodes a request over the defaults: a field that is absent or
// null keeps its default.
func (r *ScrapeRequest) UnmarshalJSON(data []byte) error {
	type plain ScrapeRequest
	p := plain(DefaultScrapeRequest())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = ScrapeRequest(p)
	r.restoreDefaults()
	return nil
}

// restoreDefaults puts defaults back where an explicit null emptied a list.
func (o *ScrapeOptions) restoreDefaults() {
	defaults := DefaultScrapeOptions()
	if o.Formats == nil {
		o.Formats = defaults.Formats
	}
	if o.Parsers == nil {
		o.Parsers = defaults.Parsers
	}
}

// Validate reports what is wrong with the request beyond its schema.
func (r *ScrapeRequest) Validate() []Issue {
	var issues []Issue
	if r.SessionID != "" {
		issues = r.validateLive()
	} else if r.URL == "" {
		issues = append(issues, Issue{Code: "required", Message: "expected required property url to be present", Path: []any{"url"}})
	} else if _, err := ParseTarget(r.URL); err != nil {
		issues = append(issues, invalid(err.Error(), "url"))
	}
	return append(issues, r.ScrapeOptions.Validate()...)
}

// Validate reports what is wrong with the options beyond their schema. Paths
// are relative to the options.
func (o *ScrapeOptions) Validate() []Issue {
	issues := validateFormats(o.Formats)
	issues = append(issues, validateActions(o.Actions)...)
	issues = append(issues, validateParsers(o.Parsers)...)
	issues = append(issues, o.validateWaits()...)
	issues = append(issues, o.validateFreshness()...)
	issues = append(issues, validateHeaders(o.Headers)...)
	if o.Location != nil {
		issues = append(issues, o.Location.validate()...)
	}
	if o.Profile != nil {
		issues = append(issues, o.Profile.Validate("profile")...)
	}
	for _, tags := range []struct {
		name string
		list []string
	}{{"includeTags", o.IncludeTags}, {"excludeTags", o.ExcludeTags}} {
		for i, tag := range tags.list {
			if strings.TrimSpace(tag) == "" {
				issues = append(issues, invalid("must not be empty", tags.name, i))
			}
		}
	}
	return issues
}

func (o *ScrapeOptions) validateWaits() []Issue {
	if 2*o.WaitFor > o.Timeout {
		return []Issue{invalid("waitFor must not exceed half of timeout", "waitFor")}
	}
	total := o.WaitFor
	for _, action := range o.Actions {
		total += action.waitMillis()
	}
	if total > MaxWait {
		return []Issue{invalid("waitFor and the wait actions together must not exceed 60 seconds", "actions")}
	}
	return nil
}

// validateFreshness refuses to look for a page in the cache alone if it has to be a
// fresh one.
func (o *ScrapeOptions) validateFreshness() []Issue {
	var issues []Issue
	for i, format := range o.Formats {
		if o.CacheOnly() && (format.Type == FormatChangeTracking || format.Type == FormatBranding) {
			issues = append(issues, invalid("The "+format.Type+" format needs a fresh page: it excludes minAge and lockdown", "formats", i))
		}
	}
	return issues
}

// forbiddenHeaders belong to the connection, not to the caller.
var forbiddenHeaders = []string{
	"Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization",
	"Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

func validateHeaders(headers map[string]string) []Issue {
	var issues []Issue
	seen := make(map[string]struct{}, len(headers))
	for name, value := range headers {
		canonical := http.CanonicalHeaderKey(name)
		_, twice := seen[canonical]
		seen[canonical] = struct{}{}
		switch {
		case twice:
			issues = append(issues, invalid("is given twice", "headers", canonical))
		case !httpguts.ValidHeaderFieldName(name):
			issues = append(issues, invalid("is not a valid header name", "headers", name))
		case !httpguts.ValidHeaderFieldValue(value):
			issues = append(issues, invalid("is not a valid header value", "headers", name))
		case slices.Contains(forbiddenHeaders, canonical):
			issues = append(issues, invalid("belongs to the connection and cannot be set", "headers", name))
		}
	}
	slices.SortFunc(issues, func(a, b Issue) int {
		return strings.Compare(DottedPath(a.Path), DottedPath(b.Path))
	})
	return issues
}

func (l *Location) validate() []Issue {
	var issues []Issue
	if l.Country != "" && l.region() == "" {
		issues = append(issues, invalid("Invalid country code: use an ISO 3166 alpha-2 code such as US", "location", "country"))
	}
	for i, tag := range l.Languages {
		if _, err := language.Parse(tag); err != nil || strings.Contains(tag, "_") {
			issues = append(issues, invalid("is not a language tag", "location", "languages", i))
		}
	}
	return issues
}

// region returns the alpha-2 code of the country in upper case, or "" if there
// is no such country.
func (l *Location) region() string {
	country := strings.ToUpper(l.Country)
	switch country {
	case "US-GENERIC", "US-WHITELIST":
		return "US"
	}
	region, err := language.ParseRegion(country)
	if err != nil || len(country) != 2 || !region.IsCountry() {
		return ""
	}
	return region.Canonicalize().String() // GB for UK
}

// Country returns the country the request comes from, US unless chosen.
func (o *ScrapeOptions) Country() string {
	if o.Location == nil || o.Location.Country == "" {
		return "US"
	}
	return o.Location.region()
}

// Languages returns the languages asked for, or else the country's likely one.
func (o *ScrapeOptions) Languages() []string {
	if o.Location != nil && len(o.Location.Languages) > 0 {
		return o.Location.Languages
	}
	country := o.Country()
	if country == "US" {
		return []string{"en-US"}
	}
	base, confidence := language.Make("und-" + country).Base()
	if confidence == language.No {
		return []string{"en-" + country}
	}
	return []string{base.String() + "-" + country}
}

// Format returns the entry of the given type, if it is asked for.
func (o *ScrapeOptions) Format(kind string) (Format, bool) {
	i := slices.IndexFunc(o.Formats, func(f Format) bool { return f.Type == kind })
	if i < 0 {
		return Format{}, false
	}
	return o.Formats[i], true
}

// SkipTLS reports whether the target's certificate goes unchecked. A request
// that sends headers or acts in the page may carry secrets, so there the
// default is to check.
func (o *ScrapeOptions) SkipTLS() bool {
	if o.SkipTLSVerification != nil {
		return *o.SkipTLSVerification
	}
	return len(o.Headers) == 0 && len(o.Actions) == 0
}

// ParsesPDF reports whether PDF files are to be converted.
func (o *ScrapeOptions) ParsesPDF() bool {
	_, ok := o.PDFParser()
	return ok
}

// PDFParser returns how PDF files are to be read, if they are to be read at all.
func (o *ScrapeOptions) PDFParser() (Parser, bool) {
	i := slices.IndexFunc(o.Parsers, func(p Parser) bool { return p.Type == ParserPDF })
	if i < 0 {
		return Parser{}, false
	}
	return o.Parsers[i], true
}

// ParsesImages reports whether the text of pictures is to be recognised.
func (o *ScrapeOptions) ParsesImages() bool {
	return slices.ContainsFunc(o.Parsers, func(p Parser) bool { return p.Type == ParserImage })
}

// ReadsAttachments reports whether the attachments of messages are to be read as well.
func (o *ScrapeOptions) ReadsAttachments() bool {
	return slices.ContainsFunc(o.Parsers, func(p Parser) bool { return p.Type == ParserEmail && p.Attachments })
}

// UsesEnhanced reports whether the caller asked for enhanced proxies outright.
func (o *ScrapeOptions) UsesEnhanced() bool {
	return o.Proxy == ProxyEnhanced || o.Proxy == ProxyStealth
}

// Budget returns timeout as a duration.
func (o *ScrapeOptions) Budget() time.Duration {
	return time.Duration(o.Timeout) * time.Millisecond
}

// CacheOnly reports whether a fresh fetch is out of the question.
func (o *ScrapeOptions) CacheOnly() bool { return o.MinAge != nil || o.Lockdown }

// CacheWindow returns the range of ages at which a cached page may be served.
// With minAge or lockdown, maxAge does not count: such a request takes what is
// there, and some clients send a maxAge with everything.
func (o *ScrapeOptions) CacheWindow() (youngest, oldest time.Duration) {
	const forever = 2 * 365 * 24 * time.Hour
	youngest, oldest = 0, DefaultMaxAge*time.Millisecond
	switch {
	case o.CacheOnly():
		oldest = forever
	case o.MaxAge != nil:
		oldest = millis(*o.MaxAge, forever)
	}
	if o.MinAge != nil {
		youngest = millis(*o.MinAge, forever)
	}
	return youngest, oldest
}

// millis converts without overflow.
func millis(n int64, most time.Duration) time.Duration {
	if n > most.Milliseconds() {
		return most
	}
	return time.Duration(n) * time.Millisecond
}

// WithoutEffect is the warning about options that have none; empty if there are none.
func WithoutEffect(options []string) string {
	if len(options) == 0 {
		return ""
	}
	return "These options have no effect on this server: " + strings.Join(options, ", ") + "."
}

// Ignored names the options that ask for something this service does not do,
// in the order of the fields.
func (o *ScrapeOptions) Ignored() []string {
	var names []string
	for _, option := range []struct {
		name string
		set  bool
	}{
		{"onlyCleanContent", o.OnlyCleanContent},
		{"fastMode", o.FastMode},
		{"redactPII", isSet(o.RedactPII)},
		{"checkPromptInjection", o.CheckPromptInjection || slices.ContainsFunc(o.Formats, func(f Format) bool { return f.CheckPromptInjection })},
		{"safeMode", o.SafeMode},
		{"threatProtection", isSet(o.ThreatProtection)},
		{"auditMetadata", isSet(o.AuditMetadata)},
		{"domainTools", o.DomainTools},
		{"toolDetail", o.ToolDetail != ""},
		{"useMock", isSet(o.UseMock)},
	} {
		if option.set {
			names = append(names, option.name)
		}
	}
	return names
}

// isSet reports whether a free-form option is anything but absent, false or an empty
// object.
func isSet(v any) bool {
	object, ok := v.(map[string]any)
	return v != nil && v != false && !(ok && len(object) == 0)
}
