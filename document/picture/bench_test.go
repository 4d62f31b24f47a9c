package picture_test

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/trawlhq/trawl/document/picture"
)

// BenchmarkRead compares a page of A4 at 300 dots per inch with what Tesseract alone
// takes for it, by the processor time of both.
func BenchmarkRead(b *testing.B) {
	tesseract := engine(b)
	page := blank(2480, 3508, color.White, color.Black)
	for line := range 60 {
		page.write(b, 200, 300+50*line, 38, fmt.Sprintf("Line %d of a page that has a good deal of text, as letters and reports have it.", line))
	}
	body := encoded(b, png.Encode, page)
	var ours, alone time.Duration
	for b.Loop() {
		ours += processor(func() {
			if _, err := picture.Read(b.Context(), body, picture.Options{Engine: tesseract}); err != nil {
				b.Fatal(err)
			}
		})
		alone += processor(func() {
			cmd := exec.CommandContext(b.Context(), tesseract.Program, "stdin", "stdout")
			cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1")
			cmd.Stdin = bytes.NewReader(body)
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		})
	}
	b.ReportMetric(float64(ours)/float64(alone), "×tesseract")
	b.ReportMetric(ours.Seconds()/float64(b.N), "cpu-s/op")
}

// processor returns how much processor time something takes, here and in programs that
// it starts.
func processor(do func()) time.Duration {
	before := used()
	do()
	return used() - before
}

func used() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}
