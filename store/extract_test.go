package store_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// extract is a job that looks for its pages.
func extract(team trawl.Team) store.NewJob {
	job := newJob(team, trawl.KindExtract)
	job.URL, job.Discover = site, true
	return job
}

// read is a page of an extract that a language model has read.
func read(job store.NewJob, number, tokens int64) store.FinishedPage {
	item := done(job, number)
	item.Document.Tokens = tokens
	return item
}

// answered is a conclusion with the text as its answer.
func (r *rig) answered(t testing.TB, text string, tokens int64) store.Conclusion {
	t.Helper()
	return store.Conclusion{Head: must[store.Packed](t)(r.Pack([]byte(text))), Size: len(text), Tokens: tokens}
}

func (r *rig) conclude(t testing.TB, job store.NewJob, c store.Conclusion) {
	t.Helper()
	if err := r.Conclude(context.Background(), job.TeamID, job.ID, c); err != nil {
		t.Fatal(err)
	}
}

// found says that these are all the pages of a job.
func (r *rig) found(t testing.TB, job store.NewJob, paths ...string) {
	t.Helper()
	if err := r.AddLinks(context.Background(), job.TeamID, job.ID, links(paths...), true, nil); err != nil {
		t.Fatal(err)
	}
}

// begin creates a job, also for a team that could not afford to reserve for it.
func (r *rig) begin(t testing.TB, job store.NewJob) store.NewJob {
	t.Helper()
	const loan = 1000
	r.exec(t, "UPDATE teams SET credits = credits + $2 WHERE id = $1", job.TeamID, loan)
	r.create(t, job)
	r.exec(t, "UPDATE teams SET credits = credits - $2 WHERE id = $1", job.TeamID, loan)
	return job
}

// concluding is an extract of so many pages which all are done, for nothing.
func (r *rig) concluding(t testing.TB, job store.NewJob, pages int) store.NewJob {
	t.Helper()
	job.Discover, job.Pages = false, targets(pages)
	r.begin(t, job)
	for n := range pages {
		item := done(job, int64(n+1))
		item.Document.Credits = 0
		r.finish(t, item)
	}
	r.wantConclusions(t, job, 1)
	return job
}

// count returns how many tasks of a kind a job was given.
func (r *rig) count(t testing.TB, job store.NewJob, kind string) (n int) {
	t.Helper()
	for _, task := range r.tasks(t, job) {
		if task.kind == kind && task.queue == store.QueueExtract {
			n++
		}
	}
	return n
}

func (r *rig) wantConclusions(t testing.TB, job store.NewJob, want int) {
	t.Helper()
	if got := r.count(t, job, store.ConcludeTask{}.Kind()); got != want {
		t.Errorf("%d tasks conclude the job, want %d", got, want)
	}
}

