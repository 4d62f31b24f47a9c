package pdf

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// warnings says what is missing and why.
func (r *reader) warnings() []string {
	var list []string
	why := "text recognition is not installed"
	if r.options.Mode == ModeFast {
		why = "the mode fast does not recognise text"
	}
	if n := len(r.pictures); n > 0 {
		list = append(list, fmt.Sprintf("%s %s of text and could not be read: %s.",
			pageList(r.pictures), choose(n, "is a picture", "are pictures"), why))
	}
	if n := len(r.garbled); n > 0 {
		list = append(list, fmt.Sprintf("%s %s characters mean and could not be read: %s.",
			pageList(r.garbled), choose(n, "does not say what its", "do not say what their"), why))
	}
	if r.options.Mode == ModeOCR && r.options.Tesseract == "" {
		list = append(list, "Text recognition is not installed; the text that the pages have of their own was read instead.")
	}
	if len(r.refused) > 0 {
		slices.Sort(r.refused)
		list = append(list, pageList(r.refused)+" could not be recognised.")
	}
	if len(r.failed) > 0 {
		var numbers []int
		for i := range r.failed {
			numbers = append(numbers, i+1)
		}
		slices.Sort(numbers)
		list = append(list, fmt.Sprintf("%s %s damaged or too large and could not be read.",
			pageList(numbers), choose(len(numbers), "is", "are")))
	}
	if cut := r.builder.Cut(); len(cut) > 0 {
		list = append(list, fmt.Sprintf("%s %s more text, links or fields than can be read; the rest is missing.",
			pageList(cut), choose(len(cut), "has", "have")))
	}
	if n := len(r.repeated); n > 0 {
		list = append(list, fmt.Sprintf("%s %s not paid for.",
			pageList(r.repeated), choose(n, "repeats a page before it and is", "repeat pages before them and are")))
	}
	if said, there := r.file.Said(), r.file.Pages(); said > there {
		list = append(list, fmt.Sprintf("The PDF says that it has %d pages, but %d %s there.", said, there, choose(there, "is", "are")))
	}
	if r.capped {
		list = append(list, fmt.Sprintf("The PDF has %d pages, of which the first %d were read.", r.file.Pages(), maxPages))
	}
	return list
}

func choose(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// shownRanges is how many pages or ranges of pages a warning names.
const shownRanges = 20

// pageList names pages, whose numbers ascend: "Page 3", "Pages 3-5 and 9".
func pageList(numbers []int) string {
	var ranges []string
	for i := 0; i < len(numbers); {
		n := 1
		for i+n < len(numbers) && numbers[i+n] == numbers[i]+n {
			n++
		}
		name := strconv.Itoa(numbers[i])
		if n > 1 {
			name += "-" + strconv.Itoa(numbers[i+n-1])
		}
		ranges = append(ranges, name)
		i += n
	}
	if more := len(ranges) - shownRanges; more > 0 {
		ranges = append(ranges[:shownRanges], fmt.Sprintf("%d more", more))
	}
	last := len(ranges) - 1
	name := ranges[last]
	if last > 0 {
		name = strings.Join(ranges[:last], ", ") + " and " + name
	}
	return choose(len(numbers), "Page ", "Pages ") + name
}
