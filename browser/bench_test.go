package browser

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/internal/testtime"
)

// BenchmarkRender renders pages one after the other and, as it can run for long,
// looks whether they leave anything behind:
//
//	go test -run - -bench Render -benchtime 600x ./browser
func BenchmarkRender(b *testing.B) {
	for name, end := range map[string]string{"still": "", "scripted": "<script>document.title = 'x'</script>"} {
		b.Run(name, func(b *testing.B) {
			pool := newPool(b)
			base := site(b, map[string]string{"/": strings.Repeat("<p>Some text of a page that is long enough.</p>\n", 2000) + end})
			render := func() {
				if _, err := pool.Render(testtime.Context(b), Request{URL: base}); err != nil {
					b.Fatal(err)
				}
			}
			for range 3 { // the browser is up, and its helpers are
				render()
			}
			before := take(b)
			for b.Loop() {
				render()
			}
			testtime.Until(b, "all is as before", func() bool { return take(b).within(before) })
			if b.Failed() {
				b.Logf("before %+v, after %+v", before, take(b))
			}
		})
	}
}