func (r *rig) wantAnswer(t testing.TB, job store.NewJob, want string) {
	t.Helper()
	result, err := r.Conclusion(context.Background(), job.ID)
	if want == "" {
		wantCode(t, err, trawl.CodeNotFound)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := must[[]byte](t)(r.JSON(result)); string(got) != want || result.Size != len(want) {
		t.Errorf("the answer is %.80s of %d bytes, want %.80s", got, result.Size, want)
	}
}

// wantPrice compares what a job took and what it cost, by all who count.
func (r *rig) wantPrice(t testing.TB, job store.NewJob, tokens, credits int64) {
	t.Helper()
	if got := r.view(t, job); got.Tokens != tokens || got.Credits != credits {
		t.Errorf("the job took %d tokens and %d credits, want %d and %d", got.Tokens, got.Credits, tokens, credits)
	}
	for _, table := range []string{"ledger", "daily_usage"} {
		if got := r.number(t, "SELECT CAST(COALESCE(SUM(credits), 0) AS BIGINT) FROM "+table+" WHERE team_id = $1", job.TeamID); got != credits {
			t.Errorf("%d credits in %s, want %d", got, table, credits)
		}
	}
}

func TestExtract(t *testing.T) {
	conformCases(t, []jobCase{
		{"from its pages to the answer", func(t *testing.T, r *rig) {
			ctx := context.Background()
			crew := r.crew(t, 9, 100)
			job := r.create(t, extract(crew))
			want := []task{{"discover", store.QueueExtract, nil}}
			if got := r.tasks(t, job); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("tasks %v, want %v", got, want)
			}
			r.wantJob(t, job, trawl.StateScraping, 0, 0, 0)
			r.found(t, job, "a", "b", "c")
			r.wantRunning(t, job, 1, 2, 3)
			r.finish(t, read(job, 2, 31), failed(job, 1))
			r.wantConclusions(t, job, 0)

			last := []store.FinishedPage{done(job, 3)}
			for range 2 {
				if over := must[[]string](t)(r.FinishPages(ctx, last)); len(over) != 0 {
					t.Errorf("%v are over", over)
				}
			}
			r.wantJob(t, job, trawl.StateScraping, 3, 2, 1)
			r.wantConclusions(t, job, 1)
			r.wantAnswer(t, job, "")

			r.conclude(t, job, r.answered(t, `{"a":1}`, 30))
			r.wantJob(t, job, trawl.StateCompleted, 3, 2, 1)
			r.wantAnswer(t, job, `{"a":1}`)
			r.wantPrice(t, job, 61, 5+1)
			if got := balance(t, r.Store, crew.Name); got != 94 {
				t.Errorf("balance %d, want 94", got)
			}
			if n := r.count(t, job, store.DiscoverTask{}.Kind()); n != 1 {
				t.Errorf("%d tasks look for pages", n)
			}
			r.wantConclusions(t, job, 1)
			list := must[[]store.Result](t)(r.Results(ctx, job.ID, 0, 10, 1<<20))
			if len(list) != 2 || list[0].Page != 2 || list[1].Page != 3 {
				t.Errorf("documents %+v", list)
			}
		}},
		{"pages that the request named", func(t *testing.T, r *rig) {
			job := extract(r.crew(t, 9, -1))
			job.Pages = []store.Target{{URL: site, Identity: site}}
			r.begin(t, job)
			r.finish(t, read(job, 1, 1))
			if n := r.count(t, job, store.DiscoverTask{}.Kind()); n != 1 {
				t.Errorf("%d tasks look for pages", n)
			}
			r.wantConclusions(t, job, 0)
			r.found(t, job, "", "a")
			r.finish(t, done(job, r.pages(t, job)[0].Number))
			r.wantJob(t, job, trawl.StateScraping, 2, 2, 0)
			r.wantConclusions(t, job, 1)
			r.wantConclusions(t, r.concluding(t, extract(r.crew(t, 9, -1)), 3), 1)
		}},
		{"nothing is found", func(t *testing.T, r *rig) {
			job := r.create(t, extract(r.crew(t, 9, -1)))
			r.found(t, job)
			r.wantConclusions(t, job, 1)
			r.conclude(t, job, r.answered(t, `{}`, 0))
			r.wantJob(t, job, trawl.StateCompleted, 0, 0, 0)
			r.wantAnswer(t, job, `{}`)
		}},
		// A task that has ended may run once more if its node dies at that moment.
		{"what comes late adds no page", func(t *testing.T, r *rig) {
			job := r.create(t, extract(r.crew(t, 9, -1)))
			r.found(t, job, "a")
			r.found(t, job, "b")
			r.finish(t, done(job, 1))
			r.found(t, job, "c")
			err := r.AddLinks(context.Background(), job.TeamID, job.ID, nil, true, &store.Failure{Code: trawl.CodeSite, Text: "down"})
			if err != nil {
				t.Fatal(err)
			}
			r.wantJob(t, job, trawl.StateScraping, 1, 1, 0)
			r.wantConclusions(t, job, 1)
		}},
		{"an unknown one is named", func(t *testing.T, r *rig) {
			ctx := context.Background()
			crew := r.crew(t, 9, -1)
			job := r.concluding(t, extract(crew), 1)
			_, err := r.Job(ctx, r.crew(t, 9, -1).ID, job.Kind, job.ID)
			cancel := r.CancelJob(ctx, crew.ID, job.Kind, uuid.NewString())
			for _, err := range []error{err, cancel} {
				wantCode(t, err, trawl.CodeNotFound)
				if !strings.Contains(fmt.Sprint(err), "Extract job not found") {
					t.Errorf("got %v", err)
				}
			}
			r.conclude(t, job, r.answered(t, `{}`, 0))
			err = r.CancelJob(ctx, crew.ID, job.Kind, job.ID)
			wantCode(t, err, trawl.CodeConflict)
			if !strings.Contains(fmt.Sprint(err), "Extract is already completed") {
				t.Errorf("got %v", err)
			}
		}},
		{"its events", func(t *testing.T, r *rig) {
			crew := r.crew(t, 9, -1)
			job := r.concluding(t, hooked(extract(crew)), 2)
			r.wantEvents(t, job, "extract.started")
			r.conclude(t, job, r.answered(t, `{}`, 0))
			r.wantEvents(t, job, "extract.started", "extract.completed")
			job = r.concluding(t, hooked(extract(crew), "page", "failed"), 2)
			r.conclude(t, job, store.Conclusion{Failure: &store.Failure{Code: trawl.CodeModel, Text: "no"}})
			r.wantEvents(t, job, "extract.failed")
		}},
	})
}

