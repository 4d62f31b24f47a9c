package blob_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/blob"
	"github.com/trawlhq/trawl/store"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var _ store.BlobStore = (*blob.S3)(nil)

// server is an object store with one bucket.
type server struct {
	host      string
	backend   *s3mem.Backend
	transport *http.Transport
}

func newServer(t *testing.T) *server {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		s.Close()
	})
	return &server{strings.TrimPrefix(s.URL, "http://"), backend, transport}
}

func (s *server) url(bucket string) string {
	return "s3://key:secret@" + bucket + "?endpoint=" + s.host + "&region=us-east-1&insecure=true"
}

func (s *server) open(t *testing.T, bucket string) *blob.S3 {
	t.Helper()
	b, err := blob.Open(context.Background(), s.url(bucket), s.transport)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func noise(size int) []byte {
	data := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{3}).Read(data)
	return data
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	b := newServer(t).open(t, "bucket/some/folder")
	for id, data := range map[string][]byte{
		"empty": {}, "byte": {7}, "text": []byte(strings.Repeat("page ", 5000)), "noise": noise(5 << 20), "folder/name": {1},
	} {
		if err := b.Put(ctx, id, data); err != nil {
			t.Fatal(err)
		}
		if got, err := b.Get(ctx, id); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: got %d bytes, %v, want %d", id, len(got), err, len(data))
		}
	}
	if err := b.Put(ctx, "noise", []byte("less")); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Get(ctx, "noise"); err != nil || string(got) != "less" {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	b := newServer(t).open(t, "bucket")
	for _, id := range []string{"a", "b", "c"} {
		if err := b.Put(ctx, id, []byte(id)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := b.Delete(ctx, "a", "nothing", "c"); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Delete(ctx); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "c", "nothing"} {
		if _, err := b.Get(ctx, id); trawl.ErrorCode(err) != trawl.CodeNotFound {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := b.Get(ctx, "b"); err != nil {
		t.Error(err)
	}
}

func TestListKnowsOnlyItsOwn(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := newServer(t)
	mine, other := s.open(t, "bucket/mine"), s.open(t, "bucket/other")
	var want []string
	var group sync.WaitGroup
	for i := range 40 {
		id := fmt.Sprint("id", i)
		want = append(want, id)
		group.Go(func() {
			if err := errors.Join(mine.Put(ctx, id, nil), other.Put(ctx, "foreign"+id, nil)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, name := range []string{"mine/report.pdf", "mine/trawl-blobs/notes.txt", "report.zst"} {
		if _, err := s.backend.PutObject("bucket", name, nil, strings.NewReader("x"), 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	slices.Sort(want)
	for _, test := range []struct {
		from, to time.Time
		want     []string
	}{
		{time.Time{}, now.Add(time.Hour), want},
		{time.Time{}, now.Add(-time.Hour), nil},
		{now.Add(time.Hour), now.Add(2 * time.Hour), nil},
	} {
		var got []string
		err := mine.List(ctx, test.from, test.to, func(ids []string) error {
			got = append(got, ids...)
			return nil
		})
		slices.Sort(got)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("got %v, %v, want %v", got, err, test.want)
		}
	}
	stop := errors.New("stop")
	if err := mine.List(ctx, time.Time{}, now.Add(time.Hour), func([]string) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v, want the error of the visitor", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := mine.List(ended, time.Time{}, now.Add(time.Hour), func([]string) error { return nil }); err == nil {
		t.Error("a list that was cut short went for a whole one")
	}
}

func TestDamagedValue(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	if _, err := s.backend.PutObject("bucket", "trawl-blobs/bad.zst", nil, strings.NewReader("not compressed"), 14, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.open(t, "bucket").Get(context.Background(), "bad"); err == nil || trawl.ErrorCode(err) == trawl.CodeNotFound {
		t.Errorf("got %v, want an error that is not about absence", err)
	}
}

// A store that keeps its big documents here reads, expires and sweeps them.
func TestAsBlobsOfAStore(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	b := newServer(t).open(t, "bucket")
	now := time.Now()
	s, err := store.Open(ctx, store.Config{DataDir: t.TempDir(), Blobs: b})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	team, err := s.CreateTeam(ctx, trawl.Team{Name: "crew"})
	if err != nil {
		t.Fatal(err)
	}
	document := noise(1 << 20)
	head, err := s.Pack(document)
	if err != nil {
		t.Fatal(err)
	}
	record := &store.Record{ID: "id", TeamID: team.ID, Head: head, CreatedAt: now, ExpiresAt: now.Add(24 * time.Hour)}
	item := store.Finished{Charge: trawl.Charge{ID: "id", TeamID: team.ID}, Record: record}
	if errs, err := s.Finish(ctx, []store.Finished{item}); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	if err := b.Put(ctx, "orphan", nil); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Document(ctx, team.ID, "id"); err != nil || !bytes.Equal(got, document) {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	if stats, err := s.Sweep(ctx, now.Add(2*time.Hour), 0); err != nil || stats.Orphans != 1 || stats.Records != 0 {
		t.Errorf("swept %+v, %v", stats, err)
	}
	if stats, err := s.Sweep(ctx, now.Add(25*time.Hour), 0); err != nil || stats.Records != 1 {
		t.Errorf("swept %+v, %v", stats, err)
	}
	err = b.List(ctx, time.Time{}, now.Add(time.Hour), func(ids []string) error {
		t.Errorf("left %v", ids)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	s := newServer(t)
	query := "?region=us-east-1&insecure=true&endpoint=" + s.host
	for name, test := range map[string]struct{ url, want string }{
		"another scheme":    {"https://key:hunter2@bucket", "s3://"},
		"no bucket":         {"s3:///prefix", "s3://"},
		"not a URL":         {"s3://key:hunter2@bucket/%zz", "s3://"},
		"unknown parameter": {"s3://key:hunter2@bucket?secure=yes", `"secure"`},
		"not a truth":       {"s3://key:hunter2@bucket?insecure=maybe", "insecure"},
		"no secret":         {"s3://hunter2@bucket", "key:secret"},
		"no credentials":    {"s3://bucket" + query, "AWS_ACCESS_KEY_ID"},
		"bad endpoint":      {"s3://key:hunter2@bucket?endpoint=a/b/c", ""},
		"no such bucket":    {"s3://key:hunter2@other" + query, "does not exist"},
	} {
		b, err := blob.Open(context.Background(), test.url, s.transport)
		if err == nil {
			b.Close()
			t.Errorf("%s: opened", name)
			continue
		}
		if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCredentialsFromEnvironment(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "environment-key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	s := newServer(t)
	var seen string
	spy := roundTripper(func(r *http.Request) (*http.Response, error) {
		seen = r.Header.Get("Authorization")
		return s.transport.RoundTrip(r)
	})
	b, err := blob.Open(context.Background(), "s3://bucket?insecure=1&region=us-east-1&endpoint="+s.host, spy)
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	if !strings.Contains(seen, "Credential=environment-key/") {
		t.Errorf("signed as %q", seen)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
