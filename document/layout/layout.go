// Package layout finds the text in what is drawn on pages.
package layout
