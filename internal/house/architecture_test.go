package house

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/tickback/tickback"

// everything is all packages of all modules in go.work.
const everything = "work"

// room is a package, or a tree of packages without those that are rooms of their own, and the
// rooms that it may import. A room stands before the tree that it is in.
// What is not listed here must not be imported, and may not exist.
type room struct {
	path    string // below the module; "." is the root package
	imports []string
}

// anything is a room that may import every other one.
var anything = []string{"*"}

// shared is what a family of commands may import: the parts of the command line that know no
// family, and these of the library. No family knows another.
func shared(library ...string) []string {
	return append([]string{
		"cmd/cli/game", "cmd/cli/internal/build", "cmd/cli/internal/console", "cmd/cli/internal/disk", "cmd/cli/internal/games", "cmd/cli/internal/live",
		"cmd/cli/internal/observe", "cmd/cli/internal/secure", "cmd/cli/internal/terminal", "cmd/cli/internal/words",
	}, library...)
}

var rooms = []room{
	{".", []string{"internal/eventlog", "internal/recording", "internal/tracing", "session", "replay", "rollback", "trace"}},
	{"cabi", []string{".", "canon", "netem", "rollback", "transport"}},
	{"canon", nil},
	{"classic/rbn1", nil},
	{"classic/rplk", nil},
	{"classic", []string{"rollback"}},
	{"cmd/cli/game", []string{".", "rollback", "classic/rplk"}},
	{"cmd/cli/internal/build", nil},
	{"cmd/cli/internal/console", []string{"replay"}},
	{"cmd/cli/internal/disk", []string{"cmd/cli/internal/console", "classic/rplk"}},
	{"cmd/cli/internal/words", []string{"."}},
	{"cmd/cli/internal/games", []string{"cmd/cli/game", "cmd/cli/internal/build", "cmd/cli/internal/console", "cmd/cli/internal/words", ".", "rollback"}},
	{"cmd/cli/internal/terminal", []string{"cmd/cli/internal/console", "."}},
	{"cmd/cli/internal/secure", []string{"cmd/cli/internal/console", "cmd/cli/internal/disk", ".", "online/dtls"}},
	{"cmd/cli/internal/live", []string{"cmd/cli/internal/console", "cmd/cli/internal/secure", "cmd/cli/internal/terminal", "cmd/cli/internal/words", ".", "netem", "online/dtls", "session", "transport"}},
	{"cmd/cli/internal/observe", []string{"cmd/cli/internal/console", "cmd/cli/internal/disk", "cmd/cli/internal/live", ".", "trace"}},
	{"cmd/cli/internal/match", shared(".", "classic", "netem", "online/dtls", "rollback", "session", "transport")},
	{"cmd/cli/internal/play", shared("online")},
	{"cmd/cli/internal/recordings", shared(".", "canon", "classic/rplk", "replay", "wire")},
	{"cmd/cli/internal/reports", shared(".", "canon", "rollback", "session/desync", "wire")},
	{"cmd/cli/internal/scaffold/starter", []string{".", "cmd/cli", "online", "rng", "rollback"}},
	{"cmd/cli/internal/scaffold", shared("detlint")},
	{"cmd/cli/internal/server", shared(".", "journal", "netem", "online", "rollback", "session", "transport", "wire/rate")},
	{"cmd/cli/internal/sim", shared(".", "classic/rplk", "rollback", "trace")},
	{"cmd/cli/internal/soak", shared(".", "fleet", "fleet/hosted", "rollback", "session")},
	{"cmd/cli/internal/spectate", shared(".", "online/dtls", "session", "transport")},
	{"cmd/cli/internal/strict", shared("detlint", "internal/rebuild", "portable/strict")},
	{"cmd/cli/internal/vet", shared("detlint")},
	{"cmd", anything},
	{"compat/ggpo", []string{".", "canon", "rollback", "transport"}},
	{"detlint", nil},
	{"examples/physics", []string{".", "canon", "cmd/cli", "online", "rng", "rollback"}},
	{"examples/nes", []string{".", "canon", "cmd/cli", "netem", "online", "rollback"}},
	{"examples/port", []string{".", "canon", "portable/strict", "rollback", "transport"}},
	{"examples/steering", []string{"rng", "rollback"}},
	{"examples", []string{".", "transport", "games", "rollback", "world", "canon", "fixed", "rng"}},
	{"fixed", nil},
	{"fleet/hosted", []string{"fleet", "session", "rollback", "netem", "canon", "wire"}},
	{"fleet", []string{"session", "replay", "rollback", "netem", "canon", "wire"}},
	{"games", []string{"fixed", "rng", "canon", "rollback", "predict", "world"}},
	{"internal/eventlog", []string{"session", "rollback"}},
	{"internal/floor", nil},
	{"internal/house", nil},
	{"internal/page", nil},
	{"internal/pieces", nil},
	{"internal/rebuild", nil},
	{"internal/recording", []string{"session", "replay", "rollback/effects", "wire/agreed", "wire/rate"}},
	{"internal/tracecheck", nil},
	{"internal/tracing", []string{"session", "rollback", "trace"}},
	{"journal", nil},
	{"netem", nil},
	{"online/internal/toll", []string{".", "games", "online", "transport"}},
	{"online/metrics", []string{"."}},
	{"online", []string{".", "session", "rollback", "transport"}},
	{"play", anything},
	{"portable/strict", []string{"portable"}},
	{"portable", nil},
	{"predict", []string{"canon"}},
	{"replay/tbr/coder", nil},
	{"replay/tbr", []string{"wire/agreed", "wire/rate"}},
	{"replay", []string{"canon", "wire", "rollback", "classic/rplk", "portable/strict"}},
	{"rng", []string{"fixed"}},
	{"rollback/effects", []string{"canon"}},
	{"rollback", []string{"canon", "portable/strict"}},
	{"session/admission", []string{"rollback", "wire/datagram", "wire/rate"}},
	{"session/bulk", []string{"internal/pieces", "wire/datagram"}},
	{"session/desync", []string{"rollback", "wire/agreed", "wire/rate", "canon"}},
	{"session/event", []string{"rollback"}},
	{"session/inputs", []string{"rollback", "wire/datagram"}},
	{"session/lobby", []string{"rollback", "session/stream", "wire/datagram"}},
	{"session/match", []string{"rollback", "session/event", "session/membership", "session/stream"}},
	{"session/membership", []string{"rollback", "wire/datagram"}},
	{"session/pace", []string{"rollback", "wire/datagram", "wire/rate"}},
	{"session/peer", []string{"session/reliable", "wire/datagram"}},
	{"session/reliable", nil},
	{"session/sequencer", []string{"rollback"}},
	{"session/served", []string{"canon", "rollback", "session", "wire"}},
	{"session/shares", nil},
	{"session/sight", []string{"canon", "rollback"}},
	{"session/stream", []string{"canon", "rollback", "wire/agreed", "wire/datagram"}},
	{"session/spectate", []string{"session/admission", "session/bulk", "session/peer", "session/reliable", "session/shares", "wire", "canon", "internal/pieces"}},
	{"session", []string{"rollback", "wire", "canon"}},
	{"tickbacktest", []string{"internal/rebuild", "portable/strict", "fleet", "fleet/hosted", "netem", "session", "rollback", "predict", "canon"}},
	{"trace", nil},
	{"transport", nil},
	{"wire/agreed", []string{"wire/datagram"}},
	{"wire/capture", nil},
	{"wire/datagram", []string{"wire/rate"}},
	{"wire/rate", nil},
	{"world/nav", []string{"fixed"}},
	{"world/near", []string{"fixed"}},
	{"world", []string{"canon", "rollback"}},
}

