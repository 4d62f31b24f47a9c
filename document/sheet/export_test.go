package sheet

// Show shows a number by the code of a format.
func Show(code string, v float64, since1904 bool) string {
	var s styles
	return s.parse(code).show(v, since1904)
}

// ShowText shows text by the code of a format.
func ShowText(code, text string) string { return parseFormat(code).string(text) }
