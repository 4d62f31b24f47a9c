package consent

import (
	"encoding/json"
	"strconv"
	"strings"
)

// The script's side of the exchange is trusted no more than the page: whatever
// a message holds, its answer is bounded by these.
const (
	maxMessage   = 64 << 10
	maxQuestions = 30 // the answers are bits of one integer
)

// Step is one evaluation in answer to a call of the binding.
type Step struct {
	// Script is, in a step with Main, an expression whose value is an integer;
	// otherwise a function that is to be called with the value of the step before.
	Script string
	// Main says that the page's own world is asked, not the script's.
	Main bool
}

// message is what the script sends. The types:
//
//	start   a document begins in the top frame
//	load    something hints at a dialog: the library is needed
//	ask     questions to the page's own world
//	busy    a dialog, or what may be one, is being answered
//	idle    that is over
type message struct {
	Type      string     `json:"type"`
	URL       string     `json:"url"`
	Frame     bool       `json:"frame"` // not the top frame
	Questions []question `json:"questions"`
}

type question struct {
	ID   string `json:"id"`
	Code string `json:"code"`
}

func parse(text string) (message, bool) {
	var m message
	if len(text) > maxMessage || json.Unmarshal([]byte(text), &m) != nil {
		return message{}, false
	}
	return m, true
}

// Answer says what is to be evaluated in reply to a call of the binding, in this
// order. For most messages, and for what is none, that is nothing.
func (k *Kit) Answer(text string) []Step {
	m, ok := parse(text)
	if !ok || k.library == nil {
		return nil
	}
	switch m.Type {
	case "start", "load":
		return k.library.load(m)
	case "ask":
		return ask(m.Questions)
	}
	return nil
}

func ask(questions []question) []Step {
	if len(questions) == 0 || len(questions) > maxQuestions {
		return nil
	}
	var script strings.Builder
	ids := make([]string, len(questions))
	// Operators only: a page may have replaced any function that could be called
	// here. So the value is an integer, whatever the page did.
	script.WriteString("(() => { let bits = 0;\n")
	for i, q := range questions {
		ids[i] = q.ID
		script.WriteString("try { if (" + q.Code + ") bits |= " + strconv.Itoa(1<<i) + " } catch {}\n")
	}
	script.WriteString("return bits })()")
	return []Step{
		{Script: script.String(), Main: true},
		{Script: "((bits) => consentReply(" + marshal(ids) + ", bits))"},
	}
}
