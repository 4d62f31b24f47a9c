package trawl

import "slices"

// Action types.
const (
	ActionWait       = "wait"
	ActionClick      = "click"
	ActionWrite      = "write"
	ActionPress      = "press"
	ActionScroll     = "scroll"
	ActionScreenshot = "screenshot"
	ActionScrape     = "scrape"
	ActionJavaScript = "executeJavascript"
	ActionPDF        = "pdf"
	ActionPDFAlias   = "generatePDF"
)

// Action is one step in a page before its content is read; which fields go with
// which type is in [ActionVariants].
type Action struct {
	Type         string    `json:"type" required:"true" doc:"Kind of action."`
	Milliseconds int64     `json:"milliseconds,omitempty" doc:"How long to wait." minimum:"1" maximum:"9007199254740991"`
	Selector     string    `json:"selector,omitempty" doc:"CSS selector of the element." minLength:"1" maxLength:"2000"`
	All          bool      `json:"all,omitempty" doc:"Click every match instead of the first."`
	Text         string    `json:"text,omitempty" doc:"What to type into the focused element." maxLength:"100000"`
	Key          string    `json:"key,omitempty" doc:"Name of the key, for example Enter." minLength:"1" maxLength:"100"`
	Direction    string    `json:"direction,omitempty" doc:"Where to scroll; down unless chosen." enum:"up,down"`
	FullPage     bool      `json:"fullPage,omitempty" doc:"The whole page instead of the viewport."`
	Quality      int       `json:"quality,omitempty" doc:"JPEG quality." minimum:"1" maximum:"100"`
	Viewport     *Viewport `json:"viewport,omitempty" doc:"Size of the window."`
	Script       string    `json:"script,omitempty" doc:"JavaScript to run in the page." minLength:"1" maxLength:"1000000"`
	Landscape    bool      `json:"landscape,omitempty" doc:"Turn the paper."`
	Scale        float64   `json:"scale,omitempty" doc:"Scale of the rendering; 1 unless chosen." minimum:"0.1" maximum:"2"`
	Format       string    `json:"format,omitempty" doc:"Paper size; Letter unless chosen." enum:"A0,A1,A2,A3,A4,A5,A6,Letter,Legal,Tabloid,Ledger"`
}

// ActionVariants lists the action types with their fields. The list is shared and
// must not be changed.
func ActionVariants() []Variant { return actionVariants }

var pdfFields = []string{"landscape", "scale", "format"}

var actionVariants = []Variant{
	{Type: ActionWait, Fields: []string{"milliseconds", "selector"}},
	{Type: ActionClick, Fields: []string{"selector", "all"}, Required: []string{"selector"}},
	{Type: ActionWrite, Fields: []string{"text"}, Required: []string{"text"}},
	{Type: ActionPress, Fields: []string{"key"}, Required: []string{"key"}},
	{Type: ActionScroll, Fields: []string{"direction", "selector"}},
	{Type: ActionScreenshot, Fields: []string{"fullPage", "quality", "viewport"}},
	{Type: ActionScrape},
	{Type: ActionJavaScript, Fields: []string{"script"}, Required: []string{"script"}},
	{Type: ActionPDF, Fields: pdfFields},
	{Type: ActionPDFAlias, Fields: pdfFields},
}

// waitMillis is what the action adds to the time spent waiting: a wait for an
// element counts as a second.
func (a *Action) waitMillis() int64 {
	switch {
	case a.Type != ActionWait:
		return 0
	case a.Selector != "":
		return 1000
	default:
		return min(a.Milliseconds, MaxWait+1)
	}
}

func validateActions(actions []Action) []Issue {
	if len(actions) > MaxActions {
		return []Issue{invalid("Number of actions cannot exceed 50", "actions")}
	}
	var issues []Issue
	for i, action := range actions {
		if !slices.ContainsFunc(actionVariants, func(v Variant) bool { return v.Type == action.Type }) {
			issues = append(issues, invalid("unknown action "+quote(action.Type), "actions", i, "type"))
		}
		if action.Type == ActionWait && (action.Milliseconds > 0) == (action.Selector != "") {
			issues = append(issues, invalid("Either 'milliseconds' or 'selector' must be provided, but not both.", "actions", i))
		}
	}
	return issues
}
