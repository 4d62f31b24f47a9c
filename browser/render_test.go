package browser

import (
	"strings"
	"testing"
	"time"
)

func TestRender(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	base := site(t, map[string]string{
		"/": `<!doctype html><title>Script</title><div id=root></div>
			<script>setTimeout(() => { root.innerHTML = '<h1>It came by script</h1>' }, 200)</script>`,
	})
	result, err := pool.Render(within(t, 20*time.Second), Request{URL: base + "/", Country: "DE", Languages: []string{"de-DE"}})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(result.HTML, "<h1>It came by script</h1>") || result.Status != 200 || result.URL != base+"/" || result.ContentType != "text/html" {
		t.Errorf("result = %+v", result)
	}
}