// goPackage is the part of "go list -json" that matters here.
type goPackage struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
	Export     string
	Module     *struct{ Path string }

	IgnoredGoFiles, CgoFiles, SFiles []string // what GoFiles leaves out on this machine
}

// goList runs "go list -json" with these arguments.
func goList(t testing.TB, environment []string, args ...string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json"}, args...)...)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal("go list:", err)
	}
	var packages []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal("go list:", err)
		}
		packages = append(packages, p)
	}
}

// within reports whether a package is the room or below it.
func within(pkg, roomPath string) bool {
	return pkg == roomPath || strings.HasPrefix(pkg, roomPath+"/")
}

// roomOf returns the room of a package of ours, named relative to the module.
func roomOf(pkg string) (room, bool) {
	i := slices.IndexFunc(rooms, func(r room) bool { return within(pkg, r.path) })
	if i < 0 {
		return room{}, false
	}
	return rooms[i], true
}

// ours returns a package's path below the module, if it is one of ours.
func ours(importPath string) (string, bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// breaches lists what the table does not allow.
func breaches(packages []goPackage) []string {
	var found []string
	for _, p := range packages {
		path, _ := ours(p.ImportPath)
		r, ok := roomOf(path)
		if !ok {
			found = append(found, path+" is in no room")
			continue
		}
		for _, imported := range p.Imports {
			target, ok := ours(imported)
			allowed := func(a string) bool { return a == "*" || within(target, a) }
			if ok && !within(target, r.path) && !slices.ContainsFunc(r.imports, allowed) {
				found = append(found, path+" imports "+target)
			}
		}
	}
	return found
}

// Every package is in a room, every room has a package, and no room imports one
// that its row does not name.
func TestRoomsImportOnlyWhatTheirRowNames(t *testing.T) {
	packages := goList(t, nil, everything)
	for _, b := range breaches(packages) {
		t.Error(b)
	}
	for i, r := range rooms {
		if j := slices.IndexFunc(rooms[:i], func(before room) bool { return within(r.path, before.path) }); j >= 0 {
			t.Errorf("the room %s stands behind %s, which it is in, so that it never counts", r.path, rooms[j].path)
		}
		if !slices.ContainsFunc(packages, func(p goPackage) bool { path, _ := ours(p.ImportPath); return within(path, r.path) }) {
			t.Errorf("the room %s is empty: take it off the table", r.path)
		}
	}
}

// The negative control of the test above.
func TestBreachesAreFound(t *testing.T) {
	for _, c := range []struct{ pkg, imports, want string }{
		{"fixed", "rng", "fixed imports rng"},
		{"classic/rbn1", "canon", "classic/rbn1 imports canon"},
		{"games/duel", "classic/rplk", "games/duel imports classic/rplk"},
		{"rngtools", "fixed", "rngtools is in no room"},
		{"rng", "fixedpoint", "rng imports fixedpoint"},
		{"rng", "fixed", ""},
		{"replay", "replay/other", ""},
		{"session/peer", "session/spectate", "session/peer imports session/spectate"},
		{"session", "session/spectate", ""},
		{"cmd/cli/internal/match", "cmd/cli/internal/soak", "cmd/cli/internal/match imports cmd/cli/internal/soak"},
		{"cmd/cli/internal/console", "cmd/cli/internal/words", "cmd/cli/internal/console imports cmd/cli/internal/words"},
		{"cmd/cli", "classic/rplk", ""},
	} {
		got := breaches([]goPackage{{ImportPath: module + "/" + c.pkg, Imports: []string{module + "/" + c.imports}}})
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s importing %s: %q, want %q", c.pkg, c.imports, got, c.want)
		}
	}
}

