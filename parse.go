package trawl

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxUpload bounds a file that is uploaded, in bytes.
const MaxUpload = 50 << 20

// ParseRequest is the part options of POST /v2/parse: the options of a scrape,
// most of which mean the same for a file. Those that are about getting a page
// have nothing to act on; [ParseRequest.Unsupported] says which of them are refused.
type ParseRequest struct {
	ScrapeOptions
	ZeroDataRetention bool `json:"zeroDataRetention,omitempty" doc:"Keep nothing of this request. Needs to be enabled for the team."`
}

// DefaultParseRequest returns the options of a request that chooses nothing.
func DefaultParseRequest() ParseRequest {
	return ParseRequest{ScrapeOptions: DefaultScrapeOptions()}
}

// UnmarshalJSON decodes options over the defaults: a field that is absent or
// null keeps its default.
func (r *ParseRequest) UnmarshalJSON(data []byte) error {
	type plain ParseRequest
	p := plain(DefaultParseRequest())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = ParseRequest(p)
	r.restoreDefaults()
	return nil
}

// ParseRefuses names the options of a scrape that a file has no use for, and that
// are refused if they ask for something. The list is shared and must not be changed.
func ParseRefuses() []string { return parseRefuses }

var parseRefuses = []string{"actions", "waitFor", "mobile", "minAge", "lockdown", "profile"}

// Unsupported returns the error of options that ask for what cannot be done with
// a file, or nil: what needs a page in a browser, and what is about the cache.
// Paths are relative to the options.
func (r *ParseRequest) Unsupported() error {
	asked := map[string]bool{
		"actions": len(r.Actions) > 0, "waitFor": r.WaitFor > 0, "mobile": r.Mobile,
		"minAge": r.MinAge != nil, "lockdown": r.Lockdown, "profile": r.Profile != nil,
	}
	var issues []Issue
	refuse := func(what string, path ...any) {
		issues = append(issues, Issue{Code: "unsupported", Message: "Parse requests do not support " + what + ".", Path: path})
	}
	for i, format := range r.Formats {
		switch format.Type {
		case FormatScreenshot, FormatBranding, FormatAudio, FormatVideo:
			refuse("the format "+format.Type, "formats", i)
		case FormatChangeTracking:
			refuse("change tracking", "formats", i)
		}
	}
	for _, name := range parseRefuses {
		if asked[name] {
			refuse(name, name)
		}
	}
	if r.UsesEnhanced() {
		refuse("the proxy "+r.Proxy, "proxy")
	}
	if len(issues) == 0 {
		return nil
	}
	return &Error{Code: CodeParseOptions, Message: issues[0].Message, Issues: issues}
}

// maxFileName bounds the name of a file, in bytes, as most file systems do.
const maxFileName = 255

// FileName cleans the name that an upload gives its file: the last part of a
// path, without control characters and what only turns text around, of at most
// 255 bytes. A name of which nothing is left becomes "file".
func FileName(name string) string {
	name = strings.ToValidUTF8(name, "\ufffd")
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, name)
	name = shortened(strings.TrimSpace(name))
	if strings.Trim(name, ". ") == "" {
		return "file"
	}
	return name
}

// shortened cuts a long name, but keeps its extension.
func shortened(name string) string {
	if len(name) <= maxFileName {
		return name
	}
	end := ""
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 && len(name)-dot <= 16 {
		name, end = name[:dot], name[dot:]
	}
	most := maxFileName - len(end)
	for most > 0 && !utf8.RuneStart(name[most]) {
		most--
	}
	return name[:most] + end
}
