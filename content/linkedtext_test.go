package content_test

import (
	"strings"
	"testing"

	"github.com/trawlhq/trawl/content"
)

const linkedPage = `<html><head><title>A thread</title><script type="application/ld+json">
{"@type":"DiscussionForumPosting","headline":"How far do you get?","text":"I got %FAR% and the battery was empty.\nNobody told me.",
"comment":[{"@type":"Comment","text":"<p>That is <b>far<\/b>.<\/p>","author":{"@type":"Person","name":"Ann"}}]}</script></head><body>%BODY%</body></html>`

// TestLinkedText reads pages whose content is only in their linked data.
func TestLinkedText(t *testing.T) {
	t.Parallel()
	far := strings.Repeat("as far as the hills ", 15) + "\\u2014 yes"
	empty := strings.NewReplacer("%FAR%", far, "%BODY%", "<div id=app>Loading</div>").Replace(linkedPage)
	for _, main := range []bool{true, false} {
		markdown := asMarkdown(parse(empty), content.Options{OnlyMain: main})
		for _, want := range []string{"How far do you get?", "as far as the hills — yes and the battery was empty.\n\nNobody told me.", "That is **far**."} {
			if !strings.Contains(markdown, want) {
				t.Errorf("main %v: %q is missing in %q", main, want, markdown)
			}
		}
		if strings.Contains(markdown, "Ann") {
			t.Errorf("main %v: the author's data is in %q", main, markdown)
		}
	}
	full := strings.NewReplacer("%FAR%", far, "%BODY%", "<p>"+strings.Repeat("There is enough to read. ", 20)).Replace(linkedPage)
	if markdown := asMarkdown(parse(full), content.Options{}); strings.Contains(markdown, "hills") {
		t.Errorf("a page with text of its own got that of its linked data: %q", markdown)
	}
}