func TestConclude(t *testing.T) {
	conformCases(t, []jobCase{
		{"once", func(t *testing.T, r *rig) {
			crew := r.crew(t, 9, 100)
			job := extract(crew)
			job.Warning = "careful"
			job = r.concluding(t, job, 1)
			first := r.answered(t, `{"a":1}`, 16)
			first.Warning = "very"
			r.conclude(t, job, first)
			r.conclude(t, job, r.answered(t, `{"a":2}`, 500))
			r.conclude(t, job, store.Conclusion{Failure: &store.Failure{Text: "no"}, Warning: "late"})
			r.wantJob(t, job, trawl.StateCompleted, 1, 1, 0)
			r.wantAnswer(t, job, `{"a":1}`)
			r.wantPrice(t, job, 16, 2)
			if got := r.view(t, job); got.Warning != "careful very" || got.Error != "" {
				t.Errorf("job %+v", got)
			}
		}},
		{"with a failure costs nothing", func(t *testing.T, r *rig) {
			job := r.concluding(t, extract(r.crew(t, 9, 100)), 2)
			c := r.answered(t, `{"a":1}`, 500)
			c.Failure, c.Warning = &store.Failure{Code: trawl.CodeModel, Text: "the model is away"}, "careful"
			r.conclude(t, job, c)
			r.wantJob(t, job, trawl.StateFailed, 2, 2, 0)
			r.wantAnswer(t, job, "")
			r.wantPrice(t, job, 0, 0)
			if got := r.view(t, job); got.Error != "the model is away" || got.Warning != "careful" {
				t.Errorf("job %+v", got)
			}
		}},
		{"without the credits for it", func(t *testing.T, r *rig) {
			crew := r.crew(t, 9, 3)
			job := extract(crew)
			job.Discover, job.Pages = false, targets(1)
			r.begin(t, job)
			r.finish(t, read(job, 1, 20)) // which leaves one credit, and ten tokens that are paid
			r.conclude(t, job, r.answered(t, `{}`, 26))
			r.wantJob(t, job, trawl.StateFailed, 1, 1, 0)
			r.wantAnswer(t, job, "")
			r.wantPrice(t, job, 20, 2)
			if got := r.view(t, job).Error; got != trawl.InsufficientCredits().Message {
				t.Errorf("error %q", got)
			}
			job.ID = uuid.Must(uuid.NewV7()).String()
			r.begin(t, job)
			r.finish(t, read(job, 1, 14))
			r.conclude(t, job, r.answered(t, `{}`, 1)) // and this costs nothing more
			r.wantJob(t, job, trawl.StateCompleted, 1, 1, 0)
			r.wantAnswer(t, job, `{}`)
			if got := balance(t, r.Store, crew.Name); got != 0 {
				t.Errorf("balance %d", got)
			}
		}},
		{"of a job that was stopped", func(t *testing.T, r *rig) {
			ctx := context.Background()
			crew := r.crew(t, 9, 100)
			for _, pages := range []int{0, 1} { // that are not done
				job := extract(crew)
				job.Discover, job.Pages = false, targets(1+pages)
				cancelled := r.begin(t, job)
				job.ID = uuid.Must(uuid.NewV7()).String()
				failing := r.begin(t, job)
				r.finish(t, failed(cancelled, 1), failed(failing, 1))
				if err := r.CancelJob(ctx, crew.ID, cancelled.Kind, cancelled.ID); err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if err := r.FailJob(ctx, crew.ID, failing.ID, store.Failure{Code: trawl.CodeSite, Text: "down"}); err != nil {
						t.Fatal(err)
					}
				}
				for _, job := range []store.NewJob{cancelled, failing} {
					r.conclude(t, job, r.answered(t, `{}`, 50))
					r.finish(t, done(job, 2))
					r.wantAnswer(t, job, "")
					r.wantPrice(t, job, 0, 0)
					r.wantConclusions(t, job, 1-pages)
				}
				if err := r.FailJob(ctx, crew.ID, cancelled.ID, store.Failure{Text: "late"}); err != nil {
					t.Fatal(err)
				}
				r.wantJob(t, cancelled, trawl.StateCancelled, 1, 0, 1)
				r.wantJob(t, failing, trawl.StateFailed, 1, 0, 1)
				if got, late := r.view(t, failing).Error, r.view(t, cancelled).Error; got != "down" || late != "" {
					t.Errorf("errors %q and %q", got, late)
				}
			}
		}},
		{"for the right team", func(t *testing.T, r *rig) {
			job, other := r.concluding(t, extract(r.crew(t, 9, -1)), 1), r.crew(t, 9, -1)
			if err := r.Conclude(context.Background(), other.ID, job.ID, r.answered(t, `{}`, 50)); err != nil {
				t.Fatal(err)
			}
			if err := r.FailJob(context.Background(), other.ID, job.ID, store.Failure{Text: "no"}); err != nil {
				t.Fatal(err)
			}
			r.wantJob(t, job, trawl.StateScraping, 1, 1, 0)
			r.wantAnswer(t, job, "")
		}},
		// The database fails after the price was taken; the caller tries again.
		{"repeats after a failure", func(t *testing.T, r *rig) {
			crew := r.crew(t, 9, 1)
			job := r.concluding(t, extract(crew), 1)
			c := r.answered(t, `{}`, 15)
			r.exec(t, "ALTER TABLE results RENAME TO results_away")
			err := r.Conclude(context.Background(), crew.ID, job.ID, c)
			r.exec(t, "ALTER TABLE results_away RENAME TO results")
			if err == nil {
				t.Fatal("there was no failure")
			}
			r.wantJob(t, job, trawl.StateScraping, 1, 1, 0)
			r.wantPrice(t, job, 0, 0)
			r.conclude(t, job, c)
			r.wantJob(t, job, trawl.StateCompleted, 1, 1, 0)
			r.wantPrice(t, job, 15, 1)
		}},
		{"while it is cancelled", func(t *testing.T, r *rig) {
			ctx := context.Background()
			for range 5 {
				crew := r.crew(t, 9, 100)
				job := r.concluding(t, hooked(extract(crew)), 1)
				c := r.answered(t, `{}`, 15)
				codes := atOnce(t, 6, func(i int) error {
					if i%2 == 0 {
						return r.CancelJob(ctx, crew.ID, job.Kind, job.ID)
					}
					return r.Conclude(ctx, crew.ID, job.ID, c)
				})
				if r.view(t, job).State == trawl.StateCancelled {
					wantCount(t, codes, map[trawl.Code]int{"": 6})
					r.wantAnswer(t, job, "")
					r.wantPrice(t, job, 0, 0)
					r.wantEvents(t, job, "extract.started", "extract.cancelled")
					continue
				}
				wantCount(t, codes, map[trawl.Code]int{"": 3, trawl.CodeConflict: 3})
				r.wantAnswer(t, job, `{}`)
				r.wantPrice(t, job, 15, 1)
				r.wantEvents(t, job, "extract.started", "extract.completed")
			}
		}},
	})
}

