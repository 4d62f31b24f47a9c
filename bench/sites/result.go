package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/trawlhq/trawl/bench/score"
)

// result is what became of a site.
type result struct {
	name, start string
	references  []score.Reference
	crawled     job
	batch       job
	limit       int
	byCrawl     int               // references that the crawl came to
	markdown    map[string]string // of references, by their path
	scores      []score.Page
}

// crawl crawls the site, scrapes the references that are missing then, and scores
// them all. One that is missing still counts as a page of which nothing was found.
func (r *result) crawl(ctx context.Context, server *server, site *site, limit int) error {
	var err error
	r.limit, r.markdown = limit, map[string]string{}
	r.crawled, err = server.run(ctx, "/v2/crawl", map[string]any{
		"url": site.address(r.start), "limit": limit, "crawlEntireDomain": true, "scrapeOptions": map[string]any{"formats": []string{"markdown"}},
	})
	if err != nil {
		return fmt.Errorf("crawl from %s: %w", r.start, err)
	}
	missing := r.take(site, r.crawled)
	r.byCrawl = len(r.references) - len(missing)
	if len(missing) > 0 {
		r.batch, err = server.run(ctx, "/v2/batch/scrape", map[string]any{"urls": missing, "formats": []string{"markdown"}})
		if err != nil {
			return fmt.Errorf("batch of %d pages: %w", len(missing), err)
		}
		r.take(site, r.batch)
	}
	for _, ref := range r.references {
		r.scores = append(r.scores, score.Compare(score.Words(ref.Text), score.Words(score.Plain(r.markdown[ref.Path()]))))
	}
	return nil
}

// take keeps the documents of references and returns the addresses of those that
// are missing.
func (r *result) take(site *site, j job) []string {
	documents := map[string]string{}
	for _, d := range j.Data {
		documents[samePage(d.Metadata.SourceURL)] = d.Markdown
		documents[samePage(d.Metadata.URL)] = d.Markdown
	}
	var missing []string
	for _, ref := range r.references {
		address := site.address(ref.Path())
		if _, ok := r.markdown[ref.Path()]; ok {
			continue
		}
		if markdown, ok := documents[samePage(address)]; ok {
			r.markdown[ref.Path()] = markdown
		} else {
			missing = append(missing, address)
		}
	}
	return missing
}

// write writes the markdown of the references, OUT/ID.md.
func (r *result) write(out string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, ref := range r.references {
		markdown, ok := r.markdown[ref.Path()]
		if !ok {
			continue
		}
		if err := os.WriteFile(filepath.Join(out, ref.ID+".md"), []byte(markdown), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// count returns how many documents of the crawl are such.
func (r *result) count(such func(document) bool) int {
	n := 0
	for _, d := range r.crawled.Data {
		if such(d) {
			n++
		}
	}
	return n
}

func notFound(d document) bool { return d.Metadata.StatusCode >= 400 }

// isFile tells whether a document is no page. Files take longer: a PDF may have
// hundreds of pages.
func isFile(d document) bool {
	return !notFound(d) && !strings.HasPrefix(d.Metadata.ContentType, "text/html")
}

func printResults(w io.Writer, results []result) {
	fmt.Fprintln(w, "| site | crawled | files | not found | failed | pages/s | references | by the crawl | by a batch | missing | "+score.Header+" |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	all := result{name: "**all**"}
	seconds := 0.0
	for _, r := range results {
		r.print(w, r.crawled.pagesPerSecond())
		seconds += r.crawled.CompletedAt.Sub(r.crawled.CreatedAt).Seconds()
		all.add(r)
	}
	all.print(w, float64(all.crawled.Completed)/max(seconds, .001))
	for _, r := range results {
		r.printNotes(w)
	}
}

// add sums up what is printed.
func (r *result) add(other result) {
	r.references = append(r.references, other.references...)
	r.byCrawl += other.byCrawl
	r.scores = append(r.scores, other.scores...)
	r.crawled.Completed += other.crawled.Completed
	r.crawled.Data = append(r.crawled.Data, other.crawled.Data...)
	r.crawled.failures = append(r.crawled.failures, other.crawled.failures...)
	r.batch.Completed += other.batch.Completed
	r.batch.failures = append(r.batch.failures, other.batch.failures...)
}

func (r *result) print(w io.Writer, pace float64) {
	missing := len(r.references) - r.byCrawl - r.batch.Completed
	fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %.0f | %d | %d | %d | %d | %v |\n", r.name, r.crawled.Completed, r.count(isFile), r.count(notFound),
		len(r.crawled.failures)+len(r.batch.failures), pace, len(r.references), r.byCrawl, r.batch.Completed, missing, score.MeanOf(r.scores))
}

// printNotes says where the crawl began, why it ended and what failed.
func (r *result) printNotes(w io.Writer) {
	end := "no more links"
	if r.crawled.Total >= r.limit {
		end = "the limit"
	}
	fmt.Fprintf(w, "\n%s: from %s until %s, in %.1f s\n", r.name, r.start, end, r.crawled.CompletedAt.Sub(r.crawled.CreatedAt).Seconds())
	if n := len(r.crawled.blocked); n > 0 {
		fmt.Fprintf(w, "  forbidden by robots.txt: %d, such as %s\n", n, r.crawled.blocked[0])
	}
	for i, f := range append(r.batch.failures, r.crawled.failures...) {
		if i == 10 {
			fmt.Fprintln(w, "  …")
			break
		}
		fmt.Fprintf(w, "  %s: %s %s\n", f.URL, f.Code, f.Error)
	}
}
