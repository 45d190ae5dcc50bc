package recordings_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/rollback"
)

// The keys of --json are promised: they are the same for both formats, and whether the command succeeded or not.
func TestKeysOfJSON(t *testing.T) {
	old, file := clitest.Record(t, 5), clitest.Converted(t, 5)
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing.tbr")
	for args, want := range map[string]string{
		"verify":                 "checked checksum error file first format frames game hash hashes keyframes mismatch ok seed verdict workers",
		"info":                   "complete details error file first format frames game ok players seconds seed tick_rate",
		"bisect":                 "a b error fields fields_at file floats found frame from game good inputs more ok other state to what",
		"diff X":                 "damage end error file frame from hash hashes header ok other same_body to",
		"cut -o X":               "error file first format frames game ok",
		"join -o X":              "error file first format frames game ok",
		"convert -o X":           "error file first format frames game ok",
		"stats":                  "bytes bytes_per_frame error file first format frames game hashes keyframes kinds ok players presence seconds",
		"show --frame 7":         "changes error file frame game hash match more next ok players recorded state",
		"export --to 1":          "frame hash players",
		"export --states --to 1": "frame hash players state",
	} {
		for _, path := range []string{old, file, missing} {
			words := strings.Fields(args)
			for i, w := range words {
				if w == "X" {
					words[i] = filepath.Join(dir, "out.tbr")
				}
			}
			if words[0] == "diff" {
				words[1] = path
			}
			code := 0
			if path == missing || path == old && words[0] == "bisect" {
				code = 1
			}
			if path == missing && words[0] == "export" {
				continue // it prints frames, or nothing
			}
			o := clitest.Object(t, code, slices.Concat([]string{"replay", words[0], path}, words[1:])...)
			if got := strings.Join(slices.Sorted(maps.Keys(o)), " "); got != want {
				t.Errorf("%s of %s has the keys\n%s, want\n%s", args, path, got, want)
			}
			if words[0] != "export" && (o["ok"] != (code == 0) || (o["error"] == "") != (code == 0)) {
				t.Errorf("%s of %s: ok is %v, error %q", args, path, o["ok"], o["error"])
			}
		}
	}
}