func TestBigConclusion(t *testing.T) {
	conformCases(t, []jobCase{{"stays and goes with its job", func(t *testing.T, r *rig) {
		job := r.concluding(t, extract(r.crew(t, 9, -1)), 1)
		big := longText(1 << 20)
		r.conclude(t, job, r.answered(t, big, 1))
		r.conclude(t, job, r.answered(t, big, 1)) // leaves an orphan
		if stats := r.sweep(t, 3*time.Hour); stats.Orphans != 1 {
			t.Errorf("swept %+v", stats)
		}
		r.wantAnswer(t, job, big)
		r.clock.Advance(21 * time.Hour)
		r.wantGone(t, job, "Job expired")
		if stats := r.sweep(t, 0); stats.Jobs != 1 || len(blobIDs(t, r.env)) != 0 {
			t.Errorf("swept %+v, blobs %v", stats, blobIDs(t, r.env))
		}
		r.wantAnswer(t, job, "")
		r.wantGone(t, job, "Job expired")
		r.sweep(t, 24*time.Hour)
		r.wantGone(t, job, "Extract job not found")
	}}})
}

// The price of an extract depends on what its pages took, and not on the order or
// the portions in which they were finished.
func TestExtractPriceIsExact(t *testing.T) {
	conformCases(t, []jobCase{{"for any course", func(t *testing.T, r *rig) {
		random := rand.New(rand.NewPCG(8, 8))
		for range 25 {
			crew := r.crew(t, 50, random.Int64N(60))
			job := extract(crew)
			job.Discover, job.Pages = false, targets(1+random.IntN(12))
			r.begin(t, job)
			items := r.course(t, random, job)
			var done []store.FinishedPage
			for some := range slices.Chunk(items, 1+random.IntN(4)) {
				r.finish(t, some...)
				r.finish(t, some[:1]...)
				done = append(done, some...)
				r.wantExact(t, crew, job, done, 0)
			}
			tokens := random.Int64N(50)
			r.conclude(t, job, r.answered(t, `{}`, tokens))
			got := r.view(t, job)
			if got.State != trawl.StateCompleted {
				tokens = 0
			}
			r.wantExact(t, crew, job, done, tokens)
			if got.State == trawl.StateFailed && got.Error != trawl.InsufficientCredits().Message {
				t.Errorf("job %+v", got)
			}
			if _, err := r.Conclusion(context.Background(), job.ID); (err == nil) != (got.State == trawl.StateCompleted) {
				t.Errorf("a %s job: %v", got.State, err)
			}
		}
	}}})
}

