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

.PHONY: run build lab release test race check format vet lint tidy-diff licences licences-diff docs picture bench bench-short year reader evidence torture clean tools

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

# All tests, in a few minutes. race runs the same with the race detector, which takes three times as long.
test: tools
	$(GO) test $(RACE) -timeout 20m $(PACKAGES)
	$(GO) test $(RACE) -timeout 5m -tags onnx ./internal/onnx
	$(GO) test -tags nowhatsapp -run NoWhatsApp ./channels/all

race: RACE := -race
race: test

# What CI runs, in both modules. It fails on unformatted code, an untidy go.mod, lint findings, stale files and failing tests.
check: tools format vet lint tidy-diff licences-diff race

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
	FAMILIAR_TORTURE=1 $(GO) test -timeout 30m -run 'Kill|Restart|Crash|Torn|R14|M1|R8|NearIdentical|Idle|Weights|Stopping|LeavesNothing|CachedRecent|UpdatedIndex|OnlyNewMemories' ./cmd/familiar ./channels/... ./persona ./memory ./memory/internal/db ./internal/backup ./memory/lexical ./memory/understand/reader

# Writes the command references docs/cli.md and docs/cli-lab.md from the help texts. A test fails if they are stale.
docs: tools
	@$(GO) test ./cmd/familiar ./cmd/familiar-lab -run '^TestCommandReference$$' -update

# Draws docs/conversation.svg, a conversation with the program in a terminal.
picture: build
	@cd docs/picture && $(GO) run . ../../$(BIN) > ../../bin/conversation.txt
	@cd docs/picture && $(GO) tool freeze --language ansi --window --padding 20 --font.size 14 \
	  --font.family "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" -o ../conversation.svg < ../../bin/conversation.txt >/dev/null

clean:
	rm -rf bin

# Go and a C compiler are the only requirements; the errors say how to install a missing one.
tools:
	@command -v $(GO) >/dev/null 2>&1 || { \
	  echo "familiar needs Go 1.26 or newer: install it from https://go.dev/dl/ and run make again" >&2; exit 1; }
	@cc=$$($(GO) env CC); command -v $${cc%% *} >/dev/null 2>&1 || { \
	  echo "familiar needs a C compiler for SQLite, and '$$cc' was not found: install gcc or clang (Debian, Ubuntu: apt install gcc libc6-dev; macOS: xcode-select --install) and run make again" >&2; exit 1; }
