# Everything a developer runs. "make help" lists it; the README explains it.

GO      ?= go
BIN     := bin
# Every module of the workspace, as patterns for the go command.
ALL     := ./... ./cmd/... ./metrics/...
# Where staticcheck and gofumpt are built, from the versions in tools/go.mod.
TOOLS   := $(BIN)/tools

.DEFAULT_GOAL := help
.PHONY: help play test race test-arch fuzz soak bench check fmt build clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build the command line into bin/
	$(GO) build -o $(BIN)/ ./cmd/tickback

play: build ## replay the recorded matches and prove how they end
	$(BIN)/tickback replay verify testdata
	@$(BIN)/tickback replay verify testdata/brawl-a.rplk --expect 0x1B977CCD >/dev/null
	@$(BIN)/tickback replay verify testdata/empty.rplk --expect 0xA34E9FF4 >/dev/null
	@echo "Both of RPLK end as the independent program that recorded them says."

test: ## run all tests
	$(GO) test $(ALL)

race: ## run the tests with goroutines under the race detector (needs a C compiler)
	scripts/race.sh

test-arch: ## run the frozen tests on nine other machines, emulated, and on three all
	scripts/test-arch.sh

fuzz: ## fuzz every decoder for a while (FUZZTIME=10s each)
	scripts/fuzz.sh

soak: ## play 1,000 matches each of 2, 3, 4 and 8 players on bad networks (SEEDS=1000)
	scripts/soak.sh

bench: ## measure, and print the tables of docs/benchmarks.md
	scripts/bench.sh

check: ## vet, staticcheck, formatting, tidy modules, other operating systems
	scripts/check.sh

fmt: ## format all sources
	@scripts/tools.sh
	$(TOOLS)/gofumpt -l -w .

clean: ## remove what was built
	rm -rf $(BIN)