// The output of verify for a recording in our format.
func TestVerifyOurOwn(t *testing.T) {
	file := clitest.ToyMatch(t, 50)
	got := clitest.Object(t, 0, "replay", "verify", file, "-j", "3")
	checksum := got["checksum"]
	want := map[string]any{
		"file": file, "game": "toy", "frames": 500.0, "seed": float64(1 << 40), "checksum": checksum, "hash": got["hash"], "ok": true, "error": "",
		"format": "TBR v1", "first": 0.0, "verdict": "ok", "hashes": 10.0, "keyframes": 0.0, "checked": 500.0, "workers": 1.0, "mismatch": nil,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := clitest.Object(t, 0, "replay", "verify", file, "--expect", checksum.(string)); got["verdict"] != "ok" {
		t.Error(got)
	}
	if got := clitest.Object(t, 0, "replay", "verify", file, "--expect", got["hash"].(string)); got["verdict"] != "ok" {
		t.Error(got)
	}
	if got := clitest.Object(t, 1, "replay", "verify", file, "--expect", "0x1"); got["verdict"] != "wrong" {
		t.Error(got)
	}
	bare := clitest.ToyMatch(t, 0)
	if got := clitest.Object(t, 1, "replay", "verify", bare); got["verdict"] != "unverified" || got["ok"] != false {
		t.Error(got)
	}
	if got := clitest.Object(t, 0, "replay", "verify", bare, "--expect", checksum.(string)); got["verdict"] != "ok" {
		t.Error(got)
	}
	stdout, stderr, code := clitest.Run(t, nil, "replay", "verify", bare)
	if code != 1 || !strings.Contains(stdout, "UNVERIFIED") || !strings.Contains(stderr, "no hashes") {
		t.Error(code, stdout, stderr)
	}
}

// For a build that computes different states, the frame and the hashes are named, and the exit code is 1.
func TestVerifyAnotherBuild(t *testing.T) {
	file := clitest.ToyMatch(t, 1)
	spec := clitest.ToySpec()
	step := spec.Game.(clitest.ToyRules).Step
	spec.Game = clitest.ToyRules{Step: func(s *clitest.Toy, k *clitest.ToyTick) {
		step(s, k)
		if k.Frame() == 321 {
			s.Sum++
		}
	}}
	for _, command := range []string{"verify", "bisect"} {
		var out, errs strings.Builder
		code := cli.Run(t.Context(), "toybox", []string{"replay", command, file}, nil, &out, &errs, cli.NewGame(spec))
		if code != 1 || !strings.Contains(out.String(), "state 322") || !strings.Contains(strings.ToLower(out.String()+errs.String()), "frame 321") {
			t.Errorf("%s: exit code %d\n%s%s", command, code, out.String(), errs.String())
		}
	}
}

// A recording that was cut off is verified as far as it goes; a damaged one is not ok; and neither prevents other files
// from being verified. The exit code is 1.
func TestDamagedRecordings(t *testing.T) {
	file := clitest.ToyMatch(t, 50)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cutOff, flipped := filepath.Join(dir, "cut.tbr"), filepath.Join(dir, "flipped.tbr")
	damaged := bytes.Clone(whole)
	damaged[len(damaged)/2] ^= 4
	for path, content := range map[string][]byte{cutOff: whole[:len(whole)-30], flipped: damaged} {
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"verify", "info", "stats"} {
		for _, path := range []string{cutOff, flipped} {
			if o := clitest.Object(t, 1, "replay", command, path); o["ok"] != false || o["error"] == "" {
				t.Errorf("%s of %s: %v", command, path, o)
			}
		}
		stdout, _, code := clitest.Run(t, nil, "replay", command, cutOff, file, "--json")
		if lines := strings.Split(strings.TrimSpace(stdout), "\n"); code != 1 || len(lines) != 2 || !strings.Contains(lines[1], `"ok":true`) {
			t.Errorf("%s: exit code %d\n%s", command, code, stdout)
		}
	}
	if o := clitest.Object(t, 1, "replay", "verify", cutOff); o["verdict"] != "damaged" || o["frames"] == 0.0 {
		t.Error(o)
	}
	// In a file that has nothing after its header, there is nothing to verify.
	head := filepath.Join(dir, "head.tbr")
	for n := 1; n < len(whole); n++ {
		if err := os.WriteFile(head, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		_, stderr, _ := clitest.Run(t, nil, "replay", "verify", head)
		if strings.Contains(stderr, "there is no frame to verify") {
			break
		}
		if strings.Contains(stderr, "of the frames") {
			t.Fatalf("%d bytes: %s", n, stderr)
		}
	}
	// A rewritten recording, with what is left, is complete.
	mended := filepath.Join(dir, "mended.tbr")
	clitest.Object(t, 0, "replay", "convert", cutOff, "-o", mended)
	if o := clitest.Object(t, 0, "replay", "verify", mended); o["frames"] != 500.0 {
		t.Error(o)
	}
}

// A directory stands for the recordings below it, and a pattern for the files that it matches; a directory without
// recordings, or one that cannot be read, is a failure.
func TestDirectoriesAndPatterns(t *testing.T) {
	dir := t.TempDir()
	below := filepath.Join(dir, "a", "b")
	nothing := filepath.Join(dir, "empty")
	for _, d := range []string{below, nothing} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	old, file := clitest.Record(t, 5), clitest.Converted(t, 5)
	var want []string
	for to, from := range map[string]string{"a/b/x.rplk": old, "a/y.TBR": file, "z.tbr": file, "a/notes.txt": file} {
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(to))
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(to, ".txt") {
			want = append(want, path)
		}
	}
	slices.Sort(want)
	names := func(args ...string) (list []string, stderr string, code int) {
		stdout, stderr, code := clitest.Run(t, nil, append([]string{"replay", "info", "--json"}, args...)...)
		for line := range strings.Lines(stdout) {
			var o struct{ File string }
			if err := json.Unmarshal([]byte(line), &o); err != nil {
				t.Fatal(err)
			}
			list = append(list, o.File)
		}
		return list, stderr, code
	}
	if got, stderr, code := names(dir); code != 0 || !slices.Equal(got, want) {
		t.Errorf("exit code %d, %v, want %v\n%s", code, got, want, stderr)
	}
	if got, _, code := names(filepath.Join(dir, "*.tbr")); code != 0 || len(got) != 1 {
		t.Errorf("a pattern: exit code %d, %v", code, got)
	}
	if got, stderr, code := names(nothing, filepath.Join(dir, "z.tbr")); code != 1 || len(got) != 1 || !strings.Contains(stderr, "there are no recordings (*.tbr, *.rplk) in this directory") {
		t.Errorf("an empty directory: exit code %d, %v, %s", code, got, stderr)
	}
	if _, stderr, code := names(filepath.Join(dir, "*.none")); code != 1 || !strings.Contains(stderr, "no such file") {
		t.Errorf("a pattern without a match: exit code %d, %s", code, stderr)
	}
	if os.Getuid() > 0 {
		if err := os.Chmod(filepath.Join(dir, "z.tbr"), 0); err != nil {
			t.Fatal(err)
		}
		if got, stderr, code := names(dir); code != 1 || len(got) != 3 || !strings.Contains(stderr, "permission denied") {
			t.Errorf("an unreadable file: exit code %d, %v, %s", code, got, stderr)
		}
	}
}

// Texts from hostile files reach a terminal without control characters.
func TestWhatRecordingsSayIsPrintable(t *testing.T) {
	file := clitest.ToyMatch(t, 50)
	for _, args := range [][]string{{"info"}, {"stats"}, {"verify"}, {"show", "--frame", "3"}, {"bisect"}, {"diff", clitest.Converted(t, 5)}} {
		stdout, stderr, _ := clitest.Run(t, nil, append([]string{"replay", args[0], file}, args[1:]...)...)
		if strings.ContainsAny(stdout+stderr, "\x1b\x07") {
			t.Errorf("%s: %q", args[0], stdout+stderr)
		}
	}
	if stdout, _, _ := clitest.Run(t, nil, "replay", "info", file); !strings.Contains(stdout, `a \x1b[31mbuild`) || !strings.Contains(stdout, `\amoon`) {
		t.Error(stdout)
	}
}

// A table and JSON lines have the same frames.
func TestExport(t *testing.T) {
	file := clitest.ToyMatch(t, 50)
	stdout, stderr, code := clitest.Run(t, nil, "replay", "export", file, "--from", "298", "--to", "302", "--states")
	table, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil || code != 0 || len(table) != 5 {
		t.Fatal(code, err, stderr, stdout)
	}
	if want := "frame p1 p1.status p1.orders p2 p2.status p2.orders p3 p3.status p3.orders hash state.Sum"; strings.Join(table[0], " ") != want {
		t.Errorf("the columns are %v", table[0])
	}
	if row := table[3]; row[0] != "300" || row[1] != "6" || row[6] != "abcd" || row[8] != "disconnected" || row[10] != "" {
		t.Errorf("frame 300 is %v", row)
	}
	if row := table[2]; row[0] != "299" || !strings.HasPrefix(row[10], "0x") {
		t.Errorf("frame 299 is %v", row)
	}
	lines, _, code := clitest.Run(t, nil, "replay", "export", file, "--from", "298", "--to", "302", "--states", "--format", "jsonl")
	i := 1
	for line := range strings.Lines(lines) {
		var o struct {
			Frame   int
			Players []struct {
				Input          int
				Status, Orders string
			}
			Hash  string
			State struct{ Sum json.Number }
		}
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatal(err)
		}
		if row := table[i]; o.State.Sum.String() != row[11] || o.Players[1].Orders != row[6] || o.Players[2].Status != row[8] || o.Hash != row[10] {
			t.Errorf("%s is not %v", line, row)
		}
		i++
	}
	if i != 5 || code != 0 {
		t.Errorf("exit code %d, %d lines", code, i-1)
	}
	all, _, _ := clitest.Run(t, nil, "replay", "export", file, "--hashes", "--to", "10")
	if got := strings.Count(all, ",0x"); got != 10 {
		t.Errorf("%d hashes of 10 states", got)
	}
}

