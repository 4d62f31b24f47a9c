package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/store"
)

// text is markdown of about the given size.
func text(size int) string {
	words := strings.Fields("the of and to in is you that it he was for on are as with his they at be this have from or one had by word but not what all were we when your can said there use an each which she do how their if will up other about out many")
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(words[r.IntN(len(words))] + " ")
	}
	return b.String()
}

func BenchmarkFinish(b *testing.B) {
	document, _ := json.Marshal(map[string]string{"markdown": text(5 << 10)})
	for _, size := range []int{1, 16} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s := mustOpen(b, store.Config{DataDir: b.TempDir()})
			crew := team(b, s, "crew", 1<<40)
			for b.Loop() {
				items := make([]store.Finished, size)
				for i := range items {
					items[i] = cached(crew.ID, uuid.NewString(), time.Now())
					items[i].Record.Head = must[store.Packed](b)(s.Pack(document))
				}
				finish(b, s, items...)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size), "ns/item")
		})
	}
}

func BenchmarkCached(b *testing.B) {
	s := mustOpen(b, store.Config{DataDir: b.TempDir()})
	crew := team(b, s, "crew", -1)
	now := time.Now()
	for range 100 {
		items := make([]store.Finished, 100)
		for i := range items {
			items[i] = cached(crew.ID, uuid.NewString(), now)
		}
		items[0].Page.Key = "plain"
		finish(b, s, items...)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Cached(context.Background(), crew.ID, []string{"plain", "rendered"}, now.Add(-time.Hour), now); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCaller(b *testing.B) {
	ctx := context.Background()
	s := mustOpen(b, store.Config{DataDir: b.TempDir()})
	crew := team(b, s, "crew", 100)
	if _, err := s.CreateKey(ctx, trawl.Key{TeamID: crew.ID, Name: "laptop"}, "fc-1"); err != nil {
		b.Fatal(err)
	}
	hash := trawl.HashSecret("fc-1")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Caller(ctx, hash); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBlobPut20KB(b *testing.B) {
	data := []byte(text(20 << 10))
	run := func(b *testing.B, loop func(put func())) {
		s := mustOpen(b, store.Config{DataDir: b.TempDir()})
		loop(func() {
			if err := s.Blobs().Put(context.Background(), uuid.Must(uuid.NewV7()).String(), data); err != nil {
				b.Error(err)
			}
		})
	}
	b.Run("alone", func(b *testing.B) {
		run(b, func(put func()) {
			for b.Loop() {
				put()
			}
		})
	})
	b.Run("parallel", func(b *testing.B) {
		run(b, func(put func()) {
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					put()
				}
			})
		})
	})
}

func BenchmarkDocument(b *testing.B) {
	s := mustOpen(b, store.Config{DataDir: b.TempDir()})
	crew := team(b, s, "crew", -1)
	item := scrape(crew.ID, 1, time.Now())
	item.Record.Head = must[store.Packed](b)(s.Pack([]byte(text(5 << 10))))
	finish(b, s, item)
	for b.Loop() {
		if _, err := s.Document(context.Background(), crew.ID, item.Record.ID); err != nil {
			b.Fatal(err)
		}
	}
}
