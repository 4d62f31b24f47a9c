package trawl

import "encoding/json"

// LiveOrder is what is wanted of a page that is open in a session.
type LiveOrder struct {
	Picture  bool // of what is seen of it
	FullPage bool // or of all of it
	Quality  int  // of a JPEG; 0 means a PNG
	Measure  string
}

// LivePage is a page as it is in a session, without being loaded again.
type LivePage struct {
	URL         string
	HTML        string
	Status      int // that it was served with; 0 if that is not known
	ContentType string
	Language    string
	Picture     []byte
	PictureType string
	Measured    json.RawMessage
}

// validateLive reports options that mean nothing for a page that is open already.
func (r *ScrapeRequest) validateLive() (issues []Issue) {
	refuse := func(set bool, name string) {
		if set {
			issues = append(issues, invalid("cannot be used with sessionId: the page is read as it is", name))
		}
	}
	refuse(r.URL != "", "url")
	refuse(r.WaitFor > 0, "waitFor")
	refuse(len(r.Actions) > 0, "actions")
	refuse(r.Location != nil, "location")
	refuse(r.Proxy != ProxyAuto, "proxy")
	refuse(r.Mobile, "mobile")
	refuse(len(r.Headers) > 0, "headers")
	refuse(r.MaxAge != nil, "maxAge")
	refuse(r.MinAge != nil, "minAge")
	refuse(r.Lockdown, "lockdown")
	refuse(r.Profile != nil, "profile")
	return issues
}
