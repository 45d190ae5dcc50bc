package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ending is the line that the example writes at the end of a match.
var ending = regexp.MustCompile(`^frames (\d+) score \d+:\d+ health (\d) sum ([0-9a-f]{16}) rollbacks (\d+) resimulated \d+ pocks (\d+)\n$`)

// sameEnd checks that two players had the same match, with rollbacks, and that both have heard each hit of the ball.
func sameEnd(t *testing.T, lines []string, frames string) {
	t.Helper()
	var ends [][]string
	for _, line := range lines {
		m := ending.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("an example ends with %q", line)
		}
		if m[1] != frames || m[2] != "1" || m[4] == "0" {
			t.Errorf("want %s frames, health 1 and rollbacks: %s", frames, line)
		}
		ends = append(ends, m)
	}
	if ends[0][3] != ends[1][3] || ends[0][5] != ends[1][5] || ends[0][5] == "0" {
		t.Errorf("the ends differ: %q", lines)
	}
}

// Two processes play the example over UDP, on a network that is as bad as we have.
func playInC(t *testing.T, flags ...string) {
	program := compile(t, "examples/c/pong.c", flags...)
	p := ports(t, 2)
	record := filepath.Join(t.TempDir(), "pong.tbr")
	sameEnd(t, together(t,
		exec.Command(program, "0", p[0], p[1], "--net", "awful", "--frames", "240", "--record", record),
		exec.Command(program, "1", p[1], p[0], "--net", "awful", "--log"),
	), "240")
	if info, err := os.Stat(record); err != nil || info.Size() == 0 {
		t.Error("the recording:", info, err)
	}
}

func TestTheExampleInCPlays(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library, and plays for some seconds")
	}
	playInC(t)
}

func TestTheExampleInCPlaysUnderSanitizers(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library, and plays for some seconds")
	}
	playInC(t, sanitized...)
}

// Every wrong use is an error. Under sanitizers, so that nothing else has happened, and nothing is left behind.
func TestWrongUseIsAnError(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library")
	}
	for _, flags := range [][]string{nil, sanitized} {
		if got := run(t, compile(t, "testdata/errors.c", flags...)); got != "ok\n" {
			t.Errorf("it says %q", got)
		}
	}
}

// All kinds of sessions, over a transport of the program's own. Under sanitizers, as above.
func TestAllSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library, and plays for some seconds")
	}
	if got := run(t, compile(t, "testdata/sessions.c", sanitized...), t.TempDir()); got != "ok\n" {
		t.Errorf("it says %q", got)
	}
}

// Games whose state is no block, in all that they can do right and wrong. Under sanitizers, as above.
func TestStatesThatAreNoBlock(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library, and plays for some seconds")
	}
	if got := run(t, compile(t, "testdata/own.c", sanitized...), t.TempDir()); got != "ok\n" {
		t.Errorf("it says %q", got)
	}
}

// What machines do besides playing: lobbies, messages, orders, pauses, kicks. Under sanitizers, as above.
func TestLobbiesOrdersAndPauses(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library, and plays for some seconds")
	}
	p := ports(t, 2)
	if got := run(t, compile(t, "testdata/lobby.c", sanitized...), t.TempDir(), p[0], p[1]); got != "ok\n" {
		t.Errorf("it says %q", got)
	}
}

// functions are those that the header declares.
func functions(t *testing.T) []string {
	t.Helper()
	header, err := os.ReadFile("include/tickback.h")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^[a-z][a-z0-9_ ]*[ *](tb_\w+)\([^{;]*\);$`).FindAllSubmatch(header, -1) {
		names = append(names, string(m[1]))
	}
	if slices.Sort(names); len(names) < 20 {
		t.Fatalf("the header has only %q", names)
	}
	return names
}

// firstFunctions are those of the first version of the header. Programs ask for them by that version, for ever.
const firstFunctions = "tb_advance tb_close tb_connect tb_desync_report tb_error tb_get_event tb_get_outcome tb_get_stats tb_join " +
	"tb_next tb_p2p tb_player tb_poll tb_replay tb_requested tb_seek tb_serve tb_set_delay tb_set_input tb_spectate tb_state " +
	"tb_synctest tb_token tb_update tb_version tb_wait"

// version returns the version in which a function has appeared.
func version(function string) string {
	if slices.Contains(strings.Fields(firstFunctions), function) {
		return "TICKBACK_1"
	}
	return "TICKBACK_2"
}

// The library exports what the header declares, with a version, and nothing else. It needs the C library alone, and is
// not too large.
func TestWhatTheLibraryExports(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the library")
	}
	path := filepath.Join(build(t), "libtickback.so.1")
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	var exported []string
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF || elf.ST_TYPE(s.Info) != elf.STT_FUNC {
			continue
		}
		if want := version(s.Name); s.Version != want {
			t.Errorf("%s has the version %q, want %q", s.Name, s.Version, want)
		}
		exported = append(exported, s.Name)
	}
	slices.Sort(exported)
	if want := functions(t); !slices.Equal(exported, want) {
		t.Errorf("it exports %q, and the header has %q", exported, want)
	}
	needed, err := f.ImportedLibraries()
	if err != nil || slices.ContainsFunc(needed, func(name string) bool {
		return !strings.HasPrefix(name, "libc.") && !strings.HasPrefix(name, "ld-") && !strings.HasPrefix(name, "libpthread.")
	}) {
		t.Errorf("it needs %q, %v", needed, err)
	}
	if name, err := f.DynString(elf.DT_SONAME); err != nil || !slices.Equal(name, []string{"libtickback.so.1"}) {
		t.Errorf("its name is %q, %v", name, err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 9e6 {
		t.Errorf("it has %d bytes, more than 9 million, %v", info.Size(), err)
	}
}
