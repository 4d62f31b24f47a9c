// Package clients proves that programs written for the API work with this
// service as they are: the official SDKs for JavaScript and Python, also as they were
// before the second version of the API, the MCP server, the command line, and
// frameworks that have a place for them. The tools that are built in are compared with
// those of that server, and tested with the protocol's own conformance suite and
// inspector. "make clients" installs all of them, each in one version, and runs the
// tests of this package, which have the build tag clients.
//
// Three of the packages have end-to-end tests in them, those for JavaScript, Python
// and Rust. These suites run as they are: see suite_test.go, and network_test.go for
// the network in which the names that they read are sites of the test. What does not
// pass is named, with its reason, in docs/compatibility.md. In the same network
// schemathesis makes up requests from the OpenAPI document.
//
// All other tests drive a client. Each starts a service of its own, with a browser,
// a stand-in for the language model and one for web search, and a small website.
// Then it runs the drivers of one client: js, python, mcp and cli are their folders,
// jsv1 and pythonv1 those of clients of the first version, integrations those of
// frameworks. The lines in docs/integrations.md are drivers too (snippet_test.go).
// A driver is a program in the client's language, which succeeds by ending with 0
// and learns from its environment where everything is:
//
//	TRAWL_URL          the service, also as FIRECRAWL_API_URL
//	TRAWL_KEY          a key of a team with credits, also as FIRECRAWL_API_KEY
//	TRAWL_POOR_KEY     a key of a team without
//	TRAWL_PROGRAM      the program, for drivers that start it themselves
//	TRAWL_STRICT_URL   a second service that lets each thing be done once a minute,
//	                   with the same key as the first
//	SITE_URL           the website, see site_test.go
//	PYTHON_V1          a folder with the old Python client
//	LOOPBACK_REFUSED   a file that must stay away: whatever would leave the machine
//	                   is refused by loopback.cjs or loopback.py, which note it there
package clients
