package keyboard_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/browser/keyboard"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Enter": "Enter", "ENTER": "Enter", "return": "Enter", "Space": " ", "F12": "F12", "f24": "F24", "+": "+", "Plus": "+",
		"Control+A": "Control A", "cmd+shift+z": "Meta Shift z", "Alt++": "Alt +", "Shift": "Shift", "é": "é", "日": "日",
		"": "", "F0": "", "F25": "", "Fn": "", "A+B": "", "Control+": "Control +", "\x00": "", "Contr\xffl": "",
	} {
		modifiers, last, ok := keyboard.Parse(text)
		var got []string
		for _, modifier := range modifiers {
			got = append(got, modifier.Name)
		}
		if got = append(got, last.Name); ok != (want != "") || ok && strings.Join(got, " ") != want {
			t.Errorf("%q = %q, %v", text, got, ok)
		}
	}
}
