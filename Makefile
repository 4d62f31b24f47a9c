# Trawl. "make run" starts the service, "make test" checks everything.
GO      ?= go
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS  = -s -w -X github.com/trawlhq/trawl.Version=$(VERSION)

# The race detector needs a C compiler; without one the tests run plain.
RACE := $(shell command -v gcc >/dev/null 2>&1 && echo -race)

# Modules beside the main one, for what only they need.
MODULES = bench/content bench/crawl

STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: run build test clients lint bench bench-content bench-docs bench-crawl bench-browser bench-sessions bench-mcp bench-documents soak docs clean

run: build ## install a browser, start the service, print the first key, scrape a sample page
	./scripts/setup run
	./bin/trawl serve --demo

build:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/trawl ./cmd/trawl

test: ## install what the tests need and run them all
	./scripts/setup
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "not formatted: $$unformatted"; exit 1; }
	$(GO) vet ./...
	for module in $(MODULES); do (cd $$module && $(GO) vet ./... && $(GO) test ./...) || exit 1; done
	$(GO) test $(RACE) -timeout 1h ./...

clients: ## install the official clients, drive each of them against the service, run the tests that they ship
	./scripts/setup clients
	$(GO) vet -tags clients ./clients
	cd clients && $(GO) test -count=1 -tags clients -parallel 4 -timeout 30m

lint:
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

bench: build ## print the figures of docs/benchmarks.md
	$(GO) run ./bench -binary ./bin/trawl

bench-content: ## the same for content, over saved pages: make bench-content PAGES=folder
	cd bench/content && $(GO) run . -pages $(abspath $(PAGES))

bench-docs: build ## the same for documentation, its pages alone and whole sites: make bench-docs DOCS=folder
	cd bench/content && $(GO) run . -docs $(abspath $(DOCS)) -packages
	$(GO) run ./bench/sites -binary ./bin/trawl -docs $(abspath $(DOCS))

bench-crawl: build ## the same for crawls, next to colly
	cd bench/crawl && $(GO) run . -binary ../../bin/trawl

bench-browser: build ## the same for pages that are rendered, next to a bare client
	$(GO) run ./bench -binary ./bin/trawl -browser all

bench-sessions: build ## the same for remote browsers, next to one that is not remote
	$(GO) run ./bench -binary ./bin/trawl -sessions all

bench-mcp: build ## the same for tools for language models, next to the same by POST
	$(GO) run ./bench -binary ./bin/trawl -mcp

bench-documents: ## the same for files, over a folder of them: make bench-documents FILES=folder
	$(GO) run ./bench/document -files $(abspath $(FILES))

SOAK ?= 1h

soak: build ## everything at the same time for an hour, and what the service holds meanwhile: make soak SOAK=10m
	$(GO) run ./bench -binary ./bin/trawl -soak $(SOAK)

docs: ## write the documentation that is generated from code
	$(GO) test ./cmd/trawl -run TestReference -update

clean:
	rm -rf bin
