package store_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trawlhq/trawl"
)

func TestBlobs(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx, blobs := context.Background(), s.Blobs()
		for id, data := range map[string][]byte{
			"empty": {}, "byte": {7}, "text": []byte(strings.Repeat("page ", 5000)), "noise": []byte(longText(9 << 20)), "folder/name": {1},
		} {
			if err := blobs.Put(ctx, id, data); err != nil {
				t.Fatal(err)
			}
			if got := must[[]byte](t)(blobs.Get(ctx, id)); !bytes.Equal(got, data) {
				t.Errorf("%s: got %d bytes, want %d", id, len(got), len(data))
			}
		}
		for _, size := range []int{5 << 20, 10} { // replaced, and by less
			data := []byte(longText(size))
			if err := blobs.Put(ctx, "noise", data); err != nil {
				t.Fatal(err)
			}
			if got := must[[]byte](t)(blobs.Get(ctx, "noise")); !bytes.Equal(got, data) {
				t.Errorf("got %d bytes, want %d", len(got), len(data))
			}
		}
		_, err := blobs.Get(ctx, "nothing")
		wantCode(t, err, trawl.CodeNotFound)
		for range 2 {
			if err := blobs.Delete(ctx, "noise", "empty", "nothing"); err != nil {
				t.Fatal(err)
			}
		}
		if err := blobs.Delete(ctx); err != nil {
			t.Fatal(err)
		}
		_, err = blobs.Get(ctx, "noise")
		wantCode(t, err, trawl.CodeNotFound)
		must[[]byte](t)(blobs.Get(ctx, "byte"))
	})
}

func TestBlobsList(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		start := s.clock.Now()
		for _, id := range []string{"b", "a", "c", "d"} {
			if err := s.Blobs().Put(ctx, id, []byte(id)); err != nil {
				t.Fatal(err)
			}
			if id != "b" {
				s.clock.Advance(time.Second)
			}
		}
		for _, test := range []struct {
			from, to time.Duration
			want     string
		}{
			{0, 10 * time.Second, "a b c d"}, {0, 2 * time.Second, "a b c"}, {time.Second, 2 * time.Second, "c"}, {5 * time.Second, time.Hour, ""},
		} {
			var got []string
			err := s.Blobs().List(ctx, start.Add(test.from), start.Add(test.to), func(ids []string) error {
				got = append(got, ids...)
				return nil
			})
			slices.Sort(got)
			if err != nil || strings.Join(got, " ") != test.want {
				t.Errorf("from %v to %v: got %v, %v, want %s", test.from, test.to, got, err, test.want)
			}
		}
	})
}

func TestBlobsInParallel(t *testing.T) {
	conform(t, func(t *testing.T, s *env) {
		ctx := context.Background()
		var group sync.WaitGroup
		for i := range 40 {
			group.Go(func() {
				id := fmt.Sprint("blob", i%20) // every one twice
				if err := s.Blobs().Put(ctx, id, []byte(strings.Repeat(id, 1000))); err != nil {
					t.Error(err)
				}
				if got, err := s.Blobs().Get(ctx, id); err != nil || string(got) != strings.Repeat(id, 1000) {
					t.Errorf("%s: %d bytes, %v", id, len(got), err)
				}
			})
		}
		group.Wait()
	})
}
