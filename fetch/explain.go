package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
)

// explain turns a failure of the network into what a caller may know of it. The
// cause stays within, for the log.
func explain(ctx context.Context, err error) *trawl.Error {
	code, message := diagnose(ctx, err)
	return trawl.Wrap(code, message, err)
}

// diagnose finds the reason of a failure. The context comes first, because its
// end looks like many another failure; the proxy comes before the causes that a
// target and a proxy share.
func diagnose(ctx context.Context, err error) (trawl.Code, string) {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return trawl.CodeTimeout, "The page did not load in time."
	case ctx.Err() != nil:
		return trawl.CodeUnknown, "The request was cancelled."
	case errors.Is(err, egress.ErrRefused):
		return trawl.CodeUnsupportedSite, "This address cannot be scraped."
	case isProxy(err):
		return trawl.CodeProxy, "The proxy for this request failed."
	case is[*tls.CertificateVerificationError](err):
		return trawl.CodeTLS, "The certificate of the site is not valid."
	case isTLS(err):
		return trawl.CodeTLS, "A secure connection to the site could not be made."
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return trawl.CodeDNS, "The name " + dns.Name + " could not be resolved."
	}
	return trawl.CodeSite, siteMessage(err)
}

func siteMessage(err error) string {
	timeout, _ := errors.AsType[net.Error](err)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "The site refused the connection."
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "The site cannot be reached."
	case timeout != nil && timeout.Timeout():
		return "The site did not answer in time."
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "The site closed the connection before its answer was complete."
	default:
		return "The site sent an answer that cannot be read."
	}
}

// isProxy reports whether the way to the target failed, not the target. The
// names of operations are those of net/http.
func isProxy(err error) bool {
	if is[proxyRefusal](err) {
		return true
	}
	op, ok := errors.AsType[*net.OpError](err)
	return ok && (op.Op == "proxyconnect" || op.Op == "socks connect")
}

// isTLS reports whether a handshake failed. Many of its failures have no type
// of their own, only the prefix of package tls.
func isTLS(err error) bool {
	return is[tls.RecordHeaderError](err) || is[tls.AlertError](err) ||
		errors.Is(err, http.ErrSchemeMismatch) || strings.Contains(err.Error(), "tls: ")
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
