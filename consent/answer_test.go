package consent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/consent"
)

func TestAnswerBringsTheLibrary(t *testing.T) {
	t.Parallel()
	kit := mustLoad(t)
	tests := []struct {
		name, message string
		want, not     []string // of the library's rules; without any, it does not come
	}{
		{"a hint", `{"type": "load", "url": "https://example.com/"}`, []string{`"one"`}, []string{`"two"`, `"three"`, `"#site"`}},
		{"a hint in a frame", `{"type": "load", "url": "https://harbour.example/", "frame": true}`, []string{`"two"`}, []string{`"one"`, `"three"`}},
		{"a hint where there is a rule for the site", `{"type": "load", "url": "https://harbour.example/"}`, []string{`"one"`, `"three"`, `"#site"`}, []string{`"two"`}},
		{"the start where there is one", `{"type": "start", "url": "https://www.harbour.example/boats"}`, []string{`"one"`, `"three"`}, nil},
		{"the start elsewhere", `{"type": "start", "url": "https://example.com/?https://harbour.example/"}`, nil, nil},
		{"at work", `{"type": "busy"}`, nil, nil},
		{"at rest", `{"type": "idle"}`, nil, nil},
		{"an unknown message", `{"type": "hello"}`, nil, nil},
		{"no message", `load`, nil, nil},
		{"nothing", ``, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			steps := kit.Answer(tt.message)
			if len(tt.want) == 0 {
				if len(steps) != 0 {
					t.Fatalf("%d steps, want none", len(steps))
				}
				return
			}
			if len(steps) != 1 || steps[0].Main {
				t.Fatalf("steps = %+v, want one in the script's own world", steps)
			}
			for _, want := range append(tt.want, "class Everything") {
				if !strings.Contains(steps[0].Script, want) {
					t.Errorf("the answer lacks %s", want)
				}
			}
			for _, not := range append(tt.not, "RULES", "BUNDLE", "QUESTIONS") {
				if strings.Contains(steps[0].Script, not) {
					t.Errorf("the answer has %s", not)
				}
			}
		})
	}
}

func TestAnswerAsksThePage(t *testing.T) {
	t.Parallel()
	steps := mustLoad(t).Answer(`{"type": "ask", "questions": [{"id": "a1", "code": "(() => window.Cookiebot)()"}, {"id": "b\"2", "code": "false"}]}`)
	if len(steps) != 2 || !steps[0].Main || steps[1].Main {
		t.Fatalf("steps = %+v, want one in the page's world and one in the script's", steps)
	}
	for _, want := range []string{"if ((() => window.Cookiebot)()) bits |= 1 ", "if (false) bits |= 2 "} {
		if !strings.Contains(steps[0].Script, want) {
			t.Errorf("%s lacks %s", steps[0].Script, want)
		}
	}
	if want := `((bits) => consentReply(["a1","b\"2"], bits))`; steps[1].Script != want {
		t.Errorf("reply = %s, want %s", steps[1].Script, want)
	}
}

func TestAnswerIsBounded(t *testing.T) {
	t.Parallel()
	kit := mustLoad(t)
	many := `{"type": "ask", "questions": [` + strings.Repeat(`{"id": "a", "code": "1"},`, 30) + `{"id": "a", "code": "1"}]}`
	long := fmt.Sprintf(`{"type": "load", "url": "https://example.com/%s"}`, strings.Repeat("a", 1<<20))
	for _, message := range []string{many, long, `{"type": "ask"}`} {
		if steps := kit.Answer(message); len(steps) != 0 {
			t.Errorf("%d steps for %.60s…", len(steps), message)
		}
	}
	// The built-in rules have nothing to ask for.
	for _, message := range []string{`{"type": "load"}`, `{"type": "ask", "questions": [{"id": "a", "code": "1"}]}`} {
		if steps := consent.Builtin().Answer(message); len(steps) != 0 {
			t.Errorf("the built-in rules answer %s", message)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"type": "load", "url": "https://example.com/"}`, `{"type": "start", "url": "https://harbour.example/"}`,
		`{"type": "ask", "questions": [{"id": "a", "code": "b"}]}`, `{"type": "busy"}`, `{"type": 1}`, `[]`, "\xff",
	} {
		f.Add(seed)
	}
	kit := mustLoad(f)
	library := len(kit.Answer(`{"type": "load", "url": "https://harbour.example/"}`)[0].Script)
	f.Fuzz(func(t *testing.T, message string) {
		var watch consent.Watch
		watch.Note(message)
		total := 0
		for _, step := range kit.Answer(message) {
			total += len(step.Script)
		}
		// A character may take six in JSON, and a question brings its frame.
		if limit := library + 2048 + 6*len(message); total > limit {
			t.Errorf("%d bytes of answer to %d bytes, more than %d", total, len(message), limit)
		}
	})
}

func FuzzLoad(f *testing.F) {
	f.Add(manifest, bundle, rules)
	f.Add("{}", "", "{}")
	f.Fuzz(func(t *testing.T, manifest, bundle, rules string) {
		kit, err := consent.Load(install(t, map[string]string{
			"package.json": manifest, "dist/autoconsent.cjs.js": bundle, "rules/compact-rules.json": rules,
		}))
		if err != nil {
			return
		}
		if steps := kit.Answer(`{"type": "load", "url": "https://harbour.example/"}`); len(steps) != 1 {
			t.Errorf("a library that loads does not answer: %d steps", len(steps))
		}
	})
}
