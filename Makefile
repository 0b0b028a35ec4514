# Familiar: `make run` opens a chat, `make test` runs all tests. The other targets are for development.

GO       ?= go
LINT     := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
BIN      := bin/familiar
LAB      := bin/familiar-lab
# The binary has no symbol table and no debug information, which makes it a third smaller. Panics and profiles still name
# functions and lines. For a debugger: make build LDFLAGS=
LDFLAGS  ?= -s -w
PACKAGES := ./...

# SQLite needs cgo, regardless of the environment.
export CGO_ENABLED := 1

.PHONY: run build lab release test race postgres postgres-short check format vet lint tidy-diff licences licences-diff templates templates-diff docs picture screenshots bench bench-short year reader evidence torture clean tools

run: build
	@$(BIN) chat

build: tools
	@$(GO) build -ldflags="$(LDFLAGS)" -o $(BIN) ./cmd/familiar

# familiar-lab contains the benchmarks, the talk probes, the simulated year and the comparison.
lab: tools
	@$(GO) build -o $(LAB) ./cmd/familiar-lab

# bin/release: one static, position-independent binary that needs no library, with its checksum and the list of what is in it
# (CycloneDX). The version is the one of git; the same commit and toolchain give the same bytes.
RELEASE := bin/release
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
SBOM    := $(GO) run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0

release: tools
	@mkdir -p $(RELEASE)
	@$(GO) build -trimpath -buildmode=pie -tags netgo,osusergo,sqlite_omit_load_extension \
	  -ldflags='-s -w -linkmode=external -extldflags "-static-pie -Wl,-z,relro,-z,now" -X familiar/cmd/familiar/internal/version.version=$(VERSION)' \
	  -o $(RELEASE)/familiar ./cmd/familiar
	@$(GO) run ./internal/release $(RELEASE)/familiar
	@$(SBOM) bin -json -output $(RELEASE)/familiar.cdx.json -version $(VERSION) $(RELEASE)/familiar
	@cd $(RELEASE) && sha256sum familiar familiar.cdx.json > SHA256SUMS && cat SHA256SUMS

# All tests, in a few minutes. race runs the same with the race detector, which takes three times as long. The slowest packages
# come first, so that no processor waits for them at the end; without a symbol table a hundred test binaries link twice as fast.
# vet is a target of its own.
TEST = $(GO) test $(RACE) -vet=off -ldflags="-s -w"

test: tools
	$(TEST) -timeout 20m ./cmd/familiar ./persona ./memory $(PACKAGES)
	$(TEST) -timeout 5m -tags onnx ./internal/onnx
	$(TEST) -tags nowhatsapp -run NoWhatsApp ./channels/all

race: RACE := -race
race: test

# The tests of the store, and of what is built on it, on PostgreSQL. Only those that are about SQLite's file are skipped. CI leaves out
# most of what is built on it, and the tests of the whole library and the jobs that are not about a requirement (postgres-short).
ON_POSTGRES = FAMILIAR_TEST_DATABASE=postgres $(GO) test -vet=off -ldflags="-s -w" -timeout 20m

postgres: tools
	$(ON_POSTGRES) ./persona ./memory ./memory/... ./persona/... ./internal/app/... ./internal/backup/... ./web/...

postgres-short: tools
	$(ON_POSTGRES) $$($(GO) list ./memory/... | grep -v '/memory$$')
	$(ON_POSTGRES) -run 'Test[A-Z][0-9]|CachedSessions' ./memory ./persona/jobs

# What CI runs, in both modules. It fails on unformatted code, an untidy go.mod, lint findings, stale files and failing tests.
check: tools format vet lint tidy-diff licences-diff templates-diff race postgres-short

format: tools
	@$(LINT) fmt --diff

vet: tools
	$(GO) vet $(PACKAGES)
	$(GO) vet -C docs/picture ./...
	$(GO) vet -tags onnx ./internal/onnx
	$(GO) vet -tags nowhatsapp ./cmd/familiar ./channels/all

lint: tools
	$(LINT) run
	cd docs/picture && $(LINT) run

tidy-diff: tools
	$(GO) mod tidy -diff
	$(GO) mod tidy -C docs/picture -diff

