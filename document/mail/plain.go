package mail

import (
	"regexp"
	"strings"

	"github.com/trawlhq/trawl/document/tree"
)

// maxQuotes is how deep quotes are in each other.
const maxQuotes = 20

// quoted is a line and how many times it was quoted.
type quoted struct {
	depth int
	text  string
}

// plain reads text: paragraphs with empty lines between them, quotes by the signs in
// front of their lines. In flowed text, lines that end in a space go on in the next.
func plain(text string, flowed, deleteSpace bool) []tree.Block {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	var lines []quoted
	var open []string // pieces of the last line, which goes on
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		depth, rest := unquote(line)
		if !flowed {
			lines = append(lines, quoted{depth, rest})
			continue
		}
		rest = strings.TrimPrefix(rest, " ") // which is there to hide signs
		if len(open) > 0 && (lines[len(lines)-1].depth != depth || rest == "-- ") {
			lines[len(lines)-1].text, open = strings.Join(open, ""), nil
		}
		if len(open) == 0 {
			lines = append(lines, quoted{depth: depth})
		}
		soft := strings.HasSuffix(rest, " ") && rest != "-- "
		if soft && deleteSpace {
			rest = strings.TrimSuffix(rest, " ")
		}
		open = append(open, rest)
		if !soft {
			lines[len(lines)-1].text, open = strings.Join(open, ""), nil
		}
	}
	if len(open) > 0 {
		lines[len(lines)-1].text = strings.Join(open, "")
	}
	return blocks(lines, 0, flowed)
}

// unquote takes the signs of quotes from a line, and counts them.
func unquote(line string) (depth int, rest string) {
	for rest = line; ; depth++ {
		next, ok := strings.CutPrefix(rest, ">")
		if !ok && depth > 0 {
			next, ok = strings.CutPrefix(rest, " >")
		}
		if !ok || depth == maxQuotes {
			break
		}
		rest = next
	}
	if depth > 0 {
		rest = strings.TrimPrefix(rest, " ")
	}
	return depth, rest
}

// blocks makes paragraphs and quotes of lines.
func blocks(lines []quoted, depth int, flowed bool) []tree.Block {
	var out []tree.Block
	for i := 0; i < len(lines); {
		n := i
		if lines[i].depth > depth {
			for n < len(lines) && lines[n].depth > depth {
				n++
			}
			if body := blocks(lines[i:n], depth+1, flowed); len(body) > 0 {
				out = append(out, &tree.Quote{Body: body})
			}
			i = n
			continue
		}
		var texts []string
		for n < len(lines) && lines[n].depth == depth && strings.TrimSpace(lines[n].text) != "" {
			if lines[n].text == "-- " && n > i {
				break
			}
			texts = append(texts, lines[n].text)
			n++
		}
		if len(texts) > 0 {
			out = append(out, passage(texts, flowed)...)
		}
		i = max(n, i+1) // an empty line
	}
	return out
}

// passage makes blocks of lines without an empty one between them.
func passage(lines []string, flowed bool) []tree.Block {
	if strings.TrimRight(lines[0], " ") == "--" { // the signature
		out := []tree.Block{&tree.Rule{}}
		if len(lines) > 1 {
			out = append(out, passage(lines[1:], true)...)
		}
		return out
	}
	if len(lines) > 1 && isArranged(lines) {
		return []tree.Block{&tree.Code{Text: strings.Join(lines, "\n")}}
	}
	if list := items(lines); list != nil {
		return []tree.Block{list}
	}
	between := "\n"
	if !flowed && isWrapped(lines) {
		between = " "
	}
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(strings.TrimSpace(line))
	}
	return []tree.Block{&tree.Paragraph{Text: linked(b.String())}}
}

// isArranged tells whether lines are a table or code, whose spaces matter.
func isArranged(lines []string) bool {
	arranged := 0
	for _, line := range lines {
		if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") || strings.Contains(strings.TrimSpace(line), "   ") || strings.Contains(strings.TrimSpace(line), "\t") {
			arranged++
		}
	}
	return 2*arranged > len(lines)
}

// isWrapped tells whether lines were broken where they became too long: all but the
// last are about as long as lines may be.
func isWrapped(lines []string) bool {
	longest := 0
	for _, line := range lines {
		longest = max(longest, len([]rune(line)))
	}
	if longest > 100 || longest < 50 {
		return false
	}
	for i, line := range lines[:len(lines)-1] {
		next, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
		if strings.HasSuffix(next, ":") { // a field of its own
			return false
		}
		if len([]rune(line))+1+len([]rune(next)) < longest-8 { // the next word would have had room
			return false
		}
	}
	return true
}

// items makes a list of lines that begin with bullets, nil if not all do.
func items(lines []string) *tree.List {
	var texts [][]string
	for _, line := range lines {
		trimmed := strings.TrimLeft(line, " ")
		rest, ok := "", false
		for _, bullet := range [...]string{"- ", "* ", "• ", "+ "} {
			if rest, ok = strings.CutPrefix(trimmed, bullet); ok {
				break
			}
		}
		switch {
		case ok:
			texts = append(texts, []string{strings.TrimSpace(rest)})
		case len(texts) == 0 || trimmed == line:
			return nil
		default:
			texts[len(texts)-1] = append(texts[len(texts)-1], strings.TrimSpace(line))
		}
	}
	list := &tree.List{}
	for _, text := range texts {
		list.Items = append(list.Items, tree.Item{Body: []tree.Block{&tree.Paragraph{Text: linked(strings.Join(text, " "))}}})
	}
	return list
}

// web is an address in a text.
var web = regexp.MustCompile(`https?://[^\s<>"]+[^\s<>".,;:!?)\]}'*_]`)

// linked makes links of the addresses in a text.
func linked(text string) []tree.Span {
	var line tree.Line
	done := 0
	for _, at := range web.FindAllStringIndex(text, -1) {
		line.Write(text[done:at[0]], 0, "")
		line.Write(text[at[0]:at[1]], 0, text[at[0]:at[1]])
		done = at[1]
	}
	line.Write(text[done:], 0, "")
	return line.Take()
}
