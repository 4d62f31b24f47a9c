package browser

import (
	"testing"

	"github.com/trawlhq/trawl"
	"github.com/trawlhq/trawl/internal/testtime"
)

// A page that the full browser does not survive is not opened in it.
func TestAvoidedHost(t *testing.T) {
	t.Parallel()
	pool := newPool(t)
	for _, address := range []string{"http://chromewebstore.google.com/", "https://chrome.google.com/webstore"} {
		_, err := pool.Render(testtime.Context(t), Request{URL: address, Enhanced: true})
		if trawl.ErrorCode(err) != trawl.CodeUnsupportedSite {
			t.Errorf("%s: %v", address, err)
		}
	}
	if stats := pool.Stats(); stats.Started != 1 || stats.Crashed != 0 {
		t.Errorf("%+v", stats)
	}
}
