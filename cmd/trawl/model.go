package main

import (
	"fmt"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trawlhq/trawl/extract"
	"github.com/trawlhq/trawl/llm"
	"github.com/trawlhq/trawl/search"
)

// model is what understands pages, and what finds them on the web: as much of it
// as the settings name.
type model struct {
	extract *extract.Extractor // asks the language model, or does without
	search  search.Provider    // nil without a web search
	client  *llm.Client        // nil without a language model
	closers []func()
}

// model returns the language model and the web search of the settings.
func (o *options) model(log *slog.Logger) (*model, error) {
	m := &model{extract: &extract.Extractor{}}
	if o.LLMBaseURL != "" {
		client, err := llm.New(llm.Config{
			BaseURL: o.LLMBaseURL, APIKey: o.LLMAPIKey, Model: o.LLMModel, MaxTokens: o.LLMMaxTokens, Concurrency: o.LLMConcurrency, Log: log,
		})
		if err != nil {
			return nil, fmt.Errorf("set up language model: %w", err)
		}
		m.client, m.extract.Model = client, client
		m.closers = append(m.closers, client.Close)
	}
	if o.SearchURL != "" {
		searx, err := search.NewSearXNG(o.SearchURL, nil)
		if err != nil {
			m.close()
			return nil, fmt.Errorf("set up web search: %w", err)
		}
		m.search = searx
		m.closers = append(m.closers, searx.Close)
	}
	return m, nil
}

// ready reports whether there is a language model to ask.
func (m *model) ready() bool { return m.client != nil }

func (m *model) metrics() []prometheus.Collector {
	if m.client == nil {
		return nil
	}
	return m.client.Collectors()
}

func (m *model) close() {
	for _, closer := range m.closers {
		closer()
	}
}

// checkModel refuses half a language model.
func (o *options) checkModel() error {
	switch {
	case o.LLMBaseURL != "" && o.LLMModel == "":
		return refuse("llm-base-url", "needs TRAWL_LLM_MODEL too, the name of the model there")
	case o.LLMBaseURL == "" && o.LLMModel != "":
		return refuse("llm-model", "needs TRAWL_LLM_BASE_URL too, the address of the model")
	case o.LLMBaseURL == "" && o.LLMAPIKey != "":
		return refuse("llm-api-key", "needs TRAWL_LLM_BASE_URL and TRAWL_LLM_MODEL too")
	}
	return nil
}
