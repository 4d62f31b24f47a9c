package fetch

import (
	"context"
	"errors"
	"net"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/egress"
)

// Explain turns a failure of the network into what a caller may know of it. The
// cause stays within, for the log.
func Explain(ctx context.Context, err error) *trawl.Error {
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
	case errors.Is(err, egress.ErrPort):
		return trawl.CodeUnsupportedSite, "This address cannot be scraped: no requests are made to its port."
	case errors.Is(err, egress.ErrRefused), errors.Is(err, egress.ErrBlocked):
		return trawl.CodeUnsupportedSite, "This address cannot be scraped."
	case isProxy(err):
		return trawl.CodeProxy, "The proxy for this request failed."
	}
	failure := egress.Diagnose(err)
	switch failure {
	case egress.FailureCertificate, egress.FailureTLS:
		return trawl.CodeTLS, failure.Text("site")
	case egress.FailureName:
		dns, _ := errors.AsType[*net.DNSError](err)
		return trawl.CodeDNS, "The name " + dns.Name + " could not be resolved."
	}
	return trawl.CodeSite, failure.Text("site")
}

// isProxy reports whether the way to the target failed, not the target. The
// names of operations are those of net/http.
func isProxy(err error) bool {
	if _, ok := errors.AsType[proxyRefusal](err); ok {
		return true
	}
	op, ok := errors.AsType[*net.OpError](err)
	return ok && (op.Op == "proxyconnect" || op.Op == "socks connect")
}
