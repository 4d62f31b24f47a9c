package brand_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/brand"
	"github.com/trawlhq/trawl/browser"
	"github.com/trawlhq/trawl/internal/testtime"
)

// A page of six thousand elements is measured in part, and its end as well.
func TestScriptBounds(t *testing.T) {
	t.Parallel()
	pool, base := newPool(t), pages(t, "testdata/pages")
	measured := measure(t, pool, base+"/huge", whole())
	var m struct {
		Looked  int
		Cut     bool
		Footers []any
	}
	if err := json.Unmarshal(measured, &m); err != nil {
		t.Fatal(err)
	}
	if m.Looked > 3000 || !m.Cut || len(m.Footers) != 1 || len(measured) > 512<<10 {
		t.Errorf("looked at %d elements, cut %v, %d footers, %d bytes", m.Looked, m.Cut, len(m.Footers), len(measured))
	}
}

// A page that takes longer than it may is measured in part.
func TestScriptEnds(t *testing.T) {
	t.Parallel()
	pool, base := newPool(t), pages(t, "testdata/pages")
	var m struct {
		Looked int
		Cut    bool
	}
	if err := json.Unmarshal(measure(t, pool, base+"/huge", brand.ScriptWithin(0)), &m); err != nil {
		t.Fatal(err)
	}
	if m.Looked > 100 || !m.Cut {
		t.Errorf("looked at %d elements, cut %v", m.Looked, m.Cut)
	}
}

// The script leaves a page as it was, and unaware of having been measured.
func TestScriptLeavesNoTrace(t *testing.T) {
	t.Parallel()
	pool, base := newPool(t), pages(t, "testdata/pages")
	const watch = `window.noticed = 0; for (const kind of ['focus', 'blur', 'scroll']) addEventListener(kind, () => noticed++, true);
		new MutationObserver(list => noticed += list.length).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
		window.before = document.documentElement.outerHTML; 0`
	result, err := pool.Render(testtime.Context(t), browser.Request{URL: base + "/light", Actions: []trawl.Action{
		{Type: trawl.ActionJavaScript, Script: watch},
		{Type: trawl.ActionJavaScript, Script: "void " + brand.Script()},
		{Type: trawl.ActionJavaScript, Script: "new Promise(done => setTimeout(() => done([noticed, before === document.documentElement.outerHTML, document.activeElement === document.body])))"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	last := result.Outcome.Returns[len(result.Outcome.Returns)-1]
	if string(last.Value) != "[0,true,true]" {
		t.Errorf("noticed, unchanged, unfocused: %s", last.Value)
	}
}

// Pages that are made to be a burden are measured all the same.
func TestScriptHostilePages(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, page := range map[string]string{
		"deep":    `<body><script>let at = document.body; for (let i = 0; i < 1500; i++) { const d = document.createElement('div'); at.append(d); at = d } at.textContent = 'deep'</script>`,
		"rules":   `<input><style>` + strings.Repeat(":is(input):focus{border:1px solid red}", 20000) + `</style>`,
		"drawing": `<header><a href=/ class=logo><svg width=100 height=40><path d="M0 0` + strings.Repeat("l1 1", 100000) + `"/></svg></a></header>`,
		"many":    `<header class=logo>` + strings.Repeat(`<svg width=40 height=40><path d="`+strings.Repeat("M0 0l1 1", 4000)+`"/></svg>`, 60) + `</header>`,
		"names":   `<div class="` + strings.Repeat("logo- ", 100000) + `">x</div><title>` + strings.Repeat("t ", 100000) + `</title>`,
		"colours": `<div id=d></div><script>for (let i = 0; i < 4000; i++) d.innerHTML += ''; d.innerHTML = Array.from({length: 4000}, (_, i) => '<p style="color:oklch(.5 .1 ' + i/20 + ')">a' + i + '</p>').join('')</script>`,
		"own":     `<p>text</p><script>Document.prototype.querySelectorAll = getComputedStyle = JSON.stringify = performance.now = () => { throw 1 }; document.documentElement.getBoundingClientRect = 7</script>`,
		"cycle":   `<style>:root{--primary:var(--accent);--accent:var(--primary)}input:focus{border-color:var(--a)}input{--a:var(--b);--b:var(--a)}</style><input>`,
		"use":     `<header><a href=/><svg id=s width=50 height=50><symbol id=a><use href="#a"/><use href="#s"/></symbol><use href="#a"/></svg></a></header>`,
		"frames":  `<frameset><frame src=about:blank></frameset>`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name+".html"), []byte("<!doctype html>"+page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool, base := newPool(t), pages(t, folder)
	for _, name := range []string{"deep", "rules", "drawing", "many", "names", "colours", "own", "cycle", "use", "frames"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			measured := measure(t, pool, base+"/"+name, brand.Script())
			kit, err := brand.Read(measured, base)
			if err != nil || len(measured) > 512<<10 || kit.Branding.Colors["background"] != "#FFFFFF" {
				t.Errorf("%d bytes, %v", len(measured), err)
			}
			var m struct{ Took int }
			if err := json.Unmarshal(measured, &m); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d ms, %d bytes", m.Took, len(measured))
		})
	}
}
