package v1_test

import (
	"testing"

	"github.com/trawlhq/trawl/api/v1"
)

func TestDocument(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`{"markdown":"a \"json\": b","metadata":{"json":1}}`: `{"markdown":"a \"json\": b","metadata":{"json":1}}`,
		`{"markdown":"a","json":{"a":"<b>"},"metadata":{}}`:  `{"markdown":"a","json":{"a":"<b>"},"extract":{"a":"<b>"},"metadata":{}}`,
		`{"json":null}`: `{"json":null,"extract":null}`,
		`{"changeTracking":{"changeStatus":"same","previousScrapeAt":"t"},"html":""}`:      `{"changeTracking":{"changeStatus":"same","previousScrapeAt":"t"},"html":""}`,
		`{"changeTracking":{"diff":"-a","diffJson":{"files":[]},"json":{"x":1}},"json":1}`: `{"changeTracking":{"diff":{"json":{"files":[]},"text":"-a"},"json":{"x":1}},"json":1,"extract":1}`,
	} {
		if got := string(v1.Document([]byte(given))); got != want {
			t.Errorf("%s\nbecame %s\nwant   %s", given, got, want)
		}
	}
}