// course is what may become of the pages of a job, in any order.
func (r *rig) course(t testing.TB, random *rand.Rand, job store.NewJob) (items []store.FinishedPage) {
	t.Helper()
	for _, page := range r.pages(t, job) {
		item := read(job, page.Number, random.Int64N(40))
		switch random.IntN(4) {
		case 0:
			item.Document.Tokens = 0
			item.Document.Credits = random.Int64N(3)
		case 1:
			item = failed(job, page.Number)
		}
		items = append(items, item)
	}
	random.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	return items
}

// wantExact adds up what the pages with a document took, and a number of tokens
// beside them, and compares that with what was paid.
func (r *rig) wantExact(t testing.TB, crew trawl.Team, job store.NewJob, items []store.FinishedPage, tokens int64) {
	t.Helper()
	stored := map[int64]bool{}
	for _, result := range must[[]store.Result](t)(r.Results(context.Background(), job.ID, 0, 100, 1<<20)) {
		stored[result.Page] = true
	}
	var flat int64
	for _, item := range items {
		switch d := item.Document; {
		case !stored[item.Number]:
		case d.Tokens > 0:
			tokens += d.Tokens
		default:
			flat += d.Credits
		}
	}
	price := (tokens+14)/15 + flat
	r.wantPrice(t, job, tokens, price)
	if got := balance(t, r.Store, crew.Name); got != *crew.Credits-price {
		t.Errorf("a balance of %d is left of %d, after %d credits", got, *crew.Credits, price)
	}
}

// Only an extract is paid by its tokens.
func TestTokensOfOtherJobs(t *testing.T) {
	conformCases(t, []jobCase{{"cost nothing", func(t *testing.T, r *rig) {
		job := r.create(t, batch(r.crew(t, 9, 100), 2))
		r.finish(t, read(job, 1, 500), done(job, 2))
		r.wantJob(t, job, trawl.StateCompleted, 2, 2, 0)
		r.wantPrice(t, job, 0, 2)
		r.wantConclusions(t, job, 0)
	}}})
}

func TestExtractPayment(t *testing.T) {
	conformCases(t, []jobCase{{"a page that is not covered ends the job", func(t *testing.T, r *rig) {
		job := extract(r.crew(t, 9, 3))
		job.Discover, job.Pages = false, targets(4)
		r.begin(t, job)
		r.finish(t, read(job, 1, 40), read(job, 2, 6), read(job, 3, 5))
		r.wantJob(t, job, trawl.StateFailed, 3, 2, 1) // the third fits into what the first has paid
		r.wantPrice(t, job, 45, 3)
		r.wantConclusions(t, job, 0)
		list, _, err := r.PageErrors(context.Background(), job.ID)
		if err != nil || len(list) != 1 || list[0].URL != site+"batch/2" || list[0].Code != trawl.CodePayment {
			t.Errorf("errors %+v, %v", list, err)
		}
	}}})
}

// A balance has room for as many extracts at a time as it can reserve for.
func TestExtractsReserve(t *testing.T) {
	conformCases(t, []jobCase{{"their share of the balance", func(t *testing.T, r *rig) {
		crew := r.crew(t, 9, 2*trawl.ExtractReserve+5)
		first := r.create(t, extract(crew))
		r.create(t, extract(crew))
		wantCode(t, r.CreateJob(context.Background(), extract(crew)), trawl.CodePayment)
		if err := r.FailJob(context.Background(), crew.ID, first.ID, store.Failure{Text: "over"}); err != nil {
			t.Fatal(err)
		}
		r.create(t, extract(crew))
		r.create(t, batch(crew, 1))
	}}})
}

