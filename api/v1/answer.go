package v1

import "encoding/json"

// Answers whose form is another than in the second version.
type (
	// SiteMap is the answer to POST /v1/map.
	SiteMap struct {
		Success bool     `json:"success"`
		Links   []string `json:"links"`
		Warning string   `json:"warning,omitempty"`
	}
	// Results is the answer to POST /v1/search: results with the fields of their
	// documents.
	Results struct {
		Success bool              `json:"success"`
		Data    []json.RawMessage `json:"data"`
		Warning string            `json:"warning,omitempty"`
	}
	// StartedExtract is the answer to POST /v1/extract.
	StartedExtract struct {
		Success  bool      `json:"success"`
		ID       string    `json:"id"`
		URLTrace []string  `json:"urlTrace"` // always empty
		Invalid  *[]string `json:"invalidURLs,omitempty"`
		Warning  string    `json:"warning,omitempty"`
	}
	// Usage is the answer to GET /v1/team/credit-usage and token-usage.
	Usage[T Credits | Tokens] struct {
		Success bool `json:"success"`
		Data    T    `json:"data"`
	}
	// Credits are what a team has left.
	Credits struct {
		Remaining int64 `json:"remaining_credits"`
		Plan      int64 `json:"plan_credits"`
	}
	// Tokens are the same in tokens.
	Tokens struct {
		Remaining int64 `json:"remaining_tokens"`
		Plan      int64 `json:"plan_tokens"`
	}
)
