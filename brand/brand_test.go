package brand_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/trawlhq/trawl/brand"
)

// read reads a measurement that has the given parts.
func read(t *testing.T, parts string) *brand.Kit {
	t.Helper()
	kit, err := brand.Read([]byte(`{"measurement":1,"view":{"width":1280,"height":800},"page":{"width":1280,"height":2000}`+parts+`}`), "https://acme.example/")
	if err != nil {
		t.Fatal(err)
	}
	return kit
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "null", "[]", "{}", `"x"`, `{"measurement":2}`, `{"measurement":1,"texts":7}`, `{"measurement":1,"title":"` + strings.Repeat("x", 3<<20) + `"}`} {
		if _, err := brand.Read([]byte(text), "https://a.example/"); err == nil {
			t.Errorf("%.40q is no measurement", text)
		}
	}
}

const text = `"texts":[{"kind":"body","stack":0,"size":16,"weight":400,"color":"#222222ff","ground":"#ffffffff","amount":500}`

func TestColours(t *testing.T) {
	t.Parallel()
	button := func(label, ground, more string) string {
		return `{"label":"` + label + `","tag":"button","ground":"#ffffffff","background":"` + ground + `","text":"#ffffffff","top":300,"width":120,"height":40` + more + `}`
	}
	for _, c := range []struct {
		name, parts string
		want        map[string]string // an empty one is not there
	}{
		{"button", `,"buttons":[` + button("Buy", "#ff5500ff", "") + `]`, map[string]string{"primary": "#FF5500"}},
		{"button of a cookie dialog", `,"buttons":[` + button("Accept", "#00aa00ff", `,"cookie":true`) + `]`, map[string]string{"primary": ""}},
		{"disabled button", `,"buttons":[` + button("Wait", "#00aa00ff", `,"disabled":true`) + "," + button("Buy", "#ff5500ff", "") + `]`, map[string]string{"primary": "#FF5500"}},
		{"black button", `,"buttons":[` + button("Buy", "#000000ff", "") + `]`, map[string]string{"primary": "#000000"}},
		{"custom property in use", `,"grounds":[{"color":"#ffffffff","amount":2000000},{"color":"#aa00aaff","amount":9000},{"color":"#00aaaaff","amount":12000}],"properties":[{"name":"--brand-primary","color":"#aa00aaff"}]`,
			map[string]string{"primary": "#AA00AA", "secondary": "#00AAAA"}},
		{"what stands on it", `,"properties":[{"name":"--primary-foreground","color":"#aa00aaff"}]`, map[string]string{"primary": ""}},
		{"framework's property", `,"grounds":[{"color":"#ffffffff","amount":2000000},{"color":"#00aaaaff","amount":200000}],"properties":[{"name":"--bs-primary","color":"#0d6efdff"}]`, map[string]string{"primary": "#00AAAA"}},
		{"theme colour", `,"metas":{"theme-color":"#c0392bff"}`, map[string]string{"primary": "#C0392B"}},
		{"states", `,"properties":[{"name":"--color-danger","color":"#cc0000ff"},{"name":"--success-hover","color":"#00ff00ff"}],"states":[{"kind":"warning","background":"#fff3cdff","text":"#996600ff"}]`,
			map[string]string{"error": "#CC0000", "success": "", "warning": "#996600"}},
		{"links that nobody styled", `,` + text + `,{"kind":"body","stack":0,"size":16,"color":"#0000eeff","ground":"#ffffffff","link":"prose","amount":50}]`, map[string]string{"link": "#0000EE", "primary": "", "textPrimary": "#222222"}},
		{"secondary text", `,` + text + `,{"kind":"body","stack":0,"size":14,"color":"#777777ff","ground":"#ffffffff","amount":300}]`, map[string]string{"textPrimary": "#222222", "textSecondary": "#777777"}},
		{"text on another ground", `,` + text + `,{"kind":"body","stack":0,"size":20,"color":"#ffffffff","ground":"#000000ff","amount":900}]`, map[string]string{"textPrimary": "#222222", "textSecondary": ""}},
		{"button that destroys", `,"buttons":[` + button("Delete", "#dd0000ff", "") + "," + button("Save", "#0055ddff", `,"disabled":true`) + `]`, map[string]string{"primary": "#0055DD", "secondary": ""}},
		{"button of a chat", `,"buttons":[` + button("Chat", "#dd0000ff", `,"fixed":true`) + "," + button("Buy", "#ff5500ff", "") + `]`, map[string]string{"primary": "#FF5500", "secondary": ""}},
		{"property that a border shows", `,"buttons":[` + button("Buy", "#0055ddff", "") + "," + button("Export", "", `,"border":"#6c757dff"`) + `],"properties":[{"name":"--bs-secondary","color":"#6c757dff"}]`, map[string]string{"secondary": "#6C757D"}},
		{"dark header and footer", `,"canvas":"#ffffffff","declared":true,"grounds":[{"color":"#ffffffff","amount":900000},{"color":"#052962ff","amount":1100000}],` + text + `]`, map[string]string{"background": "#FFFFFF", "textPrimary": "#222222"}},
		{"all of it covered", `,"canvas":"#ffffffff","declared":true,"grounds":[{"color":"#ffffffff","amount":1000},{"color":"#052962ff","amount":2000000}]`, map[string]string{"background": "#052962"}},
		{"shades of one ground", `,"grounds":[{"color":"#ffffffff","amount":600000},{"color":"#fbfbfbff","amount":500000},{"color":"#111111ff","amount":800000}]`, map[string]string{"background": "#FFFFFF"}},
		{"ground that cannot be read on", `,"grounds":[{"color":"#ffffffff","amount":1200000},{"color":"#101820ff","amount":800000}],"texts":[{"kind":"body","stack":0,"size":16,"color":"#fafafaff","ground":"#ffffffff","amount":500}]`, map[string]string{"background": "#101820"}},
		{"text on a photograph", `,` + text + `,{"kind":"h1","stack":0,"size":60,"color":"#ffffffff","ground":"","amount":900}]`, map[string]string{"textPrimary": "#222222", "textSecondary": ""}},
		{"nonsense", `,"canvas":"url(x)","metas":{"theme-color":"#12345"},"grounds":[{"color":"red","amount":1e9}]`, map[string]string{"background": "#FFFFFF", "primary": ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := read(t, c.parts).Branding.Colors
			for role, want := range c.want {
				if got[role] != want {
					t.Errorf("%s is %q, want %q: %v", role, got[role], want, got)
				}
			}
		})
	}
}

