# Everything a developer runs. "make help" lists it; the README explains it.

GO      ?= go
BIN     := bin
# The modules of the workspace, as patterns for the go command: first those that take
# longest to build, so that the others are tested meanwhile.
ALL     := ./play/... ./online/... ./... ./cmd/... ./cabi/... ./detlint/... ./examples/nes/...
# The examples with floats, each a module of its own, which are tested in strict builds.
FLOATS  := ./examples/physics/... ./examples/steering/... ./examples/port/...
# Many tests wait for a clock, so that more of them than processors run at once.
AT_ONCE := $$(( $$(getconf _NPROCESSORS_ONLN) + 2 ))
# Where staticcheck and gofumpt are built, from the versions in tools/go.mod.
TOOLS   := $(BIN)/tools

# What a window needs on Debian.
WINDOW  := gcc libc6-dev libgl1-mesa-dev libxcursor-dev libxi-dev libxinerama-dev libxrandr-dev libxxf86vm-dev libasound2-dev pkg-config

# Tests are of the build without the command line's profile (docs/reference/performance.md): with it, all that
# the command line imports would be compiled once more, and once more for its tests.
test test-long test-browser race check: export GOFLAGS += -pgo=off

.DEFAULT_GOAL := help
.PHONY: performance instructions peers pgo floats detlint digest help film play play-build play-release play-desktop play-screens replays test test-strict test-long test-browser audit race test-arch vulncheck notices fuzz soak soak-long soak-skirmish mutate mutate-deliberate load bench release release-dry-run check fmt build clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

digest: ## write the digests of the games' rules, the engine and the protocol, if they have changed
	@out=$$($(GO) test -count=1 ./games/digest -run Digests -update) || { echo "$$out"; exit 1; }

build: digest ## build the command line into bin/
	$(GO) build -o $(BIN)/ ./cmd/tickback

play: build play-build ## build the games, and play them in the browser (PLAY_FLAGS="--listen :8080")
	@$(BIN)/tickback play --open $(PLAY_FLAGS)

play-build: digest ## build the page of the games into bin/web, quickly
	@$(GO) run ./play/cmd/pack -o $(BIN)/web || { \
		echo "The page was not built: see above. The first time takes the network, for modules, and 1 GB of disk."; exit 1; }

play-release: digest ## the same, as small as possible, and check that it is small enough
	$(GO) run ./play/cmd/pack -o $(BIN)/web -release

play-desktop: digest ## build the games for a window, as bin/tickback-play
	@[ "$$($(GO) env GOOS)" != linux ] || { [ "$$($(GO) env CGO_ENABLED)" = 1 ] && command -v "$$($(GO) env CC)" && \
		pkg-config --exists gl x11 xcursor xi xinerama xrandr xxf86vm alsa; } >/dev/null 2>&1 || { \
		echo "A window needs a C compiler and some headers. On Debian and Ubuntu:"; \
		echo "  sudo apt-get install $(WINDOW)"; exit 1; }
	$(GO) build -tags desktop -o $(BIN)/ ./play/cmd/tickback-play
	@echo "Start it: $(BIN)/tickback-play"

replays: build ## replay the recorded matches and prove how they end
	$(BIN)/tickback replay verify testdata
	@$(BIN)/tickback replay verify testdata/brawl-a.rplk --expect 0x1B977CCD >/dev/null
	@$(BIN)/tickback replay verify testdata/empty.rplk --expect 0xA34E9FF4 >/dev/null
	@echo "Both .rplk files end as the independent program that recorded them says."

film: ## paint the moving picture of the README
	$(GO) run ./play/cmd/film

play-screens: ## paint all screens of the games, in four sizes, into bin/screens, to be looked at
	@mkdir -p $(BIN)/screens
	$(GO) test -artifacts -outputdir $(abspath $(BIN)/screens) -timeout 30m -run 'Screens|Poses|Page|Window|Seen|Sight' ./play/...

test: ## run the tests of all packages, without what takes long
	$(GO) test -short -timeout 20m -p $(AT_ONCE) $(TESTFLAGS) $(ALL)

test-long: ## run all tests with what takes long: searches, processes, browsers, windows
	scripts/test-long.sh

test-strict: ## run the tests of the examples with floats in strict builds
	$(GO) run ./cmd/tickback test --strict -vet=off -short -timeout 20m $(FLOATS)

test-browser: ## run all tests with a browser, also those that test-long leaves out (needs chromium and firefox-esr)
	TICKBACK_BROWSER=all $(GO) test -timeout 30m ./online/... ./play/cmd/... ./play/tutorial/...

audit: ## have axe-core look at the page around the games (needs npm and chromium)
	scripts/audit.sh

race: ## run the tests with goroutines under the race detector (needs a C compiler)
	scripts/race.sh

test-arch: ## run the frozen tests on nine other machines, emulated, and on three all; floats strictly
	scripts/test-arch.sh

fuzz: ## fuzz every decoder for a while (FUZZTIME=10s each)
	scripts/fuzz.sh

soak: ## play 1,000 matches each of 2, 3, 4 and 8 players on bad networks (SEEDS=1000 SEED=1)
	scripts/soak.sh

soak-skirmish: ## play 40 minutes of eight armies with 5,000 units, in rollback and in lockstep (LENGTH=40m SEED=2)
	scripts/soak.sh -skirmish

soak-long: ## play 50,000 matches of both games, go on after an interrupt, and report
	scripts/soak.sh -long

mutate: ## change the source by small mistakes, and list those that no test notices (COUNT=60)
	scripts/mutate.sh

mutate-deliberate: ## make protocol mistakes on purpose, and say which tests notice each
	scripts/mutate.sh -deliberate

load: ## measure the room server with 2,000 members, and attackers beside them
	$(GO) build -o $(BIN)/ ./online/internal/load
	@$(BIN)/load

floats: ## measure what strict floats cost frames and builds, and print the tables of docs/floats.md
	scripts/floats.sh

bench: ## measure, and print the tables of docs/benchmarks.md
	scripts/bench.sh

performance: ## measure, and print the tables of docs/reference/performance.md (about ten minutes)
	scripts/performance.sh

instructions: ## count the instructions of a frame, which says more than its time (needs valgrind)
	scripts/instructions.sh

peers: ## measure beside other libraries, in Rust and C++, and print the tables of docs/reference/peers.md (20 minutes; needs Cargo and g++)
	scripts/peers.sh

pgo: ## record the profile with which the command line is built
	scripts/pgo.sh

release: ## tag all modules in this checkout, and build the archives into bin/release (VERSION=v0.1.0); publishes nothing
	scripts/release.sh $(VERSION)
	scripts/archives.sh $(VERSION) $(BIN)/release

release-dry-run: ## tag all modules in a scratch clone, and be the first user of the release
	scripts/release-dry-run.sh

check: ## vet, staticcheck, formatting, tidy modules, other operating systems
	scripts/check.sh

detlint: ## look for what can make machines diverge, in games, examples, and all that has to be deterministic
	scripts/detlint.sh

vulncheck: ## look for known vulnerabilities in what is called (needs their database, or a copy: GOVULNDB=file:///…)
	@scripts/vulncheck.sh

notices: ## write the licences of all that is built into what ships, after a change of a go.mod
	@scripts/tools.sh
	$(TOOLS)/notices

fmt: ## format all sources
	@scripts/tools.sh
	$(TOOLS)/gofumpt -l -w .

clean: ## remove what was built
	rm -rf $(BIN)