// The parts of a recording can be joined to the same recording; an output file is complete or does not exist.
func TestCutAndJoin(t *testing.T) {
	file := clitest.Converted(t, 5)
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	clitest.Object(t, 0, "replay", "cut", file, "-o", path("a.tbr"), "--to", "40")
	if o := clitest.Object(t, 0, "replay", "cut", file, "-o", path("b.tbr"), "--from", "33"); o["first"] != 33.0 || o["frames"] != 42.0 {
		t.Error(o)
	}
	clitest.Object(t, 0, "replay", "join", path("b.tbr"), path("a.tbr"), "-o", path("c.tbr"))
	if o := clitest.Object(t, 0, "replay", "diff", file, path("c.tbr")); o["same_body"] != true {
		t.Error(o)
	}
	clitest.Object(t, 0, "replay", "cut", file, "-o", path("d.tbr"), "--to", "20")
	if o := clitest.Object(t, 1, "replay", "join", path("b.tbr"), path("d.tbr"), "-o", path("e.tbr")); !strings.Contains(o["error"].(string), "frames are missing") {
		t.Error(o)
	}
	if o := clitest.Object(t, 1, "replay", "cut", file, "-o", path("e.tbr"), "--from", "99"); !strings.Contains(o["error"].(string), "frames 0 to 74: 99 is not between them") {
		t.Error(o)
	}
	clitest.Object(t, 0, "replay", "convert", path("c.tbr"), "-o", path("c.rplk"))
	old, _ := os.ReadFile(clitest.Record(t, 5))
	if again, err := os.ReadFile(path("c.rplk")); err != nil || !bytes.Equal(again, old) {
		t.Error("another recording of RPLK came back", err)
	}
	if o := clitest.Object(t, 1, "replay", "convert", clitest.ToyMatch(t, 50), "-o", path("e.rplk")); !strings.Contains(o["error"].(string), "it has 3 players, not 2") {
		t.Error(o)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 5 {
		t.Errorf("there are %v: what failed is left", left)
	}
}

// Wrong usage of the tools gives exit code 2.
func TestWrongUsageOfTheTools(t *testing.T) {
	file := clitest.Converted(t, 5)
	for args, want := range map[string]string{
		"replay bisect":                         "needs one or two FILEs, not 0",
		"replay bisect a b c":                   "needs one or two FILEs, not 3",
		"replay bisect a b --with c":            "--with goes with one file",
		"replay bisect - --with c":              "--with goes with one file",
		"replay diff a":                         "needs 2 FILEs, not 1",
		"replay cut " + file:                    "-o needs the name of a file",
		"replay convert " + file + " -o x":      "does not end in .tbr or .rplk",
		"replay convert x --to y -o z":          `--to "y": the formats are tbr and rplk`,
		"replay join -o x":                      "needs at least one FILE",
		"replay stats":                          "needs at least one FILE",
		"replay show " + file:                   "show needs a frame",
		"replay show " + file + " --frame -3":   "--frame -3: frames are counted from 0",
		"replay show a b --frame 1":             "needs one FILE, not 2",
		"replay cut a --from 9 --to 9 -o x":     "--from 9 --to 9: there is no frame between them",
		"replay export a --from 9 --to 3":       "--from 9 --to 3: there is no frame between them",
		"replay join a -o -":                    "-o - is no file",
		"replay export " + file + " --format x": `--format "x": the formats are csv and jsonl`,
		"replay verify -j -1 " + file:           "-j -1",
		"replay export --game chess " + file:    `no game "chess"; there are: toy`,
	} {
		stdout, stderr, code := clitest.Run(t, nil, strings.Fields(args)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q, want %q", args, code, stdout, stderr, want)
		}
	}
}

// An interrupt ends every command, which leaves no file.
func TestInterruptedTools(t *testing.T) {
	file := clitest.ToyMatch(t, 50)
	dir := t.TempDir()
	out := filepath.Join(dir, "out.tbr")
	ctx, cancel := clitest.ContextWithCancel(t)
	cancel()
	for _, args := range []string{
		"verify " + file, "bisect " + file, "diff " + file + " " + file, "cut " + file + " -o " + out,
		"export " + file + " --states", "stats " + file, "show --frame 499 " + file, "info " + file, "join -o " + out + " " + file,
	} {
		var errs strings.Builder
		if code := clitest.RunWith(ctx, &errs, append([]string{"replay"}, strings.Fields(args)...)...); code != 1 || !strings.Contains(errs.String(), "interrupted") {
			t.Errorf("%s: exit code %d, %q", args, code, errs.String())
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("there are %v, %v", left, err)
	}
}

// The error for a recording of a game that this program does not have names the game.
func TestARecordingOfAnotherGame(t *testing.T) {
	file := clitest.ToyMatch(t, 50)
	spec := clitest.ToySpec()
	spec.ID = "chess"
	for _, command := range []string{"verify", "bisect", "export"} {
		var errs strings.Builder
		code := cli.Run(t.Context(), "toybox", []string{"replay", command, file}, nil, io.Discard, &errs, cli.NewGame(spec))
		if want := `the recording is of the game "toy", which this program does not have: chess`; code != 1 || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit code %d, %q", command, code, errs.String())
		}
	}
	for _, command := range []string{"info", "stats"} {
		if code := cli.Run(t.Context(), "toybox", []string{"replay", command, file}, nil, io.Discard, io.Discard, cli.NewGame(spec)); code != 0 {
			t.Errorf("%s: exit code %d", command, code)
		}
	}
}

// A recording can be read from a pipe with the same result.
func TestRecordingsFromAPipe(t *testing.T) {
	content, err := os.ReadFile(clitest.ToyMatch(t, 50))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"verify", "info", "stats", "bisect", "export"} {
		stdout, stderr, code := clitest.Run(t, bytes.NewReader(content), "replay", command, "-")
		if code != 0 || stdout == "" {
			t.Errorf("%s: exit code %d, %s%s", command, code, stdout, stderr)
		}
	}
}

