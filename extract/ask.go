package extract

import (
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/llm"
)

// Sizes of parts, in bytes. A page that has more than maxParts of the base size
// is too large.
const (
	basePart = 40_000
	minPart  = 2_000
	maxParts = 32
	maxPage  = maxParts * basePart
)

// sizes of parts that work are learned from a model that refuses longer ones.
type sizes struct {
	mu      sync.Mutex
	learned int // 0 until then
}

func (s *sizes) part() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.learned == 0 {
		return basePart
	}
	return s.learned
}

func (s *sizes) learn(size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.learned == 0 || size < s.learned {
		s.learned = size
	}
}

// fitting calls ask with the size of parts, and again with half of it as long as
// that is too long for the model; sizes beyond that of the page make no
// difference. A size that worked is kept for the next pages, unless it was the
// caller's own words, extra bytes of them, that took the room.
func (x *Extractor) fitting(page, extra int, ask func(size int) error) error {
	size, refused := x.sizes.part(), false
	for {
		err := ask(size)
		if err == nil && refused && extra <= basePart/4 {
			x.sizes.learn(size)
		}
		if !errors.Is(err, llm.ErrTooLong) || size <= minPart {
			return err
		}
		for refused = true; size > minPart; {
			if size = max(size/2, minPart); size < page {
				break
			}
		}
	}
}

// askAll puts several questions at once and returns the answers in their order.
// One that fails ends all.
func (x *Extractor) askAll(ctx context.Context, questions []llm.Request) ([]llm.Answer, error) {
	answers := make([]llm.Answer, len(questions))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxParts) // the model's client has a limit of its own
	for i, question := range questions {
		group.Go(func() (err error) {
			answers[i], err = x.Model.Ask(ctx, question)
			return err
		})
	}
	return answers, group.Wait()
}

// readPage asks for what is wanted from all parts of a page.
func (x *Extractor) readPage(ctx context.Context, src *Source, want Want) (*page, []llm.Answer, error) {
	if len(src.Markdown) > maxPage {
		return nil, nil, trawl.Errorf(trawl.CodeContentTooLarge,
			"The page has %d bytes of text, and at most %d can be extracted from. Choose a part of it with includeTags or excludeTags.", len(src.Markdown), maxPage)
	}
	var p *page
	var answers []llm.Answer
	err := x.fitting(len(src.Markdown), len(want.Prompt)+len(want.System)+schemaSize(want), func(size int) (err error) {
		p = newPage(src, src.Markdown, size)
		questions := make([]llm.Request, len(p.parts))
		for i := range p.parts {
			questions[i] = p.question(i, want)
		}
		answers, err = x.askAll(ctx, questions)
		return err
	})
	return p, answers, err
}

func schemaSize(want Want) int {
	if want.Schema == nil {
		return 0
	}
	return len(want.Schema.JSON())
}
