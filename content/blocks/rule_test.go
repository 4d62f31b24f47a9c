package blocks

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content/dom"
)

// TestNames says which groups the words of classes and ids stand for.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		group group
		want  bool
	}{
		{"PLPERL-TRUSTED", groupConsent, false},
		{"truste-banner", groupConsent, true},
		{"onetrust-consent-sdk", groupConsent, true},
		{"commentform", groupComment, true},
		{"commentList", groupComment, true},
		{"sidebarleft", groupSide, true},
		{"commentary", groupComment, false},
		{"navigate", groupNav, false},
		{"navigation-2", groupNav, true},
		{"sharepoint", groupShare, false},
		{"adventure", groupAd, false},
		{"footers", groupFooter, true},
		{"productgrid", groupItem, true},
		{"", groupNav, false},
	} {
		if got := wordGroups(c.name)&(1<<c.group) != 0; got != c.want {
			t.Errorf("%q is in group %d: %v, want %v", c.name, c.group, got, c.want)
		}
	}
}

// marked surveys a page and keeps the blocks whose text is not in lower case, as if
// a model had said so.
func marked(html string) (*page, []int32) {
	p := new(walker).survey(dom.Parse(html), nil, "")
	p.kinds[kindManual] = 2 * manual // which it is not
	var text []int32
	for i := range p.blocks {
		if b := &p.blocks[i]; b.chars > 0 {
			s := strings.TrimSpace(p.textOf(int32(i)))
			b.kept = s != strings.ToLower(s)
			text = append(text, int32(i))
		}
	}
	return p, text
}

// keptText returns what is kept, a block a word.
func keptText(p *page, text []int32) string {
	var all []string
	for _, i := range text {
		if p.blocks[i].kept {
			all = append(all, strings.Fields(p.textOf(i))[0])
		}
	}
	return strings.Join(all, " ")
}

const sentence = " brown fox jumps over the lazy dog and then it does so again until it is tired of jumping over dogs that do not even wake up"

// TestRules applies single rules to what a model kept.
func TestRules(t *testing.T) {
	t.Parallel()
	long := func(first string) string { return "<p>" + first + sentence + "</p>" }
	for _, c := range []struct {
		name, page, want string
		rule             func(*page, []int32)
	}{
		{"consent", long("One") + long("Two") + long("Three") + `<div id=onetrust-banner>Cookies</div>`, "One Two Three", (*page).dropConsent},
		{"what is named like consent is most of the page", `<div id=onetrust-banner>` + long("One") + `</div>` + long("Two"), "One Two", (*page).dropConsent},
		{"hidden", long("One") + long("Two") + `<div hidden>Three</div>`, "One Two", (*page).dropHidden},
		{"much is hidden", long("One") + `<div hidden>` + long("Two") + `</div>`, "One Two", (*page).dropHidden},
		{"the page twice", `<div>` + long("One") + long("Two") + `</div><div>` + long("One") + long("Two") + `</div>`, "One Two", (*page).dropCopies},
		{"texts that begin alike", `<div>` + long("One") + `</div><div><p>One` + sentence + ` at noon</p></div>`, "One One", (*page).dropCopies},
		{"code twice", `<div><pre>One` + sentence + `</pre></div><div><pre>One` + sentence + `</pre></div>`, "One One", (*page).dropCopies},
		{"a note that is repeated in a manual", `<section>` + long("One") + long("Two") + long("Three") + long("Four") + long("Five") + `</section><section>` + long("One") + long("Six") + `</section>`,
			"One Two Three Four Five One Six", (*page).dropCopies},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, text := marked("<body>" + c.page)
			c.rule(p, text)
			if got := keptText(p, text); got != c.want {
				t.Errorf("kept %q, want %q", got, c.want)
			}
		})
	}
}

// TestDoubt says that a rule which would take much of a page makes it doubtful.
func TestDoubt(t *testing.T) {
	t.Parallel()
	p, text := marked(`<div id=onetrust-banner><p>One` + sentence + `</p></div><p>Two` + sentence + `</p>`)
	if p.dropConsent(text); !p.doubtful {
		t.Error("half of the page is named like a consent box, and nobody doubts")
	}
}

// TestPictures says which pictures stay beside the text that is kept.
func TestPictures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, page string
		want       bool
	}{
		{"the cover of a book", `<article><div class=gallery><img src=a.jpg alt="A Light"></div><h1>TITLE</h1><p>TEXT OF IT</p></article>`, true},
		{"between paragraphs", `<p>ONE</p><img src=a.jpg><p>TWO</p>`, true},
		{"at the end of an article", `<article><p>ONE</p><figure><img src=a.jpg></figure></article><p>two three</p>`, true},
		{"an icon", `<article><img src=a.png width=16 height=16 alt=Star><p>ONE</p></article>`, false},
		{"an avatar", `<article><div class=avatar><img src=a.png alt=Anna></div><p>ONE</p></article>`, false},
		{"a logo", `<div class=site-header><img src=a.png alt=Shop></div><article><p>ONE</p></article>`, false},
		{"in a part that is not kept", `<article><p>ONE</p></article><div><img src=a.png alt=Sale><p>two three</p></div>`, false},
		{"without a description", `<article><div><img src=a.png></div><p>ONE</p></article>`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, _ := marked("<body>" + c.page)
			p.keepSilent()
			got := false
			for i := range p.blocks {
				if b := &p.blocks[i]; b.images > 0 {
					got = b.kept
				}
			}
			if got != c.want {
				t.Errorf("the picture is kept: %v, want %v", got, c.want)
			}
		})
	}
}

// TestHeadings says that a heading stays with its section, also if it is repeated,
// and that nothing is missing in the middle of one.
func TestHeadings(t *testing.T) {
	t.Parallel()
	p, text := marked(`<body><main><h1>CHANGES</h1><h2>1.1</h2><h3>features</h3><p>ONE</p><h3>bug fixes</h3><p>TWO</p><p>three</p><p>FOUR</p></main><div><h3>more</h3><p>five</p></div>`)
	chances := make([]int64, len(text))
	for i := range chances {
		chances[i] = 512
	}
	p.keepHeadings(text, chances)
	p.keepBetween(text, chances, &bars[0])
	if got, want := keptText(p, text), "CHANGES 1.1 features ONE bug TWO three FOUR"; got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
}
