package browser

import (
	_ "embed"
	"strconv"
)

//go:embed read.js
var readSource string

// readScript returns the expression whose value is a snapshot of the page. HTML
// that is longer than given is left out, except that what is too long for
// anyone is cut.
func readScript(most int) string {
	return "(" + readSource + ")(" + strconv.Itoa(most) + "," + strconv.Itoa(mostHTML) + ")"
}