func TestLogo(t *testing.T) {
	t.Parallel()
	picture := func(src, more string) string {
		return `{"kind":"image","src":"` + src + `","top":20,"left":20,"width":120,"height":40` + more + `}`
	}
	drawing := func(svg string) string {
		text, _ := json.Marshal(svg)
		return `{"kind":"drawing","svg":` + string(text) + `,"home":true,"header":true,"top":20,"left":20,"width":120,"height":40}`
	}
	svg := func(text string) string {
		return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(text))
	}
	for _, c := range []struct{ name, logos, want string }{
		{"home before others", picture("https://a.example/photo.png", "") + "," + picture("https://a.example/l.png", `,"home":true,"header":true`), "https://a.example/l.png"},
		{"a wall of others", picture("https://a.example/partner.png", `,"logo":true,"wall":true,"crowd":6`), ""},
		{"an avatar", picture("https://a.example/me.png", `,"wall":true,"header":true`), ""},
		{"script", picture("javascript:alert(1)", `,"home":true,"header":true`), ""},
		{"file", picture("file:///etc/passwd", `,"home":true,"header":true`), ""},
		{"page in an address", picture("data:text/html,<script>", `,"home":true,"header":true`), ""},
		{"picture in an address", picture("data:image/png;base64,AAAA", `,"home":true,"header":true`), "data:image/png;base64,AAAA"},
		{"drawing", drawing(`<svg><path d="M0 0"/></svg>`), "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(`<svg><path d="M0 0"/></svg>`))},
		{"drawing with a script", drawing(`<svg><script>alert(1)</script></svg>`), ""},
		{"drawing with a handler", drawing(`<svg onload="alert(1)"/>`), ""},
		{"drawing that loads", drawing(`<svg><use href="https://evil.example/x.svg#a"/></svg>`), ""},
		{"drawing that loads by style", drawing(`<svg><rect fill="url(https://evil.example/x)"/></svg>`), ""},
		{"drawing with an entity", drawing(`<!DOCTYPE svg [<!ENTITY a "b">]><svg/>`), ""},
		{"drawing in an address", picture("data:image/svg+xml,%3csvg xmlns='http://www.w3.org/2000/svg'%3e%3cpath d='M0 0'/%3e%3c/svg%3e", `,"home":true,"header":true`), svg(`<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0'/></svg>`)},
		{"drawing in an address that acts", picture("data:image/svg+xml,%3Csvg onload=%22alert(1)%22/%3E", `,"home":true,"header":true`), ""},
		{"drawing in base 64 that acts", picture(svg(`<svg><script>alert(1)</script></svg>`), `,"home":true,"header":true`), ""},
		{"link to another site", picture("https://a.example/x-logo.png", `,"logo":true,"header":true,"link":true,"away":true`), ""},
		{"row of three", picture("https://a.example/ibm-logo.png", `,"logo":true,"crowd":3`), ""},
		{"broken drawing", drawing(`<svg><g></svg`), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := read(t, `,"logos":[`+c.logos+`]`).Branding
			if b.Logo != c.want || (b.Images.Logo == nil) != (c.want == "") {
				t.Errorf("logo is %q, want %q", b.Logo, c.want)
			}
		})
	}
}

