// Package v1 translates between the first version of the API and the second.
//
// Programs that were written for /v1 are not going to change. What they send
// becomes a request of /v2 (request.go, options.go), which is validated and served
// like any other; what they get is an answer of /v2 in the words of /v1 (answer.go,
// document.go). All of it is pure: bodies in, bodies out. Package api has the
// routes.
//
// Keys that both versions have pass as they are. Keys that neither has are left
// out and named in the answer's warning, for their senders are frozen, and a
// refusal would not reach anybody who could mend them.
package v1
