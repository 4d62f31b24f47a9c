// Package consent refuses cookies for rendered pages: it holds the script that
// finds a page's cookie dialog, presses "reject" in it, and hides what cannot
// be refused. The script is that of the autoconsent library where it is
// installed (Load), and a small set of rules of our own where it is not
// (Builtin). Consent is never given.
//
// A Kit is inert: it is text to be injected, and answers to what the script
// asks. The driver of the browser does, for every page, before it navigates:
//
//	Runtime.enable (without it new documents do not get the binding)
//	Runtime.addBinding{name: Binding, executionContextName: World}
//	Page.addScriptToEvaluateOnNewDocument{source: kit.Script(), worldName: World}
//
// From then on the script runs at the start of every document, in a world that
// the page can neither see nor call, and calls the binding with messages. For
// each Runtime.bindingCalled with that name the driver does:
//
//	if !watch.Note(payload) {
//		return
//	}
//	result := 0
//	for _, step := range kit.Answer(payload) {
//		if step.Main {
//			// Runtime.evaluate without a context: the top frame's own world.
//			result = evaluate(step.Script) // an integer; 0 when it fails
//			continue
//		}
//		// Runtime.evaluate with the executionContextId of the bindingCalled.
//		evaluate(fmt.Sprintf("%s(%d)", step.Script, result))
//	}
//
// and when the page has come to rest it calls watch.Wait, which returns at once
// unless a dialog is being answered just then. Steps are meant for a goroutine
// of their own: the page may be slow to answer, and the script waits for a
// second at most.
//
// The library with its rules is large. What a document gets is only what hints
// at a dialog; the library follows as an answer where there is such a hint, or
// a rule for the very site.
//
// Frames of the page's own process get the script with the page. A frame in a
// process of its own is a target of its own; a driver that attaches to it can
// treat it in the same way, with the same Watch.
package consent

import (
	_ "embed"
	"strings"
)

const (
	// World is the name of the isolated world that the script runs in.
	World = "trawl-consent"
	// Binding is the name of the function by which the script calls out.
	Binding = "trawlConsent"
)

var (
	//go:embed protocol.js
	protocol string
	//go:embed find.js
	find string
	//go:embed builtin.js
	builtin string
)

// Kit is what a page gets injected to have its cookie dialogs answered. It does
// not change and may be shared.
type Kit struct {
	name    string
	script  string
	library *library // nil for the built-in rules
}

// Builtin returns the rules that need no installation: the reject buttons of the
// most common consent managers, and of dialogs that are about cookies and have
// a button which says "reject" in one of the major languages.
func Builtin() *Kit {
	return &Kit{name: "built-in rules", script: assemble(builtin)}
}

// Name says which rules these are, for people: "autoconsent 16.23.0" or
// "built-in rules".
func (k *Kit) Name() string { return k.name }

// Script is the JavaScript to run at the start of every document of a page, in
// an isolated world called World. It does nothing in documents that did not
// come over HTTP.
func (k *Kit) Script() string { return k.script }

// assemble makes a script of the common beginning and what is special.
func assemble(body string) string {
	head := strings.ReplaceAll(protocol, "BINDING", Binding)
	return "(() => {\n" + head + find + body + "})();\n"
}
