package document

import (
	"bytes"
	"strings"
)

// isMessage tells whether a text begins with the header of a message: lines that are
// fields, of which several are such as only messages have. One that claims to be a
// message needs fewer.
func isMessage(head []byte, claimed Kind) bool {
	if line, rest, _ := bytes.Cut(head, []byte("\n")); bytes.HasPrefix(line, []byte("From ")) { // as in a mailbox of one
		if claimed != EML && isCommit(line) {
			return false
		}
		head = rest
	}
	known := map[string]bool{}
	fields := 0
	for len(head) > 0 {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 {
			break
		}
		if fields > 0 && (line[0] == ' ' || line[0] == '\t') { // goes on from the line before
			head = rest
			continue
		}
		name, _, ok := strings.Cut(string(line), ":")
		if !ok && !whole {
			break // cut where the head ends
		}
		if !ok || !isFieldName(name) {
			return false
		}
		fields++
		name = strings.ToLower(strings.TrimRight(name, " \t"))
		if messageFields[name] {
			known[name] = true
		}
		head = rest
	}
	if claimed == EML {
		return len(known) > 0
	}
	return len(known) > 2 && (known["received"] || known["return-path"] || known["message-id"] || known["mime-version"])
}

// isCommit tells whether a line is the first of a patch, which is text that looks like
// a message.
func isCommit(line []byte) bool {
	words := strings.Fields(string(line[:min(len(line), 100)]))
	return len(words) > 1 && len(words[1]) >= 40 && strings.Trim(words[1], "0123456789abcdef") == ""
}

// isFieldName tells whether a field of a message can have that name.
func isFieldName(name string) bool {
	name = strings.TrimRight(name, " \t")
	if name == "" || len(name) > 80 {
		return false
	}
	for i := range len(name) {
		if name[i] <= ' ' || name[i] >= 0x7f {
			return false
		}
	}
	return true
}

// messageFields are the fields by which messages are known.
var messageFields = map[string]bool{
	"received": true, "return-path": true, "from": true, "to": true, "cc": true, "subject": true, "date": true, "message-id": true,
	"mime-version": true, "content-type": true, "delivered-to": true, "reply-to": true, "sender": true, "dkim-signature": true,
	"in-reply-to": true, "references": true, "content-transfer-encoding": true, "x-mailer": true, "envelope-to": true,
}