// Browsers are driven by tests, and by what measures pages: only these import chromedp,
// and nothing but tests imports the packages for that.
func TestBrowsersAreForTests(t *testing.T) {
	const drives, measures, driver = module + "/online/browsertest", module + "/play/cmd/pace", "github.com/chromedp/"
	found := 0
	for _, p := range goList(t, nil, everything) {
		for _, i := range p.Imports {
			switch {
			case p.ImportPath == drives && strings.HasPrefix(i, driver):
				found++ // so that the names here are those that there are
			case strings.HasPrefix(i, driver) && p.ImportPath != measures, within(i, drives) && !within(p.ImportPath, drives):
				t.Errorf("%s imports %s", p.ImportPath, i)
			}
		}
	}
	if found == 0 {
		t.Errorf("%s imports nothing of %s", drives, driver)
	}
}

// circle returns rooms that import each other in a circle, or none: floor by
// floor it takes away those that import none of the rest. Rooms that may import
// anything are the roof, which no row names.
func circle(table []room) []string {
	var left []string
	rows := map[string][]string{}
	for _, r := range table {
		if !slices.Equal(r.imports, anything) {
			left, rows[r.path] = append(left, r.path), r.imports
		}
	}
	for len(left) > 0 {
		var above []string // those that import one that is left
		for _, path := range left {
			if slices.ContainsFunc(rows[path], func(i string) bool { return slices.Contains(left, i) }) {
				above = append(above, path)
			}
		}
		if len(above) == len(left) {
			return left
		}
		left = above
	}
	return nil
}

// The rooms can be laid out in floors: each imports only from floors below.
func TestTheTableHasNoCircle(t *testing.T) {
	if c := circle(rooms); c != nil {
		t.Errorf("these import each other in a circle: %v", c)
	}
	// The negative control.
	bad := []room{{"a", []string{"b"}}, {"b", []string{"c"}}, {"c", []string{"a"}}, {"d", []string{"a"}}, {"e", nil}}
	if c := circle(bad); !slices.Equal(c, []string{"a", "b", "c", "d"}) {
		t.Errorf("a circle went unnoticed: %v", c)
	}
}

// reached lists the modules that a user of these packages gets into the build,
// on any system.
func reached(t *testing.T, patterns ...string) []string {
	t.Helper()
	var modules []string
	for _, system := range []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64", "js/wasm"} {
		goos, goarch, _ := strings.Cut(system, "/")
		environment := []string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}
		for _, p := range goList(t, environment, append([]string{"-deps"}, patterns...)...) {
			if p.Module != nil {
				modules = append(modules, p.Module.Path)
			}
		}
	}
	slices.Sort(modules)
	return slices.Compact(modules)
}

// A user of the library gets these modules into the build, and no other; one who
// tests with it, one more.
func TestModuleSet(t *testing.T) {
	var patterns []string
	for _, r := range rooms {
		if r.path != "cabi" && !within(r.path, "cmd") && r.path != "detlint" && !within(r.path, "examples/physics") && !within(r.path, "examples/nes") && !within(r.path, "examples/port") && !within(r.path, "examples/steering") && !within(r.path, "online") && r.path != "play" && r.path != "tickbacktest" {
			patterns = append(patterns, "./"+r.path+"/...")
		}
	}
	patterns[0] = "." // not the tree below it
	want := []string{
		"github.com/klauspost/compress", // keyframes and orders of recordings; states for late joiners
		"github.com/klauspost/cpuid/v2", // of xxh3
		module,
		"github.com/zeebo/xxh3",
	}
	if got := reached(t, patterns...); !slices.Equal(got, want) {
		t.Errorf("the modules are %v, want %v", got, want)
	}
	want = append(want, "pgregory.net/rapid")
	if got := reached(t, "./tickbacktest"); !slices.Equal(got, want) {
		t.Errorf("the modules of tickbacktest are %v, want %v", got, want)
	}
}
