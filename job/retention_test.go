package job_test

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/llm/llmtest"
	"github.com/trawlhq/trawl/store"
	"github.com/trawlhq/trawl/store/storetest"
)

// mentions returns the files of a folder that contain a text.
func mentions(t testing.TB, dir, text string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		if bytes.Contains(body, []byte(text)) {
			files = append(files, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// onFolder opens a store for a while.
func onFolder(t *testing.T, dir string, do func(*testing.T, *store.Store)) {
	t.Helper()
	t.Run("open", func(t *testing.T) {
		do(t, openStore(t, dir))
	})
}

// A model that answers with prose may quote the page; under zero data retention that
// does not get into what is stored about the failure.
func TestZeroDataRetentionOfModels(t *testing.T) {
	t.Parallel()
	s, model := thinking(t)
	model.Handle(func(llmtest.Call) llmtest.Reply { return llmtest.Text("The page says: unspeakable words") })
	s.site.page("/a")
	for _, zero := range []bool{true, false} {
		batch := s.batchRequest("/a")
		batch.ZeroDataRetention = zero
		batch.Formats = []trawl.Format{{Type: trawl.FormatJSON, Prompt: "What does it say?"}}
		failed, _, err := s.Errors(t.Context(), s.batch(batch).ID)
		if err != nil || len(failed) != 1 || failed[0].Code != trawl.CodeModel || strings.Contains(failed[0].Text, "unspeakable") == zero {
			t.Errorf("zero data retention %v: %+v, %v", zero, failed, err)
		}
	}
}

func TestZeroDataRetention(t *testing.T) {
	t.Parallel()
	const secretPath, secretText = "/quiet-address", "Unspeakable words"
	dir := storetest.Folder(t)
	r := newReceiver(t, always(200))
	var team trawl.Team
	var ids []string
	onFolder(t, dir, func(t *testing.T, db *store.Store) {
		s := startOn(t, db)
		long := strings.Repeat("<p>Unspeakable words of many letters "+secretPath+"/inside.</p>", 6000)
		s.site.text("/", "text/html", linked("Unspeakable words", secretPath, secretPath+"/fails"))
		s.site.text(secretPath, "text/html", "<html><body><main><h1>Unspeakable words</h1>"+long+"</main></body></html>")
		s.site.redirect(secretPath+"/fails", secretPath+"/fails")
		zero := func(req *trawl.CrawlRequest) {
			req.ZeroDataRetention, req.Webhook = true, &trawl.Webhook{URL: r.URL}
		}
		j := s.crawl("/", zero)
		if _, err := s.Documents(t.Context(), &j, trawl.NewSecret(), 0, 10); trawl.ErrorCode(err) != trawl.CodeForbidden {
			t.Errorf("another key: %v", err)
		}
		if far := s.get(trawl.KindCrawl, j.ID).ExpiresAt; far.Before(time.Now().Add(time.Hour)) {
			t.Errorf("expires at %v though nobody has read it", far)
		}
		if j.Credits != 4 || !strings.Contains(j.Warning, "zero data retention") {
			t.Errorf("%+v", j)
		}
		for _, e := range r.until(t, "crawl.completed") {
			if strings.Contains(string(e.body), secretText) || e.Type == "crawl.page" && len(e.Data) != 1 {
				t.Errorf("%.500s", e.body)
			}
		}
		docs, err := s.Documents(t.Context(), &j, s.order.Secret, 0, 1)
		if err != nil || len(docs) != 1 {
			t.Fatal(docs, err)
		}
		if later := s.get(trawl.KindCrawl, j.ID).ExpiresAt; later.Before(time.Now().Add(time.Hour)) {
			t.Errorf("expires at %v though not all of it was read", later)
		}
		s.expect(j, trawl.StateCompleted, "/", secretPath)
		for _, doc := range s.documents(j) {
			if !strings.Contains(doc.Markdown, secretText) {
				t.Errorf("%.300s", doc.Markdown)
			}
		}
		if soon := s.get(trawl.KindCrawl, j.ID).ExpiresAt; soon.After(time.Now().Add(10 * time.Minute)) {
			t.Errorf("expires at %v", soon)
		}

		batch := s.batchRequest(secretPath, secretPath+"/fails")
		batch.ZeroDataRetention = true
		b := s.batch(batch)
		s.expect(b, trawl.StateCompleted, secretPath)
		ids, team = []string{j.ID, b.ID}, s.order.Caller.Team
		eventually(t, func() bool { return s.log(j.ID)[0].State == trawl.DeliveryDelivered })
	})
	if files := mentions(t, dir, secretText); len(files) != 0 {
		t.Errorf("%q contain the text of the page", files)
	}
	onFolder(t, dir, func(t *testing.T, db *store.Store) {
		if _, err := db.Sweep(t.Context(), time.Now().Add(10*time.Minute), 0); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			for _, kind := range []string{trawl.KindCrawl, trawl.KindBatch} {
				if j, err := db.Job(t.Context(), team.ID, kind, id); err == nil {
					t.Errorf("%+v", j)
				}
			}
		}
		if periods, err := db.Usage(t.Context(), team.ID, false); err != nil || len(periods) != 1 || periods[0].Credits != 6 {
			t.Errorf("%+v, %v", periods, err)
		}
	})
	if files := mentions(t, dir, secretPath); len(files) != 0 {
		t.Errorf("%q contain the address of the page", files)
	}
}

// TestRetention keeps what nobody forbids to keep, where a search finds it.
func TestRetention(t *testing.T) {
	t.Parallel()
	dir := storetest.Folder(t)
	onFolder(t, dir, func(t *testing.T, db *store.Store) {
		s := startOn(t, db)
		s.site.handle("/kept-address", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(linked("x")))
		})
		s.expect(s.crawl("/kept-address"), trawl.StateCompleted, "/kept-address")
	})
	if files := mentions(t, dir, "/kept-address"); len(files) == 0 {
		t.Error("the search for texts finds nothing at all")
	}
}
