package trawl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Code names a kind of failure. Codes in upper case are part of the API and
// appear in error bodies; codes in lower case only choose the HTTP status.
type Code string

// The codes of the API.
const (
	CodeBadRequest         Code = "BAD_REQUEST"
	CodeInvalidJSON        Code = "BAD_REQUEST_INVALID_JSON"
	CodeActionsUnsupported Code = "SCRAPE_ACTIONS_NOT_SUPPORTED"
	CodeFormatUnsupported  Code = "SCRAPE_FORMAT_NOT_SUPPORTED"
	CodeOptionUnsupported  Code = "SCRAPE_OPTION_NOT_SUPPORTED"
	CodeBranding           Code = "SCRAPE_BRANDING_NOT_SUPPORTED"
	CodeUnsupportedSite    Code = "UNSUPPORTED_SITE"
	CodeNoCachedData       Code = "SCRAPE_NO_CACHED_DATA"
	CodeLockdownMiss       Code = "SCRAPE_LOCKDOWN_CACHE_MISS"
	CodeTimeout            Code = "SCRAPE_TIMEOUT"
	CodeQueueTimeout       Code = "CONCURRENCY_QUEUE_TIMEOUT"
	CodeDNS                Code = "SCRAPE_DNS_RESOLUTION_ERROR"
	CodeTLS                Code = "SCRAPE_SSL_ERROR"
	CodeSite               Code = "SCRAPE_SITE_ERROR"
	CodeProxy              Code = "SCRAPE_PROXY_SELECTION_ERROR"
	CodeEngines            Code = "SCRAPE_ALL_ENGINES_FAILED"
	CodeAction             Code = "SCRAPE_ACTION_ERROR"
	CodeUnsupportedFile    Code = "SCRAPE_UNSUPPORTED_FILE_ERROR"
	CodeOCRRequired        Code = "SCRAPE_PDF_OCR_REQUIRED"
	CodePDFTime            Code = "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR"
	CodeFileType           Code = "UNSUPPORTED_FILE_TYPE"
	CodeFileEncrypted      Code = "FILE_ENCRYPTED"
	CodeFileDamaged        Code = "FILE_DAMAGED"
	CodeFileTooComplex     Code = "FILE_TOO_COMPLEX"
	CodeParseOptions       Code = "PARSE_UNSUPPORTED_OPTIONS"
	CodeUploads            Code = "PARSE_UPLOAD_UNPARSED_LIMIT_REACHED"
	CodeSitemap            Code = "SCRAPE_SITEMAP_ERROR"
	CodeCrawlDenial        Code = "CRAWL_DENIAL"
	CodeCrashed            Code = "SCRAPE_RETRY_LIMIT"
	CodeMapTimeout         Code = "MAP_TIMEOUT"
	CodeMapFailed          Code = "MAP_FAILED"
	CodeModel              Code = "SCRAPE_LLM_ERROR"
	CodeContentTooLarge    Code = "SCRAPE_JSON_CONTENT_TOO_LARGE"
	CodeNoModel            Code = "LLM_NOT_CONFIGURED"
	CodeNoSearch           Code = "SEARCH_NOT_CONFIGURED"
	CodeSearch             Code = "SEARCH_FAILED"
	CodeSearchTimeout      Code = "SEARCH_TIMEOUT"
	CodeNotImplemented     Code = "NOT_IMPLEMENTED"
	CodeUnknown            Code = "UNKNOWN_ERROR"
)

// Codes that have no name on the wire.
const (
	CodeUnauthorized     Code = "unauthorized"
	CodePayment          Code = "payment"
	CodeForbidden        Code = "forbidden"
	CodeNotFound         Code = "not_found"
	CodeMethodNotAllowed Code = "method_not_allowed"
	CodeConflict         Code = "conflict"
	CodeGone             Code = "gone"
	CodeTooLarge         Code = "too_large"
	CodeMediaType        Code = "media_type"
	CodeUpgrade          Code = "upgrade_required"
	CodeRateLimited      Code = "rate_limited"
	CodeUnavailable      Code = "unavailable"
	CodeBadGateway       Code = "bad_gateway"
)

// Error is the one error that callers of the API get to see. Message and
// Issues are written for them; Err is the cause for the log and is never shown.
type Error struct {
	Code    Code
	Message string
	Issues  []Issue
	Err     error
}

// Issue is one thing that is wrong with a request: a stable code, a sentence,
// and the path of the field, whose elements are names and array indexes.
type Issue struct {
	Code    string `json:"code" doc:"Kind of the problem, for example unrecognized_key or invalid_value."`
	Message string `json:"message" doc:"What is wrong, in words."`
	Path    []any  `json:"path" doc:"Where it is wrong: field names and array indexes from the top of the body."`
}

// Errorf returns an Error with a formatted message.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Wrap returns an Error that shows message and keeps err for the log.
func Wrap(code Code, message string, err error) *Error {
	return &Error{Code: code, Message: message, Err: err}
}

// Error returns the message, followed by the cause if there is one.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrorCode returns the code of the Error in err's chain, or CodeUnknown.
func ErrorCode(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeUnknown
}

// Invalid reports the issues of a request as one Error, or nil if there are none.
// The message of the first issue becomes the message of the error. One that
// begins in lower case says something of its field, whose dotted path leads it.
func Invalid(issues []Issue) error {
	if len(issues) == 0 {
		return nil
	}
	message := issues[0].Message
	path := DottedPath(issues[0].Path)
	if first, _ := utf8.DecodeRuneInString(message); path != "" && unicode.IsLower(first) && !strings.HasPrefix(message, path) {
		message = path + ": " + message
	}
	return &Error{Code: CodeBadRequest, Message: message, Issues: issues}
}

// DottedPath joins the elements of an issue's path with dots.
func DottedPath(path []any) string {
	var b strings.Builder
	for i, element := range path {
		if i > 0 {
			b.WriteByte('.')
		}
		switch v := element.(type) {
		case string:
			b.WriteString(v)
		case int:
			b.WriteString(strconv.Itoa(v))
		}
	}
	return b.String()
}

// invalid is the issue of a value that breaks a rule of its own.
func invalid(message string, path ...any) Issue {
	return Issue{Code: "invalid_value", Message: message, Path: path}
}

// Refused is the error of an option that this server cannot act on; path leads to it.
func Refused(code Code, message string, path ...any) *Error {
	return &Error{Code: code, Message: message, Issues: []Issue{{Code: "unsupported", Message: message, Path: path}}}
}
