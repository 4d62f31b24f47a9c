package api

import (
	"context"
	"maps"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trawlhq/trawl"
)

type searchInput struct {
	Body trawl.SearchRequest
}

// Validate reports what the schema cannot.
func (in *searchInput) Validate() []trawl.Issue { return in.Body.Validate() }

type (
	// SearchBody is the answer to POST /v2/search.
	SearchBody struct {
		Success
		ID          string     `json:"id" doc:"Id of the request." format:"uuid"`
		Data        SearchData `json:"data" doc:"What was found, by source."`
		CreditsUsed int64      `json:"creditsUsed" doc:"What the search and its scrapes cost."`
		Warning     string     `json:"warning,omitempty" doc:"What could not be done as asked."`
	}
	// SearchData has a list for each source that was asked for.
	SearchData struct {
		Web    *[]trawl.SearchResult `json:"web,omitempty" doc:"Pages, and their documents if they were scraped."`
		News   *[]trawl.SearchResult `json:"news,omitempty" doc:"News."`
		Images *[]trawl.SearchResult `json:"images,omitempty" doc:"Pictures."`
	}
)

// search answers POST /v2/search.
func (s *Server) search(ctx context.Context, in *searchInput) (*SearchBody, error) {
	if in.Body.ScrapeOptions != nil {
		if err := s.checkOptions(ctx, in.Body.ScrapeOptions); err != nil {
			return nil, within("scrapeOptions", err)
		}
	}
	found, err := s.Jobs.Search(ctx, s.order(ctx, ""), in.Body, s.scrapePage)
	if err != nil {
		return nil, err
	}
	answer := &SearchBody{Success: yes, ID: found.ID, CreditsUsed: found.Credits, Warning: found.Warning}
	for source, list := range map[string]**[]trawl.SearchResult{
		trawl.SourceWeb: &answer.Data.Web, trawl.SourceNews: &answer.Data.News, trawl.SourceImages: &answer.Data.Images,
	} {
		if results, asked := found.Groups[source]; asked {
			results = append([]trawl.SearchResult{}, results...)
			*list = &results
		}
	}
	return answer, nil
}

// searchChoice is a source or a category: its name, or an object with a type.
type searchChoice struct{}

func (searchChoice) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{{Type: huma.TypeString}, huma.SchemaFromType(r, reflect.TypeFor[trawl.SearchOption]())}}
}

// searchResult describes the one flat object that trawl.SearchResult becomes: a
// result, and after it the fields of its document.
type searchResult struct{}

// finding is a result without a document.
type finding struct {
	URL         string `json:"url" doc:"Address of the page."`
	Title       string `json:"title" doc:"Title of the page, of the news or of the picture."`
	Description string `json:"description,omitempty" doc:"What the page says about the query."`
	Snippet     string `json:"snippet,omitempty" doc:"What the news say about the query."`
	Date        string `json:"date,omitempty" doc:"When the news were published."`
	ImageURL    string `json:"imageUrl,omitempty" doc:"Address of the picture." format:"uri"`
	ImageWidth  int    `json:"imageWidth,omitempty" doc:"Width of the picture."`
	ImageHeight int    `json:"imageHeight,omitempty" doc:"Height of the picture."`
	Category    string `json:"category,omitempty" doc:"Which of the categories that were asked for the page belongs to."`
	Position    int    `json:"position" doc:"Counts the results of the source from 1."`
}

func (searchResult) Schema(r huma.Registry) *huma.Schema {
	if _, ok := r.Map()["SearchResult"]; !ok {
		result := huma.SchemaFromType(r, reflect.TypeFor[finding]())
		maps.Copy(result.Properties, huma.SchemaFromType(r, reflect.TypeFor[trawl.Document]()).Properties)
		r.Map()["SearchResult"] = result
	}
	return &huma.Schema{Ref: schemaPrefix + "SearchResult"}
}
