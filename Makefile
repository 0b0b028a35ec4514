# Familiar: `make run` opens a chat, `make test` passes every test. Everything else is for those who build it.

GO       ?= go
LINT     := $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
BIN      := bin/familiar
LAB      := bin/familiar-lab
# The binary carries no symbol table and no debug information: a third less to copy. Panics and profiles still name functions
# and lines. For a debugger: make build LDFLAGS=
LDFLAGS  ?= -s -w
PACKAGES := ./...

# SQLite is compiled in, whatever the environment says.
export CGO_ENABLED := 1

.PHONY: run build lab test check format vet lint tidy-diff licences licences-diff docs picture bench bench-short year torture clean tools

run: build
	@$(BIN) chat

build: tools
	@$(GO) build -ldflags="$(LDFLAGS)" -o $(BIN) ./cmd/familiar

# The benchmarks, the simulated year and the comparison are a command of their own.
lab: tools
	@$(GO) build -o $(LAB) ./cmd/familiar-lab

test: tools
	$(GO) test -race -timeout 20m $(PACKAGES)
	$(GO) test -race -timeout 5m -tags onnx ./internal/onnx
	$(GO) test -tags nowhatsapp -run NoWhatsApp ./channels/all

# What CI runs: any difference in format or go.mod, any finding, any failing test ends it.
check: tools format vet lint tidy-diff licences-diff test

format: tools
	@$(LINT) fmt --diff

vet: tools
	$(GO) vet $(PACKAGES)
	$(GO) vet -tags onnx ./internal/onnx
	$(GO) vet -tags nowhatsapp ./cmd/familiar ./channels/all

lint: tools
	$(LINT) run

tidy-diff: tools
	$(GO) mod tidy -diff

# The licences of everything that is linked, in LICENSES.md; licences-diff fails when the file is stale.
licences: tools
	@$(GO) run ./internal/licences

licences-diff: tools
	@$(GO) run ./internal/licences -check

# Every benchmark in one table, with SQLite's full-text index built in for comparison. DATA=DIR names a directory with
# locomo/*.json conversations and factconsolidation/*.json facts; without it recall is left out.
bench: tools
	@$(GO) build -tags sqlite_fts5 -o $(LAB)-fts5 ./cmd/familiar-lab
	@$(LAB)-fts5 bench report $(if $(DATA),--data "$(DATA)")

# The same in seconds rather than minutes, for CI: it shows that everything runs, not how fast.
bench-short: lab
	@$(LAB) bench report --short $(if $(DATA),--data "$(DATA)")
	@$(LAB) simulate --days 60 --people 5

# A year of twenty people, drawn as bin/year.svg.
year: lab
	@$(LAB) simulate --chart bin/year.svg

# Heavier proofs than `make test` has time for.
torture: tools
	FAMILIAR_TORTURE=1 $(GO) test -timeout 30m -run 'Kill|Restart|Crash|Torn|NearIdentical|Idle' ./cmd/familiar ./channels/... ./persona ./memory ./memory/lexical

# The command references docs/cli.md and docs/cli-lab.md, from the help of the commands. A test fails when they are stale.
docs: tools
	@$(GO) test ./cmd/familiar ./cmd/familiar-lab -run '^TestCommandReference$$' -update

# A conversation with the program at a terminal, drawn as docs/conversation.svg.
picture: build
	@cd docs/picture && $(GO) run . ../../$(BIN) > ../../bin/conversation.txt
	@cd docs/picture && $(GO) tool freeze --language ansi --window --padding 20 --font.size 14 \
	  --font.family "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" -o ../conversation.svg < ../../bin/conversation.txt >/dev/null

clean:
	rm -rf bin

# Go and a C compiler are all that is needed; say which is missing and where it is had.
tools:
	@command -v $(GO) >/dev/null 2>&1 || { \
	  echo "familiar needs Go 1.26 or newer: install it from https://go.dev/dl/ and run make again" >&2; exit 1; }
	@cc=$$($(GO) env CC); command -v $${cc%% *} >/dev/null 2>&1 || { \
	  echo "familiar needs a C compiler for SQLite, and '$$cc' was not found: install gcc or clang (Debian, Ubuntu: apt install gcc libc6-dev; macOS: xcode-select --install) and run make again" >&2; exit 1; }