// What a page has in its head is no safer than what it shows.
func TestIconsAreHarmless(t *testing.T) {
	t.Parallel()
	b := read(t, `,"metas":{"og:image":"data:image/svg+xml,%3Csvg onload='alert(1)'/%3E"},"icons":[{"rel":"icon","type":"image/svg+xml","src":"data:image/svg+xml,%3Csvg%3E%3Cscript/%3E%3C/svg%3E"},{"rel":"icon","src":"https://a.example/i.png"}]`).Branding
	if b.Images.OGImage != nil || b.Images.Favicon == nil || *b.Images.Favicon != "https://a.example/i.png" {
		t.Errorf("preview %v, icon %v", b.Images.OGImage, b.Images.Favicon)
	}
}

func TestButtons(t *testing.T) {
	t.Parallel()
	button := func(label, names, ground, more string) string {
		return `{"label":"` + label + `","names":"` + names + `","ground":"#ffffffff","background":"` + ground + `","text":"#ffffffff","top":300,"width":120,"height":40` + more + `}`
	}
	c := read(t, `,"buttons":[`+strings.Join([]string{
		button("Delete", "btn btn-danger", "#dd0000ff", ""), button("Chat", "btn-primary", "#ffee00ff", `,"fixed":true`),
		button("Export", "btn-outline", "", `,"border":"#666666ff","text":"#666666ff"`), button("New", "btn", "#2b6cb0ff", ""),
	}, ",")+`]`).Branding.Components
	if c.ButtonPrimary == nil || c.ButtonPrimary.Background != "#2B6CB0" || c.ButtonSecondary == nil || c.ButtonSecondary.BorderColor != "#666666" {
		t.Errorf("primary %+v, secondary %+v", c.ButtonPrimary, c.ButtonSecondary)
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, parts, want string }{
		{"for machines", `,"title":"Home | X","metas":{"og:site_name":"Acme"}`, "Acme"},
		{"organisation", `,"title":"Home","names":[{"type":"wordmark","name":"acme"},{"type":"Organization","name":"Acme Inc."}]`, "Acme Inc."},
		{"logo", `,"logos":[{"kind":"image","src":"https://a.example/l.png","alt":"Acme Company Logo","home":true,"header":true,"width":100,"height":40}]`, "Acme Company"},
		{"words of the name that logos have as well", `,"logos":[{"kind":"image","src":"https://a.example/l.png","alt":"Go to The Home Depot logo","home":true,"header":true,"width":100,"height":40}]`, "The Home Depot"},
		{"long name that the title has", `,"title":"Shows | Museum of Modern Art New York","names":[{"type":"wordmark","name":"Museum of Modern Art New York"}]`, "Museum of Modern Art New York"},
		{"a sentence beside the logo", `,"title":"Zeta","names":[{"type":"wordmark","name":"We make things for everybody who needs things"}]`, "Zeta"},
		{"home is no name", `,"title":"Home","names":[{"type":"wordmark","name":"Home"}]`, ""},
		{"home is no part of a name", `,"title":"Home | Zeta Works"`, "Zeta Works"},
		{"title of a home page", `,"title":"Mira Okafor — Photographer"`, "Mira Okafor"},
		{"wide bar", `,"title":"みどり市場｜産地直送の野菜通販"`, "みどり市場"},
		{"wordmark", `,"title":"Welcome","names":[{"type":"wordmark","name":"Acme"}]`, "Acme"},
		{"part of the title that the address has", `,"title":"Acme: things - for everyone"`, "Acme"},
		{"last part of the title", `,"title":"How to do things well | Zeta"`, "Zeta"},
		{"a sentence is no name", `,"title":"All that you ever wanted to know"`, ""},
		{"bounded", `,"metas":{"og:site_name":"A\u0000\u202e` + strings.Repeat("b", 500) + `"}`, "A" + strings.Repeat("b", 99)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := read(t, c.parts).Branding.BrandName; got != c.want {
				t.Errorf("name is %q, want %q", got, c.want)
			}
		})
	}
}

