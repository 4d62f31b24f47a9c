package extract_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/brand"
	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/llm/llmtest"
)

func brandKit() *brand.Kit {
	logo := "https://a.example/wrong.png"
	return &brand.Kit{
		Branding: trawl.Branding{
			ColorScheme: "light", BrandName: "Home", Logo: logo, Images: trawl.BrandImages{Logo: &logo},
			Colors:      map[string]string{"primary": "#111111", "background": "#FFFFFF"},
			Tone:        &trawl.BrandTone{EmojiUsage: "low"},
			Personality: &trawl.BrandPersonality{Tone: "modern", Energy: "low"},
			Components:  trawl.BrandComponents{ButtonPrimary: &trawl.BrandButton{Background: "#111111"}},
		},
		Names:   []string{"Home", "Acme"},
		Logos:   []brand.Logo{{URL: logo, About: "a photograph"}, {URL: "https://a.example/logo.svg", About: "links to the home page"}},
		Buttons: []brand.Button{{Label: "Menu", Look: trawl.BrandButton{Background: "#111111"}}, {Label: "Buy", Look: trawl.BrandButton{Background: "#FF5500"}}},
		Colors:  []brand.Color{{Hex: "#111111", Uses: "ground"}, {Hex: "#FF5500", Uses: "button"}},
	}
}

var brandSource = &extract.Source{URL: "https://a.example/", Title: "Home", Markdown: "# Acme\n\nWe sell anvils."}

func TestBrandWithoutModel(t *testing.T) {
	t.Parallel()
	kit := brandKit()
	b, tokens, warning, err := askBrand((&extract.Extractor{}), t.Context(), brandSource, kit)
	if err != nil || tokens != 0 || warning != "" || encode(t, b) != encode(t, kit.Branding) {
		t.Errorf("%v %d %q %v", encode(t, b), tokens, warning, err)
	}
}

// A model chooses among what was measured.
func TestBrandChooses(t *testing.T) {
	t.Parallel()
	x, server := withModel(t, always(llmtest.Text(`{"brandName":"Acme","logo":2,"buttonPrimary":2,"buttonSecondary":1,"primary":"#FF5500","accent":null,
		"tone":"bold","energy":"high","targetAudience":"coyotes","voice":"dry"}`)))
	kit := brandKit()
	before := encode(t, kit.Branding)
	b, tokens, warning, err := askBrand(x, t.Context(), brandSource, kit)
	if err != nil || warning != "" || tokens == 0 {
		t.Fatalf("%d %q %v", tokens, warning, err)
	}
	if b.BrandName != "Acme" || b.Logo != "https://a.example/logo.svg" || *b.Images.Logo != b.Logo || b.Colors["primary"] != "#FF5500" ||
		b.Components.ButtonPrimary.Background != "#FF5500" || b.Components.ButtonSecondary.Background != "#111111" ||
		*b.Personality != (trawl.BrandPersonality{Tone: "bold", Energy: "high", TargetAudience: "coyotes"}) || *b.Tone != (trawl.BrandTone{Voice: "dry", EmojiUsage: "low"}) {
		t.Errorf("branding is %s", encode(t, b))
	}
	if encode(t, kit.Branding) != before {
		t.Error("the kit was changed")
	}
	if call := server.Calls()[0]; !strings.Contains(call.User, "We sell anvils") || !strings.Contains(call.User, "“Buy”") {
		t.Errorf("the model was shown %s", call.User)
	}
}

// What was not measured does not get in, and a model that fails costs a warning.
func TestBrandKeepsMeasured(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		reply   llmtest.Reply
		warning bool
	}{
		{"invented name", llmtest.Text(`{"brandName":"Globex"}`), false},
		{"nothing", llmtest.Text(`{}`), false},
		{"colour that is not there", llmtest.Text(`{"primary":"#00FF00"}`), true},
		{"logo that is not there", llmtest.Text(`{"logo":3}`), true},
		{"prose", llmtest.Text(`I would rather not.`), true},
		{"refusal", llmtest.Reply{Status: 400, Body: `{"error":{"message":"no"}}`}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, _ := withModel(t, always(c.reply))
			b, _, warning, err := askBrand(x, t.Context(), brandSource, brandKit())
			if err != nil || (warning != "") != c.warning {
				t.Fatalf("warning %q, error %v", warning, err)
			}
			if want := encode(t, brandKit().Branding); encode(t, b) != want {
				t.Errorf("branding is %s, want %s", encode(t, b), want)
			}
		})
	}
}

func TestBrandCancelled(t *testing.T) {
	t.Parallel()
	x, _ := withModel(t, always(llmtest.Reply{Hang: true}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, _, err := askBrand(x, ctx, brandSource, brandKit()); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}
