package browser

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
)

// ErrNotPage is the failure of an address that serves no page: a file to
// download, or an answer without content. A plain request can get it.
var ErrNotPage = errors.New("not a page")

// publicError turns what ended a render into what a caller may know of it.
func publicError(ctx context.Context, err error) error {
	public, isPublic := errors.AsType[*trawl.Error](err)
	reason, isFailure := errors.AsType[failure](err)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return trawl.Wrap(trawl.CodeTimeout, "The page did not load in time.", err)
	case ctx.Err() != nil:
		return trawl.Wrap(trawl.CodeUnknown, "The request was cancelled.", err)
	case errors.Is(err, ErrNotPage):
		return err
	case isPublic:
		return public
	case isFailure:
		return trawl.Wrap(trawl.CodeEngines, "No screenshot: "+string(reason)+".", err)
	case errors.Is(err, errLost):
		return trawl.Wrap(trawl.CodeEngines, "The browser ended while the page was open.", err)
	case errors.Is(err, errCrashed):
		return trawl.Wrap(trawl.CodeSite, "The page crashed the browser.", err)
	}
	return trawl.Wrap(trawl.CodeEngines, "The page could not be rendered.", err)
}

// netError turns a name of the browser's network errors into what a caller may
// know of it.
func netError(text string) error {
	name := strings.TrimPrefix(text, "net::ERR_")
	public := func(code trawl.Code, message string) error { return trawl.Wrap(code, message, errors.New(text)) }
	switch {
	case strings.HasPrefix(name, "CERT_"):
		return public(trawl.CodeTLS, egress.FailureCertificate.Text("site"))
	case strings.HasPrefix(name, "SSL_"), strings.HasPrefix(name, "BAD_SSL"):
		return public(trawl.CodeTLS, egress.FailureTLS.Text("site"))
	case name == "NAME_NOT_RESOLVED":
		return public(trawl.CodeDNS, egress.FailureName.Text("site"))
	case name == "TOO_MANY_REDIRECTS":
		return public(trawl.CodeSite, "The site redirects too many times.")
	case name == "UNSAFE_REDIRECT", name == "UNKNOWN_URL_SCHEME", name == "DISALLOWED_URL_SCHEME", name == "INVALID_REDIRECT":
		return public(trawl.CodeSite, "The site redirects to an address that is not a web page.")
	case name == "UNSAFE_PORT", name == "BLOCKED_BY_CLIENT", name == "BLOCKED_BY_ADMINISTRATOR":
		return public(trawl.CodeUnsupportedSite, "This address cannot be scraped.")
	case name == "ABORTED", name == "HTTP_RESPONSE_CODE_FAILURE", name == "INVALID_AUTH_CREDENTIALS":
		return ErrNotPage
	case name == "TIMED_OUT", name == "CONNECTION_TIMED_OUT":
		return public(trawl.CodeSite, egress.FailureTimeout.Text("site"))
	case strings.HasPrefix(name, "CONNECTION_"), name == "EMPTY_RESPONSE", strings.HasPrefix(name, "TUNNEL_"), strings.HasPrefix(name, "PROXY_"):
		return public(trawl.CodeSite, egress.FailureClosed.Text("site"))
	}
	return public(trawl.CodeSite, egress.FailureUnreadable.Text("site"))
}

// errLarge is the failure of a page that brings in more than mostBytes.
func errLarge() error { return trawl.Errorf(trawl.CodeSite, "The page is larger than 100 MiB.") }

// hostPort returns where an address is reached.
func hostPort(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = "80"
		if u.Scheme == "https" {
			port = "443"
		}
	}
	return net.JoinHostPort(u.Hostname(), port)
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}