func TestFonts(t *testing.T) {
	t.Parallel()
	run := func(stacks, faces string) string {
		return `,` + text + `],"stacks":["` + stacks + `"],"faces":[` + faces + `]`
	}
	for _, c := range []struct{ name, parts, family, source string }{
		{"web", run(`Inter, sans-serif`, `{"family":"Inter","status":"loaded"}`), "Inter", "web"},
		{"did not load", run(`Inter, Arial`, `{"family":"Inter","status":"error"}`), "Arial", "system"},
		{"system", run(`-apple-system, BlinkMacSystemFont, Arial`, ""), "system-ui", "system"},
		{"name of a tool", run(`__Open_Sans_a1b2c3, __Open_Sans_Fallback_a1b2c3`, `{"family":"__Open_Sans_a1b2c3","status":"loaded"}`), "Open Sans", "web"},
		{"quoted", run(`\"Source Serif 4\", serif`, ""), "Source Serif 4", "system"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fonts := read(t, c.parts).Branding.Fonts
			if len(fonts) != 1 || fonts[0].Family != c.family || fonts[0].Source != c.source {
				t.Errorf("fonts are %v, want %s from %s", fonts, c.family, c.source)
			}
		})
	}
}

func TestBaseUnit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values string
		want   float64
	}{
		{"8 16 24 32 64 16 8", 8}, {"4 12 20 16 28 8", 4}, {"5 15 25 35 10 20", 5}, {"10 20 30 40 60 10", 10}, {"7 13 19 23 29 31", 0}, {"8 8", 0},
	} {
		var list []string
		for value := range strings.FieldsSeq(c.values) {
			list = append(list, `{"value":`+value+`,"amount":1}`)
		}
		if got := read(t, `,"distances":[`+strings.Join(list, ",")+`]`).Branding.Spacing.BaseUnit; got != c.want {
			t.Errorf("unit of %s is %v, want %v", c.values, got, c.want)
		}
	}
}

var (
	validColour  = regexp.MustCompile(`^#[0-9A-F]{6}$`)
	validAddress = regexp.MustCompile(`^(https?://|data:image/)`)
)

// Whatever a page makes the script say, what comes out of it is fit to be shown.
func FuzzRead(f *testing.F) {
	goldens, _ := filepath.Glob("testdata/measured/*.json")
	for _, file := range goldens {
		seed, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(seed)
	}
	f.Add([]byte(`{"measurement":1,"canvas":"#000000ff","icons":[{"rel":"icon","src":"https://a.example/i.svg","sizes":"9999999999999x1"}],"distances":[{"value":1e308,"amount":1e308}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		kit, err := brand.Read(data, "https://a.example/")
		if err != nil {
			return
		}
		b := kit.Branding
		for role, hex := range maps.All(b.Colors) {
			if !validColour.MatchString(hex) {
				t.Errorf("%s is %q", role, hex)
			}
		}
		for _, address := range []*string{b.Images.Logo, b.Images.Favicon, b.Images.OGImage} {
			if address != nil && !validAddress.MatchString(*address) {
				t.Errorf("address %q", *address)
			}
		}
		text, err := json.Marshal(b)
		if err != nil || len(text) > 600_000 {
			t.Fatalf("%d bytes, %v", len(text), err)
		}
	})
}
