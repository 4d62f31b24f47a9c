package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// status returns the HTTP status of a code. Codes that are not listed stand for
// failures on the way to or in the target: 500.
func status(code trawl.Code) int {
	switch code {
	case trawl.CodeBadRequest, trawl.CodeInvalidJSON, trawl.CodeActionsUnsupported,
		trawl.CodeFormatUnsupported, trawl.CodeOptionUnsupported, trawl.CodeParseOptions,
		trawl.CodeContentTooLarge, trawl.CodeFileType, trawl.CodeFileEncrypted, trawl.CodeFileDamaged, trawl.CodeFileTooComplex:
		return http.StatusBadRequest
	case trawl.CodeUnauthorized:
		return http.StatusUnauthorized
	case trawl.CodePayment:
		return http.StatusPaymentRequired
	case trawl.CodeForbidden, trawl.CodeUnsupportedSite:
		return http.StatusForbidden
	case trawl.CodeNotFound, trawl.CodeNoCachedData, trawl.CodeLockdownMiss:
		return http.StatusNotFound
	case trawl.CodeMethodNotAllowed:
		return http.StatusMethodNotAllowed
	case trawl.CodeTimeout, trawl.CodeQueueTimeout, trawl.CodeMapTimeout, trawl.CodeSearchTimeout:
		return http.StatusRequestTimeout
	case trawl.CodeConflict:
		return http.StatusConflict
	case trawl.CodeGone:
		return http.StatusGone
	case trawl.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	case trawl.CodeMediaType:
		return http.StatusUnsupportedMediaType
	case trawl.CodeUpgrade:
		return http.StatusUpgradeRequired
	case trawl.CodeRateLimited, trawl.CodeUploads:
		return http.StatusTooManyRequests
	case trawl.CodeNotImplemented:
		return http.StatusNotImplemented
	case trawl.CodeBadGateway:
		return http.StatusBadGateway
	case trawl.CodeUnavailable, trawl.CodeNoModel, trawl.CodeNoSearch:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// ErrorBody is the one shape of every answer that is not a success.
type ErrorBody struct {
	Success bool          `json:"success" doc:"Always false."`
	Message string        `json:"error" doc:"What went wrong, in words."`
	Code    string        `json:"code,omitempty" doc:"Kind of failure, where it has a name."`
	Details []trawl.Issue `json:"details,omitempty" doc:"What is wrong with which field of the request."`
	CheckID string        `json:"checkId,omitempty" doc:"The check of a monitor that runs already."`

	FeedbackCode string `json:"feedbackErrorCode,omitempty" doc:"Kind of failure, of a request with feedback only."`

	status int
}

// Error returns the message.
func (e *ErrorBody) Error() string { return e.Message }

// GetStatus returns the HTTP status.
func (e *ErrorBody) GetStatus() int { return e.status }

// busyTime is when to come back, in seconds, where all that may run does: nobody
// knows when the first will end.
const busyTime = "10"

// GetHeaders returns the headers that go with the body.
func (e *ErrorBody) GetHeaders() http.Header {
	if e.status == http.StatusTooManyRequests {
		return http.Header{"Retry-After": {busyTime}}
	}
	return nil
}

func bodyOf(e *trawl.Error) *ErrorBody {
	return &ErrorBody{Message: e.Message, Code: publicCode(e.Code), Details: e.Issues, status: status(e.Code)}
}

// publicCode returns the name that a code has on the wire, if it has one.
func publicCode(code trawl.Code) string {
	if name := string(code); name == strings.ToUpper(name) {
		return name
	}
	return ""
}

// public turns any error into what the caller may see of it. An error that is
// not meant for callers is logged and becomes a trace id.
func (s *Server) public(ctx context.Context, err error) *ErrorBody {
	v := visitOf(ctx)
	body := s.publicBody(ctx, v, err)
	v.code = body.Code
	if v.request == nil {
		return body
	}
	return withFeedbackCode(v.request.URL.Path, body)
}

func (s *Server) publicBody(ctx context.Context, v *visit, err error) *ErrorBody {
	if running, ok := errors.AsType[*store.RunningError](err); ok {
		return &ErrorBody{Message: running.Error(), CheckID: running.Check, status: http.StatusConflict}
	}
	var known *trawl.Error
	if errors.As(err, &known) && known.Code != trawl.CodeUnknown {
		if known.Err != nil && !v.discreet {
			s.Log.LogAttrs(ctx, slog.LevelInfo, "request refused", slog.String("request", v.id),
				slog.String("code", string(known.Code)), slog.Any("err", known.Err))
		}
		return bodyOf(known)
	}
	if errors.Is(err, context.Canceled) { // by the caller, who will not see this, or by the end of the server
		return bodyOf(trawl.Errorf(trawl.CodeUnavailable, "The server is shutting down."))
	}
	attrs := []slog.Attr{slog.String("request", v.id)}
	if !v.discreet {
		attrs = append(attrs, slog.Any("err", err))
	}
	s.Log.LogAttrs(ctx, slog.LevelError, "request failed", attrs...)
	if store.InTrouble(err) {
		return bodyOf(trawl.Errorf(trawl.CodeUnavailable, "The server cannot store anything at the moment. Try again later."))
	}
	return bodyOf(trawl.Errorf(trawl.CodeUnknown, "An unexpected error occurred. Its trace id is %s.", v.id))
}

// useErrorShape replaces the error type of the HTTP framework, which is a
// variable of its package, by ours.
var useErrorShape = sync.OnceFunc(func() {
	huma.ValidateStrictCasing = true
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		if status != http.StatusUnprocessableEntity && status != http.StatusBadRequest {
			return &ErrorBody{Message: message, status: status}
		}
		var body any
		v := visitOf(ctx.Context())
		v.code = string(trawl.CodeBadRequest)
		_ = decodeGeneric(v.body, &body) // without one, paths are plain
		e := worded(ctx.Operation().Path, bodyOf(invalidInput(message, errs, body)))
		if v.v1 != nil {
			e.Message = strings.Replace(e.Message, "review the v2 API", "review the v1 API", 1)
		}
		return e
	}
})

// worded puts what is wrong with a request in the words that clients of the
// endpoint know. The details say the rest.
func worded(path string, e *ErrorBody) *ErrorBody {
	switch path {
	case "/v2/search":
		e.Message = "Invalid request body"
	case "/v2/crawl/params-preview":
		e.Message = "Invalid request parameters: " + e.Message
	}
	return withFeedbackCode(path, e)
}

// mostMistakes is how many mistakes are listed. Each takes as long to find as
// there are names.
const mostMistakes = 50

// invalidInput reports what the schema found wrong. Unknown keys come first:
// they usually explain the rest.
func invalidInput(message string, errs []error, body any) *trawl.Error {
	var issues []trawl.Issue
	for _, err := range errs[:min(len(errs), mostMistakes)] {
		var detail *huma.ErrorDetail
		if errors.As(err, &detail) {
			issues = append(issues, issuesOf(detail, body)...)
		}
	}
	slices.SortStableFunc(issues, func(a, b trawl.Issue) int { return cmp.Compare(rank(a), rank(b)) })
	if len(issues) == 0 {
		return trawl.Errorf(trawl.CodeBadRequest, "%s", message)
	}
	var e *trawl.Error
	errors.As(trawl.Invalid(issues), &e)
	if issues[0].Code == codeUnknownKey {
		e.Message = "Unrecognized key in body -- please review the v2 API documentation for request body changes: " +
			trawl.DottedPath(issues[0].Path)
	}
	if aboutPaging(errs[0]) {
		e.Message = "Invalid pagination: " + e.Message
	}
	return e
}

// aboutPaging reports whether it is a wrong page that was asked for.
func aboutPaging(err error) bool {
	var detail *huma.ErrorDetail
	return errors.As(err, &detail) && (detail.Location == "query.skip" || detail.Location == "query.limit")
}

const codeUnknownKey = "unrecognized_key"

func rank(i trawl.Issue) int {
	if i.Code == codeUnknownKey {
		return 0
	}
	return 1
}

// issuesOf translates a finding of the schema's validation. Of a webhook it only
// finds that it is neither an address nor an object as it should be: what is
// wrong with an object is found here.
func issuesOf(detail *huma.ErrorDetail, body any) []trawl.Issue {
	if detail.Location != webhookLocation || detail.Message != validation.MsgExpectedMatchExactlyOneSchema {
		return []trawl.Issue{issueOf(detail, body)}
	}
	if _, ok := detail.Value.(map[string]any); !ok {
		return []trawl.Issue{{Code: "invalid_type", Message: "is neither an address nor an object", Path: []any{"webhook"}}}
	}
	var issues []trawl.Issue
	for _, err := range validateWebhook(detail.Value) {
		if finding, ok := errors.AsType[*huma.ErrorDetail](err); ok {
			issues = append(issues, issueOf(finding, body))
		}
	}
	return issues
}

// issueOf translates a finding of the schema's validation.
func issueOf(detail *huma.ErrorDetail, body any) trawl.Issue {
	issue := trawl.Issue{Code: "invalid_value", Message: detail.Message, Path: locate(detail.Location, body)}
	required := func(at ...any) {
		issue.Code, issue.Message, issue.Path = "required", "is required", append(issue.Path, at...)
	}
	switch detail.Message {
	case validation.MsgUnexpectedProperty:
		issue.Code = codeUnknownKey
	case validation.MsgExpectedBoolean, validation.MsgExpectedNumber, validation.MsgExpectedInteger,
		validation.MsgExpectedString, validation.MsgExpectedArray, validation.MsgExpectedObject:
		issue.Code = "invalid_type"
	case validation.MsgExpectedMatchAtLeastOneSchema:
		issue.Code, issue.Message = "invalid_type", "is neither a name nor an object with a type"
	case validation.MsgExpectedMatchExactlyOneSchema:
		if object, ok := detail.Value.(map[string]any); ok {
			issue.Message = fmt.Sprintf("unknown type %.100q", fmt.Sprint(object["type"]))
			issue.Path = append(issue.Path, "type")
		}
	case validation.MsgExpectedPropertyNameInObject:
		required()
	default:
		if name, ok := strings.CutPrefix(detail.Message, "expected required property "); ok {
			required(strings.TrimSuffix(name, " to be present"))
		} else if strings.HasPrefix(detail.Message, "json: ") {
			issue.Message = "has a value that does not fit"
		}
	}
	return issue
}

// locate turns body.formats[0].type into its elements. Names may hold dots and
// brackets themselves: where the body has such a name, it is taken as a whole.
func locate(location string, body any) []any {
	path := []any{}
	rest := strings.TrimLeft(location, "abcdefghijklmnopqrstuvwxyz") // body, query or path
	for rest != "" {
		if list, ok := body.([]any); ok && rest[0] == '[' {
			index, after, _ := strings.Cut(rest[1:], "]")
			i, err := strconv.Atoi(index)
			if err != nil || i >= len(list) {
				return path
			}
			path, body, rest = append(path, i), list[i], after
			continue
		}
		rest = rest[1:]
		object, _ := body.(map[string]any)
		name := nameIn(object, rest)
		path, body, rest = append(path, name), object[name], rest[len(name):]
	}
	return path
}

// nameIn returns the longest name of an object with which a location begins, or
// else what comes before the next dot or bracket.
func nameIn(object map[string]any, location string) string {
	best, found := "", false
	for name := range object {
		after, ok := strings.CutPrefix(location, name)
		if ok && (after == "" || after[0] == '.' || after[0] == '[') && (!found || len(name) > len(best)) {
			best, found = name, true
		}
	}
	if found {
		return best
	}
	if end := strings.IndexAny(location, ".["); end >= 0 {
		return location[:end]
	}
	return location
}

// errorResponse documents the error shape.
func (s *Server) errorResponse() *huma.Response {
	schema := s.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[ErrorBody](), true, "ErrorBody")
	return &huma.Response{
		Description: "What went wrong",
		Content:     map[string]*huma.MediaType{"application/json": {Schema: schema}},
	}
}
