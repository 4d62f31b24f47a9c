package crawl

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/trawlhq/trawl"
)

// maxPatternWeight bounds the patterns of a crawl together. It is about the
// number of steps that a character of a link may cost; a thousand patterns as
// people write them stay well below.
const maxPatternWeight = 20_000

// unicodeWeight is what a class such as all letters weighs.
const unicodeWeight = 100

const tooLarge = "is too large, by itself or with the patterns before it"

// pattern is a compiled pattern and the name of its rule.
type pattern struct {
	*regexp.Regexp
	rule string
}

// matches reports whether the pattern occurs in an address or path, as it is
// requested or as people read it.
func (p *pattern) matches(text, plain string) bool {
	return p.MatchString(text) || plain != text && p.MatchString(plain)
}

// compilePatterns compiles the patterns of a field and takes their weight off
// the budget.
func compilePatterns(field string, list []string, budget *int) ([]pattern, error) {
	patterns := make([]pattern, len(list))
	for i, text := range list {
		// Classes of Unicode take long even to read.
		if *budget -= unicodeWeight * (strings.Count(text, `\p`) + strings.Count(text, `\P`)); *budget < 0 {
			return nil, badPattern(field, i, tooLarge)
		}
		tree, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			return nil, badPattern(field, i, "is not a regular expression: "+err.Error())
		}
		if *budget -= weight(tree); *budget < 0 {
			return nil, badPattern(field, i, tooLarge)
		}
		compiled, err := regexp.Compile(text)
		if err != nil {
			return nil, badPattern(field, i, "is not a regular expression: "+err.Error())
		}
		patterns[i] = pattern{compiled, field + ": " + text}
	}
	return patterns, nil
}

func badPattern(field string, i int, message string) error {
	return trawl.Invalid([]trawl.Issue{{Code: "invalid_value", Message: message, Path: []any{field, i}}})
}

// weight estimates what an expression costs, before it is compiled: counted
// repetitions are written out then, so a short text can become a huge machine.
// Plain text costs little, for it hardly ever fits far.
func weight(tree *syntax.Regexp) int {
	n := 0
	for _, sub := range tree.Sub {
		n += weight(sub)
	}
	switch tree.Op {
	case syntax.OpLiteral:
		n = len(tree.Rune) / 8
	case syntax.OpCharClass:
		n = len(tree.Rune) / 16 // a class of all letters has hundreds of ranges
	case syntax.OpRepeat:
		n *= max(tree.Min, tree.Max)
	}
	return min(n, maxPatternWeight) + 1
}

// isAsset reports whether the extension of a path is one of files that are
// never read: images, styles, scripts, fonts, sound, video, archives, programs.
func isAsset(path string) bool {
	var b [8]byte
	switch string(lower(b[:], extension(path))) {
	case "png", "jpg", "jpeg", "jfif", "gif", "webp", "avif", "svg", "svgz", "ico", "bmp", "tif", "tiff", "heic", "heif", "psd",
		"css", "less", "scss", "js", "mjs", "cjs", "wasm", "swf",
		"woff", "woff2", "ttf", "otf", "eot",
		"mp3", "wav", "ogg", "oga", "opus", "flac", "aac", "m4a", "wma", "aif", "aiff", "mid", "midi",
		"mp4", "m4v", "mov", "avi", "mkv", "webm", "wmv", "flv", "mpg", "mpeg", "ogv", "3gp", "m3u8",
		"zip", "gz", "tgz", "tar", "bz2", "xz", "7z", "rar", "zst", "jar", "war", "iso", "dmg", "torrent",
		"exe", "msi", "apk", "ipa", "deb", "rpm", "bin", "dll", "pkg", "xpi", "crx", "appimage":
		return true
	}
	return false
}

// extension returns what follows the last dot of the last segment of a path.
func extension(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		switch path[i] {
		case '.':
			return path[i+1:]
		case '/':
			return ""
		}
	}
	return ""
}

// lower writes s in lower case into b, or nothing if it does not fit: it is
// longer than all that it will be compared with then.
func lower[T string | []byte](b []byte, s T) []byte {
	if len(s) > len(b) {
		return nil
	}
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		b[i] = c
	}
	return b[:len(s)]
}

// unescape returns a path as people read it. Escapes that are none stay.
func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			b = append(b, hexValue(s[i+1])<<4|hexValue(s[i+2]))
			i += 2
		} else {
			b = append(b, s[i])
		}
	}
	return string(b)
}

func hexValue(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
