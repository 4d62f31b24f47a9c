package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"github.com/trawlhq/trawl/egress"
)

// explain turns a failure of the network into what a caller may know of it.
// The attempt's context is a part of the caller's.
func explain(attempt, caller context.Context, err error) Outcome {
	switch {
	case errors.Is(err, egress.ErrRefused):
		return Outcome{Error: notAllowed, Final: true}
	case errors.Is(caller.Err(), context.Canceled):
		return Outcome{Error: "The delivery was interrupted."}
	case attempt.Err() != nil:
		return Outcome{Error: "The receiver did not answer in time."}
	default:
		return Outcome{Error: diagnose(err)}
	}
}

func diagnose(err error) string {
	timeout, _ := errors.AsType[net.Error](err)
	switch {
	case is[*tls.CertificateVerificationError](err):
		return "The certificate of the receiver is not valid."
	case isTLS(err):
		return "A secure connection to the receiver could not be made."
	case is[*net.DNSError](err):
		return "The name of the receiver could not be resolved."
	case errors.Is(err, syscall.ECONNREFUSED):
		return "The receiver refused the connection."
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "The receiver cannot be reached."
	case timeout != nil && timeout.Timeout():
		return "The receiver did not answer in time."
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "The receiver closed the connection before it answered."
	default:
		return "The receiver sent an answer that cannot be read."
	}
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
