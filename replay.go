package trawl

import "slices"

// mostReplayWait is how long a page that is opened again is waited for, in milliseconds.
const mostReplayWait = 30_000

// Replay is what has to be done to open a page again as a scrape opened it.
type Replay struct {
	ScrapeID string `json:"-"`
	URL      string `json:"url"` // empty if the page cannot be opened again

	WaitFor   int64             `json:"waitFor,omitempty"`
	Actions   []Action          `json:"actions,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`
	Country   string            `json:"country,omitempty"`
	Languages []string          `json:"languages,omitempty"`
	Mobile    bool              `json:"mobile,omitempty"`
	SkipTLS   bool              `json:"skipTls,omitempty"`
	Enhanced  bool              `json:"enhanced,omitempty"`
	Profile   *Profile          `json:"profile,omitempty"`
}

// ReplayOf returns what a scrape of an address did in its page. Scripts of the caller
// are not run again, and what only makes a result is left out. A page that was not to be
// fetched, or whose address carries a password, which is never stored, cannot be opened again.
func ReplayOf(address string, o *ScrapeOptions) Replay {
	if o.Lockdown || CarriesPassword(address) {
		return Replay{}
	}
	r := Replay{
		URL: address, WaitFor: min(o.WaitFor, mostReplayWait), Headers: o.Headers, Country: o.Country(), Languages: o.Languages(),
		Mobile: o.Mobile, SkipTLS: o.SkipTLS(), Enhanced: o.UsesEnhanced(), Profile: o.Profile,
	}
	for _, a := range o.Actions {
		if slices.Contains([]string{ActionWait, ActionClick, ActionWrite, ActionPress, ActionScroll}, a.Type) {
			r.Actions = append(r.Actions, a)
		}
	}
	return r
}
