//go:build clients

package clients_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSchemathesis sends requests that schemathesis makes up from the OpenAPI
// document, right ones and wrong ones, for two minutes at most. They are the same
// each time. No answer may be a fault of the service, and all have a status, a type
// and a body that the document names.
func TestSchemathesis(t *testing.T) {
	privately(t, namesOfSuites, func(t *testing.T) {
		const plenty = "1000000"
		service := startService(t, "SSL_CERT_FILE="+startNames(t, namesOfSuites, 0), "TRAWL_LLM_BASE_URL="+startModel(t), "TRAWL_LLM_MODEL=stand-in",
			"TRAWL_SEARCH_URL="+startNamedSearch(t), "TRAWL_RATE_SCRAPE="+plenty, "TRAWL_RATE_CRAWL="+plenty, "TRAWL_RATE_EXTRACT="+plenty, "TRAWL_RATE_BROWSER="+plenty)
		work := t.TempDir()
		run(t, work, []string{"HOME=" + work, "LANG=C.UTF-8"},
			filepath.Join(installed(t), "venv", "bin", "python"), "-m", "schemathesis.cli", "run", service.url+"/openapi.json",
			"--header=Authorization: Bearer "+firstKey,
			"--checks="+strings.Join([]string{"not_a_server_error", "response_schema_conformance", "content_type_conformance", "status_code_conformance", "response_headers_conformance"}, ","),
			"--phases=examples,coverage", "--max-time=120", "--generation-deterministic", "--continue-on-failure",
			"--exclude-path=/v2/support/ask", // a 503 without jobId is what clients expect there
			"--workers=1", "--request-timeout=60", "--suppress-health-check=all", "--no-color")
	})
}
