package codec_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/blob/codec"
)

func open(t testing.TB) *codec.Codec {
	t.Helper()
	c, err := codec.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func noise(n int) []byte {
	r := rand.NewChaCha8([32]byte{1})
	b := make([]byte, n)
	_, _ = r.Read(b)
	return b
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	c := open(t)
	for _, data := range [][]byte{
		nil, {0}, []byte("hello"), bytes.Repeat([]byte("abc"), 1<<20), noise(20 << 20),
	} {
		packed, err := c.Pack(data)
		if err != nil {
			t.Fatal(err)
		}
		if len(packed) == 0 {
			t.Errorf("%d bytes: packed to nothing", len(data))
		}
		got, err := c.Unpack(packed)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: got %d bytes, %v", len(data), len(got), err)
		}
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	_, err := open(t).Pack(make([]byte, codec.MaxSize+1))
	if trawl.ErrorCode(err) != trawl.CodeTooLarge {
		t.Errorf("got %v, want too large", err)
	}
}

func TestDamage(t *testing.T) {
	t.Parallel()
	c := open(t)
	packed, _ := c.Pack([]byte(strings.Repeat("some page ", 1000)))
	packed[len(packed)/2] ^= 0xff
	if _, err := c.Unpack(packed); err == nil {
		t.Error("a flipped byte went unnoticed")
	}
}

func FuzzUnpack(f *testing.F) {
	c := open(f)
	packed, _ := c.Pack([]byte("hello, hello, hello"))
	f.Add(packed)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		value, err := c.Unpack(data)
		if err == nil && len(value) > codec.MaxSize {
			t.Errorf("unpacked %d bytes", len(value))
		}
		packed, err := c.Pack(data)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := c.Unpack(packed); err != nil || !bytes.Equal(got, data) {
			t.Errorf("round trip: %v", err)
		}
	})
}

func BenchmarkPack(b *testing.B) {
	for _, size := range []int{5 << 10, 20 << 10, 1 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			c := open(b)
			data := document(size)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			packed := 0
			for b.Loop() {
				p, _ := c.Pack(data)
				packed = len(p)
			}
			b.ReportMetric(float64(len(data))/float64(packed), "ratio")
		})
	}
}

// document makes JSON that compresses about as well as a page in markdown.
func document(size int) []byte {
	words := strings.Fields("the of and to in is you that it he was for on are as with his they at be this have from or one had by word but not what all were we when your can said there use an each which she do how their if will up other about out many then them these so some her would make like him into time has look two more write go see number no way could people my than first water been call who oil its now find long down day did get come made may part over")
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, "[%s](https://example.com/%d) ", words[r.IntN(len(words))], r.IntN(10000))
		for range 12 {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
	}
	out, _ := json.Marshal(map[string]string{"markdown": b.String()[:size]})
	return out
}