// If one of two files cannot be opened, it is named, once.
func TestTheFileThatIsMissingIsNamed(t *testing.T) {
	file, missing := clitest.Converted(t, 5), filepath.Join(t.TempDir(), "missing")
	for _, command := range []string{"diff", "bisect"} {
		_, stderr, code := clitest.Run(t, nil, "replay", command, file, missing)
		if want := "toybox: " + missing + ": no such file or directory\n"; code != 1 || stderr != want {
			t.Errorf("%s: exit code %d, %q, want %q", command, code, stderr, want)
		}
	}
}

// boxed is the state of a game with its own memory.
type boxed struct{ sum *clitest.Toy }

// For a game with its own memory, the states are JSON objects of everything reachable, and are left out of tables.
func TestExportOfAGameWithItsOwnMemory(t *testing.T) {
	file := clitest.ToyMatch(t, 50)
	spec := clitest.ToySpec()
	game := cli.NewGame(cli.Spec[boxed, clitest.Press]{
		ID: "toy", About: "the toy in a box", MaxPlayers: 3,
		Game: rollback.OwnMemory[boxed, clitest.Toy, clitest.Press]{
			Init: func(b *boxed) { b.sum = new(clitest.Toy) },
			Step: func(b *boxed, k *clitest.ToyTick) { spec.Game.(clitest.ToyRules).Step(b.sum, k) },
			Hash: func(b *boxed) uint64 { return b.sum.Hash() },
		},
		Start: func(p tickback.Parameters) (func(*boxed), error) {
			return func(b *boxed) { b.sum = &clitest.Toy{Sum: p.Seed} }, nil
		},
		Bots: []cli.Bot[boxed, clitest.Press]{{Name: "idle", New: func(uint64) func(tickback.Player, tickback.Frame, *boxed) clitest.Press {
			return func(tickback.Player, tickback.Frame, *boxed) clitest.Press { return 0 }
		}}},
	})
	export := func(args ...string) (stdout, stderr string, code int) {
		var out, errs strings.Builder
		code = cli.Run(t.Context(), "toybox", append([]string{"replay", "export", file, "--states", "--to", "2"}, args...), nil, &out, &errs, game)
		return out.String(), errs.String(), code
	}
	if _, stderr, code := export(); code != 1 || !strings.Contains(stderr, "no fixed columns: use --format jsonl") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	stdout, stderr, code := export("--json")
	first, _, _ := strings.Cut(stdout, "\n")
	var o struct{ State map[string]any }
	if err := json.Unmarshal([]byte(first), &o); err != nil || code != 0 || o.State["sum.Sum"] == nil {
		t.Errorf("exit code %d, %v, %s%s", code, err, stdout, stderr)
	}
	var out, errs strings.Builder
	if code := cli.Run(t.Context(), "toybox", []string{"replay", "verify", file}, nil, &out, &errs, game); code != 0 {
		t.Errorf("it is not verified: exit code %d, %s%s", code, out.String(), errs.String())
	}
}
