package egress

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
)

// Failure is a kind of failure on the way to the other side, or of the other side.
type Failure int

// The failures that callers are told apart.
const (
	FailureUnreadable Failure = iota // and whatever else there is
	FailureCertificate
	FailureTLS
	FailureName
	FailureRefused
	FailureUnreachable
	FailureTimeout
	FailureClosed
)

// Diagnose finds out what kind of failure an error of an HTTP exchange is.
func Diagnose(err error) Failure {
	timeout, _ := errors.AsType[net.Error](err)
	switch {
	case is[*tls.CertificateVerificationError](err):
		return FailureCertificate
	case isTLS(err):
		return FailureTLS
	case is[*net.DNSError](err):
		return FailureName
	case errors.Is(err, syscall.ECONNREFUSED):
		return FailureRefused
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return FailureUnreachable
	case timeout != nil && timeout.Timeout():
		return FailureTimeout
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return FailureClosed
	}
	return FailureUnreadable
}

// Text tells a caller of the failure. It says what the other side did, by the name
// that it is given, and nothing about the network behind the service.
func (f Failure) Text(who string) string {
	switch f {
	case FailureCertificate:
		return "The certificate of the " + who + " is not valid."
	case FailureTLS:
		return "A secure connection to the " + who + " could not be made."
	case FailureName:
		return "The name of the " + who + " could not be resolved."
	case FailureRefused:
		return "The " + who + " refused the connection."
	case FailureUnreachable:
		return "The " + who + " cannot be reached."
	case FailureTimeout:
		return "The " + who + " did not answer in time."
	case FailureClosed:
		return "The " + who + " closed the connection before its answer was complete."
	}
	return "The " + who + " sent an answer that cannot be read."
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