# Writes LICENSES.md, the licences of all linked modules. licences-diff fails if the file is stale.
licences: tools
	@$(GO) run ./internal/licences

licences-diff: tools
	@$(GO) run ./internal/licences -check

# Writes the Go code of the dashboard's pages from web/**/*.templ. It is committed, so that building needs Go only. templates-diff
# fails if it is stale.
TEMPL := $(GO) run github.com/a-h/templ/cmd/templ@v0.3.1118

templates: tools
	@$(TEMPL) fmt web
	@$(TEMPL) generate -path web

templates-diff: tools
	@before=$$(find web -name '*.templ' -o -name '*_templ.go' | sort | xargs sha256sum); $(MAKE) -s templates >/dev/null 2>&1; \
	  [ "$$before" = "$$(find web -name '*.templ' -o -name '*_templ.go' | sort | xargs sha256sum)" ] || \
	  { echo "the pages of the dashboard are stale or unformatted: run make templates and commit what it writes" >&2; exit 1; }

# Shows all benchmarks in one table, built with SQLite's full-text index for comparison. DATA=DIR names a directory with
# locomo/*.json conversations and factconsolidation/*.json facts; without it recall is skipped.
bench: tools
	@$(GO) build -tags sqlite_fts5 -o $(LAB)-fts5 ./cmd/familiar-lab
	@$(LAB)-fts5 bench report $(if $(DATA),--data "$(DATA)")

# A short version for CI that takes seconds: it shows that everything works, not how fast it is.
bench-short: lab
	@$(LAB) bench report --short $(if $(DATA),--data "$(DATA)")
	@$(LAB) simulate --days 60 --people 5

# Simulates a year of twenty people and draws bin/year.svg.
year: lab
	@$(LAB) simulate --chart bin/year.svg

# Trains the reader of messages on memory/understand/sentences/train. The same messages give the same bytes.
reader: lab
	@$(LAB) reader train

# Trains what tells which words answer a question on internal/lab/talk/probes and qa, in twenty minutes. Run it after `make reader`.
evidence: lab
	@$(LAB) evidence train

# Long stress tests that `make test` leaves out.
torture: tools
	FAMILIAR_TORTURE=1 $(GO) test -timeout 30m -run 'WhicheverCallFails|Kill|Restart|Crash|Torn|R14|M1|R8|NearIdentical|Idle|Weights|Stopping|LeavesNothing|CachedRecent|UpdatedIndex|OnlyNewMemories|D1EveryPage' ./cmd/familiar ./cmd/familiar/internal/dashboard ./channels/... ./persona ./memory ./memory/internal/db ./internal/backup ./memory/lexical ./memory/understand/reader

# Writes the command references docs/cli.md and docs/cli-lab.md from the help texts. A test fails if they are stale.
docs: tools
	@$(GO) test ./cmd/familiar ./cmd/familiar-lab -run '^TestCommandReference$$' -update

# Draws docs/conversation.svg, a conversation with the program in a terminal.
picture: build
	@cd docs/picture && $(GO) run . ../../$(BIN) > ../../bin/conversation.txt
	@cd docs/picture && $(GO) tool freeze --language ansi --window --padding 20 --font.size 14 \
	  --font.family "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" -o ../conversation.svg < ../../bin/conversation.txt >/dev/null

# Takes the pictures of the dashboard that README.md and docs/dashboard.md show, of a simulated year. It needs Chromium.
screenshots: tools
	FAMILIAR_SCREENSHOTS=$(CURDIR)/docs/screenshots $(GO) test ./cmd/familiar/internal/dashboard -run '^TestScreenshots$$' -count 1 -timeout 15m

clean:
	rm -rf bin

# Go and a C compiler are the only requirements; the errors say how to install a missing one.
tools:
	@command -v $(GO) >/dev/null 2>&1 || { \
	  echo "familiar needs Go 1.26 or newer: install it from https://go.dev/dl/ and run make again" >&2; exit 1; }
	@cc=$$($(GO) env CC); command -v $${cc%% *} >/dev/null 2>&1 || { \
	  echo "familiar needs a C compiler for SQLite, and '$$cc' was not found: install gcc or clang (Debian, Ubuntu: apt install gcc libc6-dev; macOS: xcode-select --install) and run make again" >&2; exit 1; }
