# Targets describe themselves: `make` lists them.
.DEFAULT_GOAL := help

export GOTOOLCHAIN := local

version = $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
commit = $(shell git rev-parse HEAD 2>/dev/null || echo unknown)
staticcheck = go tool -modfile=tools/go.mod staticcheck
FUZZTIME ?= 10s

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## run the service with a demonstration library
	go run ./cmd/cradle demo

.PHONY: build
build: ## build bin/cradle, a static binary
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(version) -X main.commit=$(commit)' -o bin/cradle ./cmd/cradle

.PHONY: setup
setup: ## install missing tools for building and testing
	@scripts/setup

# The translated C of SQLite has no Go synchronisation to check; instrumenting it costs five sixths of the tests' time.
race = -race -gcflags='modernc.org/...=-race=false'
# Otherwise each package's tests sleep a second before they end.
export GORACE := atexit_sleep_ms=0

.PHONY: test
test: setup lint ## set up, lint, and run all tests with the race detector on SQLite and PostgreSQL
	CGO_ENABLED=1 CRADLE_GRAPHQL_ORACLE=required scripts/with-postgres scripts/left-out go test -count=1 $(race) -timeout 40m ./...

.PHONY: lint
lint: ## check formatting, and run go vet and staticcheck
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	$(staticcheck) ./...

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME (10s) each
	scripts/fuzz $(FUZZTIME)

.PHONY: mutants
mutants: ## check that the tests catch the faults in test/mutants; NAMES=… for some of them
	scripts/mutants $(NAMES)

.PHONY: bench
bench: ## run the benchmarks (installs SuiteSparse); QUICK=1 for a short run
	@scripts/setup --bench
	cd bench && go run . $(if $(QUICK),-quick) $(BENCHFLAGS)

.PHONY: interop
interop: ## compare scores with openLCA and Brightway (installs Java, Maven and Python)
	@scripts/setup --interop
	go run ./interop

.PHONY: cover
cover: ## measure test coverage, with details in bin/cover.html
	@mkdir -p bin
	scripts/with-postgres scripts/left-out go test -coverpkg=./... -coverprofile=bin/cover.out ./...
	go tool cover -html=bin/cover.out -o bin/cover.html
	@go tool cover -func=bin/cover.out | tail -n 1

.PHONY: picture
picture: ## draw docs/packages.svg from the imports
	go run scripts/packages.go > docs/packages.svg

.PHONY: clean
clean: ## remove build output
	rm -rf bin
