package ocr

import (
	"image"
	"testing"
)

func TestTurned(t *testing.T) {
	t.Parallel()
	p := &image.Gray{Pix: []uint8("abcdef"), Stride: 3, Rect: image.Rect(0, 0, 3, 2)} // abc above def
	for quarters, want := range map[int]string{1: "daebfc", 2: "fedcba", 3: "cfbead"} {
		got := Turned(p, quarters)
		if wide := got.Rect.Dx() == 3; string(got.Pix) != want || wide != (quarters == 2) {
			t.Errorf("%d quarters: %s in %v", quarters, got.Pix, got.Rect)
		}
	}
}

func TestLying(t *testing.T) {
	t.Parallel()
	high, wide, short := word{text: "high", width: 20, height: 60}, word{text: "wide", width: 60, height: 20}, word{text: "I", width: 5, height: 20}
	if !lying([]word{high, high, wide}) || lying([]word{high, wide, wide}) || lying([]word{short, short}) || lying(nil) {
		t.Error("how words lie is not told")
	}
}

func TestQuarterTurns(t *testing.T) {
	t.Parallel()
	for report, want := range map[string]int{
		"Page number: 0\nOrientation in degrees: 270\nRotate: 90\nOrientation confidence: 9.49\n": 1,
		"Rotate: 180\r\nOrientation confidence: 3\r\n":                                            2,
		"Rotate: 90\nOrientation confidence: 0.3\n":                                               0,
		"Rotate: -90\nOrientation confidence: 5\n":                                                0,
		"Rotate: 7\nOrientation confidence: 5\n":                                                  0,
		"Too few characters.\n":                                                                   0,
	} {
		if got := quarterTurns(report); got != want {
			t.Errorf("%q: %d, want %d", report, got, want)
		}
	}
}
