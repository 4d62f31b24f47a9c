package mcp

import (
	"context"
	"encoding/json"
	"errors"
)

// browserTools are about browsers that stay open.
var browserTools = []tool{
	{
		name: "firecrawl_interact", title: "Use a page", openWorld: true,
		about: "Go on in the browser of a scrape: describe in prompt what to do, or give code. Takes the scrapeId of an earlier scrape, or a url that is scraped first. " +
			"Returns what was printed, and the scrapeId for the next call. Close it with firecrawl_interact_stop.",
		route: "POST /v2/scrape/{id}/interact", fields: []string{"prompt", "code", "language", "timeout"}, run: interact,
		needs: func(s *Server) bool { return s.Browsers },
		own: func(d *spec) object {
			return with(nestedPage(d), object{
				"scrapeId": object{"type": "string", "minLength": 1, "description": "Id of a scrape, from metadata.scrapeId of its document."},
				"url":      object{"type": "string", "minLength": 1, "description": "Page to open first, instead of scrapeId."},
			})
		},
		translate: translateNested, output: with(truncatedMember, object{"scrapeId": text("Id of the scrape, for further calls.")}),
	},
	{
		name: "firecrawl_interact_stop", title: "Close a page", destructive: true, about: "Close the browser that firecrawl_interact opened.",
		route: "DELETE /v2/scrape/{id}/interact", path: map[string]string{"scrapeId": "id"}, required: []string{"scrapeId"},
		needs: func(s *Server) bool { return s.Browsers },
	},
	{
		name: "trawl_browser_open", title: "Start a remote browser", openWorld: true,
		about: "Start a browser that programs drive over the DevTools protocol (Playwright, Puppeteer) at cdpUrl, and that people can watch at liveViewUrl. " +
			"It costs credits by the minute until trawl_browser_close.",
		route: "POST /v2/browser", fields: []string{"ttl", "activityTtl", "profile"}, needs: func(s *Server) bool { return s.Browsers },
	},
	{
		name: "trawl_browser_list", title: "Remote browsers", readOnly: true, about: "Remote browsers of the team.",
		route: "GET /v2/browser", query: map[string]string{"status": "status"}, output: truncatedMember, needs: func(s *Server) bool { return s.Browsers },
	},
	{
		name: "trawl_browser_close", title: "Close a remote browser", destructive: true, about: "Close a remote browser. Returns how long it ran and what it cost.",
		route: "DELETE /v2/browser/{id}", path: map[string]string{argID: "id"}, required: []string{argID}, needs: func(s *Server) bool { return s.Browsers },
	},
}

// interact scrapes a page first if there is no scrape yet, and goes on in its browser.
func interact(ctx context.Context, c *call) ([]byte, error) {
	var id, address string
	options := map[string]json.RawMessage{}
	if err := errors.Join(c.take("scrapeId", &id), c.take("url", &address), c.take("scrapeOptions", &options)); err != nil {
		return nil, err
	}
	switch {
	case (id == "") == (address == ""):
		return nil, errors.New("give either scrapeId or url")
	case id != "" && len(options) > 0:
		return nil, errors.New("scrapeOptions goes with url only")
	case id == "":
		options["url"], _ = json.Marshal(address)
		var err error
		if id, err = c.scrapeFirst(ctx, options); err != nil {
			return nil, err
		}
	}
	body, err := c.post(ctx, "/v2/scrape/"+escaped(id)+"/interact", c.args)
	if err != nil {
		return nil, err
	}
	return withMember(body, "scrapeId", id)
}

// scrapeFirst scrapes a page and returns the id of the scrape.
func (c *call) scrapeFirst(ctx context.Context, request map[string]json.RawMessage) (string, error) {
	body, err := c.post(ctx, "/v2/scrape", request)
	if err != nil {
		return "", err
	}
	var scraped struct {
		Data struct {
			Metadata struct {
				ScrapeID string `json:"scrapeId"`
			}
		}
	}
	if err := json.Unmarshal(body, &scraped); err != nil || scraped.Data.Metadata.ScrapeID == "" {
		return "", errors.New("the page was scraped, but nothing of it was kept to go on from")
	}
	return scraped.Data.Metadata.ScrapeID, nil
}
