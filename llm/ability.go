package llm

import (
	"sync"
	"time"
)

// mode is a way to get JSON out of an endpoint.
type mode string

// The modes, from the most to the least reliable.
const (
	modeSchema mode = "json_schema" // response format with the schema
	modeTool   mode = "tool"        // a tool call that is forced
	modeObject mode = "json_object" // response format without the schema, which is in the prompt
	modeText   mode = "text"        // the prompt alone
)

// trait is something that an endpoint may turn out not to take.
type trait string

// Traits beside the modes.
const (
	traitTemperature         trait = "temperature"
	traitMaxTokens           trait = "max_tokens"
	traitMaxCompletionTokens trait = "max_completion_tokens"
	traitSystem              trait = "system role"
	traitLong                trait = "long questions"
)

// memory is how long a refusal is remembered. After that the endpoint is tried
// again, for it may have been updated.
const memory = time.Hour

// ability is what an endpoint was found not to take.
type ability struct {
	mu      sync.Mutex
	refused map[trait]time.Time // until when it is not tried
}

// refuse notes that the endpoint does not take something.
func (a *ability) refuse(t trait, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.refused == nil {
		a.refused = map[trait]time.Time{}
	}
	a.refused[t] = now.Add(memory)
}

// takes reports whether it is worth trying.
func (a *ability) takes(t trait, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return !now.Before(a.refused[t])
}

// modes returns the ways to put a request that are worth trying, in their order.
// The last is the prompt alone, which is all that a request for text needs.
func (c *Client) modes(r *Request) []mode {
	var candidates, modes []mode
	switch {
	case r.Schema != nil:
		candidates = []mode{modeSchema, modeTool, modeObject}
	case r.JSON:
		candidates = []mode{modeObject}
	}
	for _, m := range candidates {
		if c.ability.takes(trait(m), c.now()) {
			modes = append(modes, m)
		}
	}
	return append(modes, modeText)
}

// learn remembers a refusal and says so.
func (c *Client) learn(t trait) {
	c.log.Info("the language model's endpoint does not take something; doing without", "trait", string(t))
	c.ability.refuse(t, c.now())
}
