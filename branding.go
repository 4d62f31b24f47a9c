package trawl

// Branding is how a site looks, as it was measured in the rendered page. What a page
// does not have is left out.
type Branding struct {
	ColorScheme string            `json:"colorScheme" doc:"Whether the page is light or dark." enum:"light,dark"`
	BrandName   string            `json:"brandName,omitempty" doc:"Name of the brand."`
	Logo        string            `json:"logo,omitempty" doc:"Address of the logo, or a data URI of it."`
	Colors      map[string]string `json:"colors" doc:"Colours by role, as #RRGGBB: primary, secondary, accent, background, textPrimary, textSecondary, link, success, warning, error."`
	Fonts       []BrandFont       `json:"fonts" doc:"Fonts of the page, the most used first."`
	Typography  BrandTypography   `json:"typography" doc:"How text is set."`
	Spacing     BrandSpacing      `json:"spacing" doc:"Distances and corners."`
	Components  BrandComponents   `json:"components" doc:"How buttons and fields look."`
	Icons       map[string]string `json:"icons" doc:"How icons are drawn: style, primaryColor."`
	Images      BrandImages       `json:"images" doc:"Pictures that stand for the brand."`
	Animations  map[string]string `json:"animations" doc:"How things move: transitionDuration, easing."`
	Layout      BrandLayout       `json:"layout" doc:"How the page is laid out."`
	Tone        *BrandTone        `json:"tone,omitempty" doc:"How the page speaks."`
	Personality *BrandPersonality `json:"personality,omitempty" doc:"What the page is like."`
}

// BrandFont is a font that the page uses.
type BrandFont struct {
	Family string `json:"family" doc:"Its name."`
	Role   string `json:"role,omitempty" doc:"What it is used for." enum:"heading,body,code,display"`
	Source string `json:"source,omitempty" doc:"Where the page has it from: web or system." enum:"web,system"`
}

// BrandTypography is how text is set.
type BrandTypography struct {
	FontFamilies map[string]string   `json:"fontFamilies" doc:"Families by role: primary, heading, code."`
	FontStacks   map[string][]string `json:"fontStacks" doc:"Families in order of preference, by role: primary, heading, body, code."`
	FontSizes    map[string]string   `json:"fontSizes" doc:"Sizes in pixels: h1, h2, h3, body, small."`
	FontWeights  map[string]int      `json:"fontWeights" doc:"Weights that are used: light, regular, medium, bold."`
	LineHeights  map[string]string   `json:"lineHeights" doc:"Heights of lines as multiples of the size: heading, body."`
}

// BrandSpacing is distances and corners, in pixels.
type BrandSpacing struct {
	BaseUnit     float64            `json:"baseUnit,omitempty" doc:"What most distances are multiples of."`
	BorderRadius string             `json:"borderRadius,omitempty" doc:"The usual radius of corners."`
	Padding      map[string]float64 `json:"padding,omitempty" doc:"Usual paddings: at the sides of button and input, on top of card and section."`
	Margins      map[string]float64 `json:"margins,omitempty" doc:"Usual margins: paragraph, heading, section."`
	GridGutter   float64            `json:"gridGutter,omitempty" doc:"Gap between columns."`
}

// BrandComponents is how buttons and fields look.
type BrandComponents struct {
	ButtonPrimary   *BrandButton `json:"buttonPrimary,omitempty" doc:"The most prominent button."`
	ButtonSecondary *BrandButton `json:"buttonSecondary,omitempty" doc:"The button beside it."`
	Input           *BrandInput  `json:"input,omitempty" doc:"A field for text."`
}

// BrandButton is how a button looks.
type BrandButton struct {
	Background   string `json:"background,omitempty" doc:"Colour of its ground, or transparent."`
	TextColor    string `json:"textColor,omitempty" doc:"Colour of its text."`
	BorderColor  string `json:"borderColor,omitempty" doc:"Colour of its border, if it has one."`
	BorderRadius string `json:"borderRadius,omitempty" doc:"Radius of its corners."`
}

// BrandInput is how a field looks.
type BrandInput struct {
	Background       string `json:"background,omitempty" doc:"Colour of its ground, or transparent."`
	TextColor        string `json:"textColor,omitempty" doc:"Colour of its text."`
	BorderColor      string `json:"borderColor,omitempty" doc:"Colour of its border."`
	FocusBorderColor string `json:"focusBorderColor,omitempty" doc:"The same while somebody types."`
	BorderRadius     string `json:"borderRadius,omitempty" doc:"Radius of its corners."`
}

// BrandImages is the pictures that stand for a brand.
type BrandImages struct {
	Logo    *string `json:"logo" doc:"The logo; null if none was found."`
	Favicon *string `json:"favicon" doc:"The icon of the site; null if it names none."`
	OGImage *string `json:"ogImage" doc:"The picture for previews; null if it names none."`
}

// BrandLayout is how a page is laid out, in pixels.
type BrandLayout struct {
	Grid         BrandGrid `json:"grid" doc:"Its columns."`
	HeaderHeight string    `json:"headerHeight,omitempty" doc:"Height of the header."`
	FooterHeight string    `json:"footerHeight,omitempty" doc:"Height of the footer."`
}

// BrandGrid is the columns of a page.
type BrandGrid struct {
	Columns  int    `json:"columns,omitempty" doc:"Most columns side by side."`
	MaxWidth string `json:"maxWidth,omitempty" doc:"Width that the content does not exceed."`
}

// BrandTone is how a page speaks.
type BrandTone struct {
	Voice      string `json:"voice,omitempty" doc:"Its voice, in a word."`
	EmojiUsage string `json:"emojiUsage,omitempty" doc:"How often it uses emoji." enum:"none,low,medium,high"`
}

// BrandPersonality is what a page is like.
type BrandPersonality struct {
	Tone           string `json:"tone" doc:"Its character." enum:"professional,playful,modern,traditional,minimalist,bold"`
	Energy         string `json:"energy" doc:"How lively it is." enum:"low,medium,high"`
	TargetAudience string `json:"targetAudience" doc:"For whom it is made; empty where only a language model could tell."`
}
