// Package fieldcode reads the instructions of Word's fields, such as
// HYPERLINK "https://example.com/" \l "part". They are the same in all formats that
// know fields.
package fieldcode

import "strings"

// maxWords bounds how many words of an instruction are read.
const maxWords = 64

const blanks = " \t\r\n\u00a0"

// Words splits an instruction at blanks that are not in quotes.
func Words(instruction string) []string {
	var words []string
	for rest := instruction; len(words) < maxWords; {
		if rest = strings.TrimLeft(rest, blanks); rest == "" {
			break
		}
		word := rest
		if quoted, ok := strings.CutPrefix(rest, `"`); ok {
			word, rest, _ = strings.Cut(quoted, `"`)
			word = strings.ReplaceAll(word, `\\`, `\`)
		} else if at := strings.IndexAny(rest, blanks+`"`); at >= 0 {
			word, rest = rest[:at], rest[at:]
		} else {
			rest = ""
		}
		words = append(words, word)
	}
	return words
}

// Name returns the first word of an instruction in upper case: what kind of field it is.
func Name(instruction string) string {
	instruction = strings.TrimLeft(instruction, blanks)
	if at := strings.IndexAny(instruction, blanks+`"`); at >= 0 {
		instruction = instruction[:at]
	}
	return strings.ToUpper(instruction)
}

// Link returns where a HYPERLINK leads, "" for other fields. Marks that Word made for
// itself are nowhere.
func Link(instruction string) string {
	if Name(instruction) != "HYPERLINK" {
		return ""
	}
	address, mark := target(Words(instruction)[1:])
	if mark == "" || strings.HasPrefix(mark, "_") || strings.Contains(address, "#") {
		return address
	}
	return address + "#" + mark
}

// target returns the address among the arguments of a link, and the mark in it.
func target(words []string) (address, mark string) {
	for i := 0; i < len(words); i++ {
		switch word := words[i]; strings.ToLower(word) {
		case `\l`:
			if i++; i < len(words) {
				mark = words[i]
			}
		case `\o`, `\t`, `\s`:
			i++
		default:
			if address == "" && !(strings.HasPrefix(word, `\`) && len(word) == 2) {
				address = word
			}
		}
	}
	return address, mark
}
