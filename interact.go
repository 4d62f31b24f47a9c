package trawl

import (
	"encoding/json"
	"time"
	"unicode/utf8"
)

// Languages of code that runs in a session.
const (
	LanguageNode   = "node"
	LanguagePython = "python"
	LanguageBash   = "bash" // lines of commands, which no shell reads
)

// Bounds of what runs in a session.
const (
	MaxCode            = 100_000 // bytes
	MaxInteractPrompt  = 10_000  // characters
	MaxExecuteTime     = 300     // seconds
	DefaultExecuteTime = 30
	PromptExecuteTime  = 120 // of a prompt that says nothing about its time

	// SessionPromptMinute is what every started minute of a session costs once words told
	// it what to do.
	SessionPromptMinute = 7
)

// ExecuteRequest is the body of POST /v2/browser/{id}/execute.
type ExecuteRequest struct {
	Code        string `json:"code" required:"true" doc:"What to run in the session." minLength:"1"`
	Language    string `json:"language,omitempty" doc:"bash for lines of agent-browser commands; node and python only where the server offers them." enum:"node,python,bash"`
	Timeout     int    `json:"timeout,omitempty" doc:"Seconds that it may take." minimum:"1" maximum:"300"`
	Origin      string `json:"origin,omitempty" doc:"Which client sent the request." maxLength:"1000"`
	Integration string `json:"integration,omitempty" doc:"Which integration sent the request." maxLength:"1000"`
}

// UnmarshalJSON decodes a request over the defaults.
func (r *ExecuteRequest) UnmarshalJSON(data []byte) error {
	type plain ExecuteRequest
	p := plain{Language: LanguageNode, Timeout: DefaultExecuteTime, Origin: "api"}
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = ExecuteRequest(p)
	return nil
}

// Validate reports what is wrong with the request beyond its schema.
func (r *ExecuteRequest) Validate() []Issue { return validateCode(r.Code) }

func validateCode(code string) []Issue {
	if len(code) > MaxCode {
		return []Issue{invalid("must have at most 100000 bytes", "code")}
	}
	return nil
}

// InteractRequest is the body of POST /v2/scrape/{id}/interact.
type InteractRequest struct {
	Code        string `json:"code,omitempty" doc:"What to run in the page of the scrape." minLength:"1"`
	Prompt      string `json:"prompt,omitempty" doc:"What to do in the page of the scrape, in words. Code comes first if both are given." minLength:"1"`
	Language    string `json:"language,omitempty" doc:"Of the code: bash for lines of agent-browser commands; node and python only where the server offers them." enum:"node,python,bash"`
	Timeout     int    `json:"timeout,omitempty" doc:"Seconds that it may take: 30 unless chosen, for a prompt 120." minimum:"1" maximum:"300"`
	TTL         int    `json:"ttl,omitempty" doc:"Seconds that the session may last, when it is started." minimum:"30" maximum:"3600"`
	ActivityTTL int    `json:"activityTtl,omitempty" doc:"Seconds without use after which the session is destroyed, when it is started." minimum:"10" maximum:"3600"`
	Existing    string `json:"existingSessionId,omitempty" doc:"Go on in this session of yours instead of a new one." format:"uuid"`
	Origin      string `json:"origin,omitempty" doc:"Which client sent the request." maxLength:"1000"`
	Integration string `json:"integration,omitempty" doc:"Which integration sent the request." maxLength:"1000"`
}

// UnmarshalJSON decodes a request over the defaults.
func (r *InteractRequest) UnmarshalJSON(data []byte) error {
	type plain InteractRequest
	p := plain{Language: LanguageNode, TTL: DefaultTTL, ActivityTTL: DefaultActivityTTL, Origin: "api"}
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = InteractRequest(p)
	return nil
}

// Validate reports what is wrong with the request beyond its schema.
func (r *InteractRequest) Validate() []Issue {
	switch {
	case r.Code == "" && r.Prompt == "":
		return []Issue{invalid("Either 'code' or 'prompt' must be provided.")}
	case utf8.RuneCountInString(r.Prompt) > MaxInteractPrompt:
		return []Issue{invalid("must have at most 10000 characters", "prompt")}
	}
	return validateCode(r.Code)
}

// Time is how long the request may take.
func (r *InteractRequest) Time() time.Duration {
	seconds := r.Timeout
	if seconds == 0 {
		seconds = DefaultExecuteTime
		if r.Code == "" {
			seconds = PromptExecuteTime
		}
	}
	return time.Duration(min(seconds, 285)) * time.Second // clients wait for 290
}

// SessionOrder is something that is to run in a session.
type SessionOrder struct {
	Language string
	Code     string
	Prompt   string // what to do in words, where there is no code
	Time     time.Duration
	CDPURL   string // where programs drive the same browser
	Base     string // address of the service, for that of files
}

// SessionCredits is what a session of a length costs at most.
func SessionCredits(length time.Duration) int64 {
	return int64((length+time.Minute-1)/time.Minute) * SessionMinute
}

// Execution is what ran in a session, and what came of it.
type Execution struct {
	Output    string // what a prompt came to, in words
	Stdout    string
	Result    string // of the last command
	Stderr    string
	ExitCode  int
	Killed    bool // its time was up
	Truncated bool // it printed more than is kept
}

// Failed reports whether it did not do what it should.
func (e *Execution) Failed() bool { return e.ExitCode != 0 || e.Killed }

// Fault is what to tell of one that failed; empty if it did not.
func (e *Execution) Fault() string {
	switch {
	case !e.Failed():
		return ""
	case e.Stderr != "":
		return e.Stderr
	}
	return "Execution failed"
}
