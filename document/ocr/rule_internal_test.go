package ocr

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
)

func drawn(boxes ...image.Rectangle) *image.Gray {
	p := image.NewGray(image.Rect(0, 0, 1000, 800))
	draw.Draw(p, p.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	for _, b := range boxes {
		draw.Draw(p, b, image.NewUniform(color.Black), image.Point{}, draw.Src)
	}
	return p
}

func TestRules(t *testing.T) {
	t.Parallel()
	p := drawn(image.Rect(100, 200, 900, 203), image.Rect(500, 100, 504, 700), // a cross
		image.Rect(50, 300, 62, 360),   // a letter
		image.Rect(600, 400, 800, 500), // an area
		image.Rect(100, 250, 130, 252)) // a dash
	clean, rules := withoutRules(p)
	if len(rules) != 2 || rules[0].down || !rules[1].down {
		t.Fatalf("%+v", rules)
	}
	text := Text{rules: rules}
	boxes := text.Rules(0.5)
	if b := boxes[0]; b.Left != 50 || b.Right != 450 || b.Top != 100 || b.Bottom != 101.5 {
		t.Errorf("across: %+v", b)
	}
	if b := boxes[1]; b.Left != 250 || b.Right != 252 || b.Top != 50 || b.Bottom != 350 {
		t.Errorf("down: %+v", b)
	}
	for _, row := range []struct {
		x, y int
		want uint8
	}{{300, 201, 255}, {502, 600, 255}, {55, 330, 0}, {700, 450, 0}, {110, 251, 0}} {
		if got := clean.GrayAt(row.x, row.y).Y; got != row.want {
			t.Errorf("dot at %d, %d: %d", row.x, row.y, got)
		}
	}
	if p.GrayAt(300, 201).Y != 0 {
		t.Error("the picture itself is changed")
	}
}

// A page that lies a little askew in the scanner has rules made of steps.
func TestRulesAskew(t *testing.T) {
	t.Parallel()
	var steps []image.Rectangle
	for i := range 8 {
		steps = append(steps, image.Rect(100+100*i, 200+i, 200+100*i, 203+i))
	}
	_, rules := withoutRules(drawn(steps...))
	if len(rules) != 1 || rules[0].from != 100 || rules[0].to != 900 || rules[0].width > 4 {
		t.Errorf("%+v", rules)
	}
}

func TestBullets(t *testing.T) {
	t.Parallel()
	at := func(line int, left float32, text string) word {
		return word{text: text, line: [3]int{1, 1, line}, left: left, width: 20, height: 30}
	}
	words := []word{
		at(1, 100, "¢"), at(1, 150, "one"), at(2, 102, "e"), at(2, 150, "two"), at(3, 104, "e"), at(3, 150, "three"),
		at(4, 300, "e"), at(4, 350, "fine"), at(5, 100, "«quoted"), at(5, 150, "text"), at(6, 100, "one"), at(6, 150, "+"), at(7, 100, "*"),
	}
	bullets(words)
	want := "• one • two • three e fine «quoted text one + *"
	got := ""
	for i, w := range words {
		if i > 0 {
			got += " "
		}
		got += w.text
	}
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