func TestFailedExtractIsPaidBack(t *testing.T) {
	fails := map[string]func(t *testing.T, r *rig, job store.NewJob){
		"by its conclusion": func(t *testing.T, r *rig, job store.NewJob) {
			r.conclude(t, job, store.Conclusion{Tokens: 70, Failure: &store.Failure{Text: "does not fit"}})
		},
		"before": func(t *testing.T, r *rig, job store.NewJob) {
			if err := r.FailJob(context.Background(), job.TeamID, job.ID, store.Failure{Text: "out of time"}); err != nil {
				t.Fatal(err)
			}
		},
	}
	var cases []jobCase
	for name, fail := range fails {
		cases = append(cases, jobCase{name, func(t *testing.T, r *rig) {
			for _, credits := range []int64{50, -1} {
				crew := r.crew(t, 9, credits)
				job := extract(crew)
				job.Discover, job.Pages = false, targets(2)
				r.begin(t, job)
				r.finish(t, read(job, 1, 40), done(job, 2))
				r.wantPrice(t, job, 40, 4)
				fail(t, r, job)
				r.wantJob(t, job, trawl.StateFailed, 2, 2, 0)
				r.wantPrice(t, job, 0, 0)
				if credits >= 0 && balance(t, r.Store, crew.Name) != credits {
					t.Errorf("%d of %d credits are left", balance(t, r.Store, crew.Name), credits)
				}
			}
		}})
	}
	conformCases(t, cases)
}

func (r *rig) keep(t testing.TB, job store.NewJob, key, body string) {
	t.Helper()
	if err := r.KeepAnswer(context.Background(), job.ID, key, []byte(body)); err != nil {
		t.Fatal(err)
	}
}

func (r *rig) wantKept(t testing.TB, job store.NewJob, key, want string, wantOK bool) {
	t.Helper()
	got, ok, err := r.Answer(context.Background(), job.ID, key)
	if err != nil || ok != wantOK || !bytes.Equal(got, []byte(want)) {
		t.Errorf("%s: kept %.80q, %v, %v; want %.80q, %v", key, got, ok, err, want, wantOK)
	}
}

func TestAnswers(t *testing.T) {
	conformCases(t, []jobCase{
		{"the first stays", func(t *testing.T, r *rig) {
			crew := r.crew(t, 9, -1)
			job, other := r.create(t, extract(crew)), r.create(t, extract(crew))
			r.wantKept(t, job, "a", "", false)
			long := longText(1 << 20)
			r.keep(t, job, "a", "first")
			r.keep(t, job, "a", "second")
			r.keep(t, job, "b", long)
			r.keep(t, job, "c", "")
			r.wantKept(t, job, "a", "first", true)
			r.wantKept(t, job, "b", long, true)
			r.wantKept(t, job, "c", "", true)
			r.wantKept(t, other, "a", "", false)
		}},
		{"at once", func(t *testing.T, r *rig) {
			job := r.create(t, extract(r.crew(t, 9, -1)))
			codes := atOnce(t, 8, func(i int) error {
				return r.KeepAnswer(context.Background(), job.ID, "key", []byte{byte('0' + i)})
			})
			wantCount(t, codes, map[trawl.Code]int{"": 8})
			first, ok, err := r.Answer(context.Background(), job.ID, "key")
			if !ok || err != nil || len(first) != 1 {
				t.Errorf("kept %q, %v, %v", first, ok, err)
			}
		}},
		{"not for a job that is over", func(t *testing.T, r *rig) {
			job := r.concluding(t, extract(r.crew(t, 9, -1)), 1)
			r.keep(t, job, "a", "in time")
			r.conclude(t, job, r.answered(t, `{}`, 0))
			r.keep(t, job, "b", "late")
			r.keep(t, extract(r.crew(t, 9, -1)), "nowhere", "unknown")
			r.wantKept(t, job, "a", "in time", true)
			r.wantKept(t, job, "b", "", false)
			r.sweep(t, 24*time.Hour)
			if n := r.number(t, "SELECT COUNT(*) FROM answers WHERE job_id = $1 OR key = 'nowhere'", job.ID); n != 0 {
				t.Errorf("%d answers are left", n)
			}
		}},
	})
}
