package address

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/trawlhq/trawl/content/chars"
	"github.com/trawlhq/trawl/content/dom"
)

// Removed is what stands for an image that was embedded as data.
const Removed = "<Base64-Image-Removed>"

// lazyAttributes are where pages keep the address of an image that a script
// loads later, the most telling first.
var lazyAttributes = []string{
	"data-src", "data-lazy-src", "data-original", "data-lazy", "data-actualsrc", "data-original-src",
	"data-hi-res-src", "data-full-src", "data-image-src",
}

var lazySets = []string{"data-srcset", "data-lazy-srcset"}

// ImageSource returns the address of an img as it stands in the page: the one
// that a reader would see once all scripts have run. It may be a data URI, and
// is empty when the element has none.
func ImageSource(img *dom.Node) string {
	if lazy := LazySource(img); lazy != "" {
		return lazy
	}
	src := strings.TrimSpace(img.Get("src"))
	if src != "" && !IsPlaceholder(src) {
		return src
	}
	if best := BestCandidate(img.Get("srcset")); best != "" && !IsPlaceholder(best) {
		return best
	}
	if picture := img.Parent; picture != nil && picture.Is(atom.Picture) {
		for c := picture.FirstChild; c != nil; c = c.NextSibling {
			if c.Is(atom.Source) {
				if best := SetSource(c); best != "" && !IsPlaceholder(best) {
					return best
				}
			}
		}
	}
	return src
}

// LazySource returns the address that a script would put in, or "".
func LazySource(n *dom.Node) string {
	source, rank, set := "", len(lazyAttributes), ""
	for i := range n.Attr {
		a := &n.Attr[i]
		if !strings.HasPrefix(a.Key, "data-") {
			continue
		}
		if at := slices.Index(lazyAttributes[:rank], a.Key); at >= 0 {
			if v := strings.TrimSpace(a.Val); looksLikeAddress(v) && !IsData(v) {
				source, rank = v, at
			}
		} else if set == "" && slices.Contains(lazySets, a.Key) {
			if v := BestCandidate(a.Val); !IsData(v) {
				set = v
			}
		}
	}
	if source != "" {
		return source
	}
	return set
}

// SetSource returns the best address of a source element of a picture.
func SetSource(source *dom.Node) string {
	for _, key := range lazySets {
		if best := BestCandidate(source.Get(key)); best != "" {
			return best
		}
	}
	return BestCandidate(source.Get("srcset"))
}

// looksLikeAddress tells an address from the other things that data attributes hold.
func looksLikeAddress(v string) bool {
	return v != "" && v[0] != '{' && v[0] != '[' && strings.ContainsAny(v, "/.") && !strings.ContainsAny(v, " \n")
}

// IsPlaceholder reports whether an address stands for an image that is yet to come.
func IsPlaceholder(src string) bool {
	if IsData(src) || chars.HasPrefixFold(src, "about:") {
		return true
	}
	name, _, _ := strings.Cut(src, "?")
	name = name[strings.LastIndexByte(name, '/')+1:]
	if len(name) > 40 {
		return false
	}
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch stem {
	case "blank", "spacer", "placeholder", "pixel", "transparent", "loading", "lazy", "lazyload", "1x1", "clear",
		"grey", "gray", "loader", "empty", "img-placeholder", "image-placeholder", "dot", "trans":
		return true
	}
	return false
}

// Candidate is an entry of a srcset: an address and how large its image is.
type Candidate struct {
	Address    string
	Descriptor string // "640w", "2x" or ""
}

// size returns the width or density of the candidate.
func (c Candidate) size() float64 {
	for word := range strings.FieldsSeq(c.Descriptor) {
		switch word[len(word)-1] {
		case 'w', 'x':
			if size, err := strconv.ParseFloat(word[:len(word)-1], 64); err == nil {
				return size
			}
		}
	}
	return 1
}

// BestCandidate returns the address of a srcset that stands for the largest image.
func BestCandidate(srcset string) string {
	if srcset == "" {
		return ""
	}
	best, most := "", -1.0
	for c := range Candidates(srcset) {
		if size := c.size(); size > most {
			best, most = c.Address, size
		}
	}
	return best
}

// Candidates yields the entries of a srcset. A comma ends an address only with
// white space behind it, for addresses may contain commas.
func Candidates(srcset string) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		for rest := srcset; ; {
			rest = strings.TrimLeft(rest, " \t\r\n\f,")
			if rest == "" {
				return
			}
			end := strings.IndexAny(rest, " \t\r\n\f")
			if end < 0 {
				end = len(rest)
			}
			c := Candidate{Address: strings.TrimRight(rest[:end], ",")}
			ended := len(c.Address) < end
			rest = rest[end:]
			if !ended {
				c.Descriptor, rest, _ = strings.Cut(rest, ",")
				c.Descriptor = strings.TrimSpace(c.Descriptor)
			}
			if !yield(c) {
				return
			}
		}
	}
}

// IsPixel reports whether an image is there to count visits and not to be seen.
func IsPixel(img *dom.Node) bool {
	width, height := img.Get("width"), img.Get("height")
	return isTiny(width) && isTiny(height)
}

func isTiny(length string) bool {
	length = strings.TrimSuffix(strings.TrimSpace(length), "px")
	return length == "0" || length == "1"
}
