package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// meter builds and runs the programs.
type meter struct {
	ctx    context.Context
	root   string // of the repository
	quick  bool
	rounds int
	only   *regexp.Regexp
	say    io.Writer // what is going on

	libraries []*library
	compilers []string // their versions
}

// findRoot returns the root of the repository, which has this module in bench/peers.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, "bench", "peers", "rust", "Cargo.toml")); err == nil {
			return d, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("%s is not in a checkout of Tickback, which the comparison is built from", dir)
		}
	}
}

// build builds the programs. Without ours there is no comparison; without another one, the others are compared.
func (m *meter) build() error {
	m.libraries = libraries()
	here := filepath.Join(m.root, "bench", "peers")
	into := filepath.Join(m.root, "bin", "peers")
	ours := m.libraries[0]
	ours.program = filepath.Join(into, "ours")
	fmt.Fprintln(m.say, "peers: building the program of Tickback")
	if out, err := m.command(here, []string{"GOWORK=off"}, "go", "build", "-o", ours.program, "./ours"); err != nil {
		return fmt.Errorf("the program of Tickback is not built: %w\n%s", err, out)
	}
	m.compilers = append(m.compilers, runtime.Version())
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		for _, l := range m.libraries[1:] {
			l.missing = "there is no cargo, which builds it: Rust's installer has it, and Debian as the package cargo (it has to be 1.87 or later)"
			fmt.Fprintf(m.say, "peers: %s is left out: %s\n", l.name, l.missing)
		}
		return nil
	}
	if out, err := m.command(here, nil, "rustc", "--version"); err == nil {
		m.compilers = append(m.compilers, "Rust "+field(out, 1))
	}
	if out, err := m.command(here, nil, "c++", "-dumpfullversion"); err == nil {
		m.compilers = append(m.compilers, "g++ "+field(out, 0))
	}
	profile := "release"
	if m.quick {
		profile = "quick"
	}
	for _, l := range m.libraries[1:] {
		switch {
		case !l.world:
			m.buildRust(cargo, filepath.Join(here, "rust"), into, profile, l)
		case m.quick:
			l.missing = "a short run leaves it out, since its engine takes minutes to build"
		default:
			m.buildRust(cargo, filepath.Join(here, "worlds"), into, profile, l)
		}
	}
	return m.ctx.Err()
}

// buildRust builds the program of a library, or says why there is none.
func (m *meter) buildRust(cargo, workspace, into, profile string, l *library) {
	fmt.Fprintf(m.say, "peers: building the program of %s\n", l.name)
	target := filepath.Join(into, "target")
	out, err := m.command(workspace, []string{"CARGO_TARGET_DIR=" + target}, cargo, "build", "--locked", "--profile", profile, "-p", l.crate)
	if err != nil {
		l.missing, l.broken = reason(out, err)
		fmt.Fprintf(m.say, "%speers: %s is left out: %s\n", out, l.name, l.missing)
		return
	}
	l.program = filepath.Join(target, profile, l.crate)
}

// reason says in a line why Cargo has failed, and whether the program is to blame, and not what the machine lacks.
func reason(out string, err error) (why string, broken bool) {
	why, broken = "it was not built: "+err.Error(), true
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, "failed to download"), strings.Contains(line, "Could not resolve"), strings.Contains(line, "failed to get"):
			return "it was not built: Cargo does not reach the registry of crates (" + line + ")", false
		case strings.Contains(line, "failed to find tool"):
			return "it was not built: there is no C++ compiler, which Debian has as the package g++", false
		case strings.Contains(line, "requires rustc"):
			return "it was not built: Rust is too old (" + line + ")", false
		case strings.HasPrefix(line, "error") && strings.HasSuffix(why, err.Error()):
			why = "it was not built: " + line
		}
	}
	return why, broken
}

// command runs a command, and returns what it printed.
func (m *meter) command(dir string, env []string, name string, args ...string) (string, error) {
	c := exec.CommandContext(m.ctx, name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// field returns a word of a text, or nothing.
func field(text string, n int) string {
	if words := strings.Fields(text); n < len(words) {
		return words[n]
	}
	return ""
}

// limit is how long one run of a program may take: far more than any does, so that one that hangs is noticed.
const limit = 10 * time.Minute

// row runs a row of a program, and returns its values.
func (m *meter) row(l *library, args ...string) ([]value, error) {
	ctx, cancel := context.WithTimeout(m.ctx, limit)
	defer cancel()
	var out, errs strings.Builder
	c := exec.CommandContext(ctx, l.program, args...)
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", l.name, strings.Join(args, " "), err, strings.TrimSpace(errs.String()))
	}
	values, err := parseLines(out.String())
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", l.name, strings.Join(args, " "), err)
	}
	return values, nil
}

// check compares the states that all programs make: nothing is measured unless they are equal.
func (m *meter) check() error {
	args := []string{"check"}
	if m.quick {
		args = append(args, "players=4")
	}
	var want []value
	var wrong []error
	for _, l := range m.libraries {
		if l.program == "" || l.world {
			continue
		}
		got, err := m.row(l, args...)
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case l == m.libraries[0]:
			want = got
		default:
			wrong = append(wrong, compare(l, want, got))
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return fmt.Errorf("the libraries do not make the same states, so that nothing is measured: %w", err)
	}
	fmt.Fprintf(m.say, "peers: all make the same %d states\n", len(want))
	return nil
}

// compare returns an error if a library does not make the states that ours makes. It need not have those of matches of
// more players than it has.
func compare(l *library, want, got []value) error {
	hashes := map[string]string{}
	for _, v := range got {
		hashes[v.name] = v.hash
	}
	if len(want) == 0 {
		return errors.New("no state is compared")
	}
	for _, w := range want {
		h, found := hashes[w.name]
		if !found && playersOf(w.name) > l.players && strings.HasPrefix(w.name, "agreed/") {
			continue
		}
		if h != w.hash {
			return fmt.Errorf("%s: the hash of %s is %q, and %s with Tickback", l.name, w.name, h, w.hash)
		}
	}
	return nil
}

// playersOf returns the number at the end of the name of a state.
func playersOf(name string) (n int) {
	fmt.Sscanf(name[strings.LastIndexByte(name, '/')+1:], "%d", &n)
	return n
}

// machine says in a line where it was measured.
func (m *meter) machine() string {
	model := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if name, v, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(v)
				break
			}
		}
	}
	load := ""
	if l, err := os.ReadFile("/proc/loadavg"); err == nil {
		load = ", load " + field(string(l), 2) + " in the last 15 minutes"
	}
	return fmt.Sprintf("Measured on %s, %d processors%s, %s, %s; %d rounds.",
		model, runtime.NumCPU(), load, strings.Join(m.compilers, ", "), time.Now().UTC().Format(time.DateOnly), m.rounds)
}
