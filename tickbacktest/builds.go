package tickbacktest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/internal/rebuild"
	"github.com/tickback/tickback/portable/strict"
	"github.com/tickback/tickback/rollback"
)

// Builds builds the test for other targets, plays the same matches in all builds, and compares every frame: the state,
// the effects, and how the match was finished. The builds are this one, one for the other level of amd64 (GOAMD64=v1
// and v3), and one for another architecture, arm64 or amd64, if the system or qemu-user can run it. A failure shows the
// shortest match found that differs, the frame, the fields with both values, and the packages that may be the cause:
// those with assembly or C, and those with different files for the other target.
//
// It needs to know how the test was built: run it by "tickback test --strict", or "go run . test --strict" of a game's
// own command line. Otherwise it skips, and also with -short, and if the machine can run no other build. [Check] runs
// it only for games with Floats: tickback.Strict, which must give the same results everywhere; called directly, it also
// compares plain builds ("tickback test"), of any game.
//
// The test runs once more in every build, up to this call: code before it in the same test function runs there, too,
// but checks of this package return at once. The first build for a target takes a minute, and a later one some seconds.
// All of this keeps within the time-out of go test (-timeout).
func Builds[S any, I comparable](t testing.TB, game rollback.Definition[S, I], opts Options[I]) {
	t.Helper()
	b := newBuilds(t, game)
	if inOtherBuild() {
		b.answer()
		return
	}
	if err := b.possible(); err != nil {
		t.Skipf("tickbacktest.Builds is left out: %v", err)
	}
	switch text, err := b.run(opts); {
	case err != nil:
		t.Skipf("tickbacktest.Builds is left out: %v", err)
	case text != "":
		t.Fatal(text)
	}
}

const (
	buildMatches = 8                // random matches, besides one that goes on
	buildTime    = 10 * time.Minute // maximum time, even if go test allows more
	buildMargin  = 15 * time.Second // time before go test ends the process, to stop what was started and report that
)

// home is the folder of the package: go test starts tests in it, but a test may change the directory.
var home, _ = os.Getwd()

// builds compares a game in this build of the test with others.
type builds[S any, I comparable] struct {
	*hunter[S, I]
	t    testing.TB
	call int // the number of the call in this test, from 0
	by   rebuild.Command
	pkg  string
	dir  string // the folder for files of this call
	// tried counts the matches played to find a shorter one.
	tried int
}

func newBuilds[S any, I comparable](t testing.TB, game rollback.Definition[S, I]) *builds[S, I] {
	h := newHunter(t, check[S, I]{id: checkBuilds, name: "Builds"}, game)
	return &builds[S, I]{hunter: h, t: t, call: callOf(t)}
}

// expected returns an error if Check should not compare builds; good says whether its other checks have passed.
func (b *builds[S, I]) expected(good bool) error {
	if rollback.FloatsOf(b.game) != rollback.Strict {
		return errors.New("only games with Floats: tickback.Strict have to come to the same in all builds")
	}
	if !good {
		return errOthersFailed
	}
	return b.possible()
}

// possible returns an error if builds cannot be compared.
func (b *builds[S, I]) possible() (err error) {
	switch b.t.(type) {
	case *testing.B, *testing.F:
		return errors.New("only tests can be run in another build")
	}
	if testing.Short() {
		return errors.New("it builds the test for other targets, which takes longer than -short allows")
	}
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		return fmt.Errorf("%s runs no commands", runtime.GOOS)
	}
	if b.by, err = rebuild.FromEnvironment(); errors.Is(err, rebuild.ErrUnknown) {
		return fmt.Errorf("%w: run it by %s, or by \"test --strict\" of the game's own command line", err, strict.Command("test --strict"))
	} else if err != nil {
		return err
	}
	if len(b.by.Others()) == 0 {
		return errors.New("this machine runs no other build: an emulator, qemu-user, would")
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this program does not know of which package it is")
	}
	b.pkg = strings.TrimSuffix(info.Path, ".test")
	if b.pkg == "command-line-arguments" {
		return errors.New("the test was built from files: name its package")
	}
	ctx, cancel := b.limit()
	defer cancel()
	if err := b.by.Holds(ctx, b.pkg, home); err != nil {
		return fmt.Errorf("the command that has built this test does not know its package: %w", err)
	}
	return nil
}

// limit returns a context that limits the time for all builds and runs.
func (b *builds[S, I]) limit() (context.Context, context.CancelFunc) {
	end := time.Now().Add(buildTime)
	if d, ok := b.t.(interface{ Deadline() (time.Time, bool) }); ok {
		if at, ok := d.Deadline(); ok && at.Add(-buildMargin).Before(end) {
			end = at.Add(-buildMargin)
		}
	}
	return context.WithDeadline(context.Background(), end)
}

// run compares builds in the matches of the options, and returns a report if something is wrong, or "". The error says
// why nothing was compared.
func (b *builds[S, I]) run(o Options[I]) (text string, leftOut error) {
	b.t.Helper()
	o, err := o.withDefaults()
	var s *source[I]
	if err == nil {
		s, err = newSource(o)
	}
	if err != nil {
		return fmt.Sprintf("tickbacktest.%s: %v", b.name, err), nil
	}
	b.codec = s.codec
	return b.compare(b.drawn(s))
}

// drawn returns the matches that a source makes.
func (b *builds[S, I]) drawn(s *source[I]) (list []*match[I]) {
	if s.Inputs != nil {
		return []*match[I]{s.given()}
	}
	rapid.Check(silent{b.t}, func(r *rapid.T) {
		if len(list) < buildMatches {
			list = append(list, s.random(r))
		}
	})
	goesOn := s.Longest > s.Frames
	rapid.Check(silent{b.t}, func(r *rapid.T) {
		if goesOn {
			list = append(list, s.long(r, true))
			goesOn = false
		}
	})
	return list
}

// compare plays matches here and in other builds, and returns a report if something is wrong, or "". The error says
// why nothing was compared.
func (b *builds[S, I]) compare(list []*match[I]) (text string, leftOut error) {
	b.t.Helper()
	here := make([][]outcome, len(list))
	for i, m := range list {
		m.check = b.id
		if here[i], b.found = b.record(m); b.found != nil {
			b.match = m
			return b.text(), nil
		}
	}
	if b.found = b.probe.nothing(); b.found != nil {
		return b.report(nil), nil
	}
	b.dir = b.t.TempDir()
	ctx, cancel := b.limit()
	defer cancel()
	var compared []string
	for _, g := range b.by.Others() {
		err := b.against(ctx, g, list, here)
		switch {
		case ctx.Err() != nil:
			return fmt.Sprintf("tickbacktest.%s: the build for %v was not done in time: give go test more (-timeout), or the matches fewer frames (Options.Frames, Longest)", b.name, g), nil
		case errors.Is(err, rebuild.ErrCannotRun):
			b.t.Logf("tickbacktest.%s leaves out the build for %v: %v", b.name, g, err)
		case err != nil:
			return fmt.Sprintf("tickbacktest.%s: the build for %v: %v", b.name, g, err), nil
		case b.found != nil:
			return b.text(), nil
		default:
			compared = append(compared, g.String())
		}
	}
	if len(compared) == 0 {
		return "", errors.New("this machine runs none of the other builds")
	}
	b.t.Logf("tickbacktest.%s: %s in %s came out in the build for %v as in the builds for %s", b.name,
		count(int(b.probe.compared), "frame"), matchCount(len(list)), rebuild.Self(), strings.Join(compared, " and "))
	return "", nil
}

func matchCount(n int) string {
	if n == 1 {
		return "1 match"
	}
	return fmt.Sprintf("%d matches", n)
}

// text returns the report of a failure, with the match up to its frame.
func (b *builds[S, I]) text() string {
	if b.found.broken {
		return b.report(nil)
	}
	if end := b.found.frame + 1; end > 0 && end < b.match.frames() {
		b.match = b.match.without(end, b.match.frames())
	}
	return b.report(&shrinker[S, I]{hunter: b.hunter, count: b.tried})
}

// against compares this build with the build for one target.
func (b *builds[S, I]) against(ctx context.Context, g rebuild.Target, list []*match[I], here [][]outcome) error {
	b.t.Helper()
	program := filepath.Join(b.dir, strings.ReplaceAll(g.String(), " ", "-")+".test.exe")
	if err := b.wait("building for", g, func() error { return b.by.Build(ctx, b.pkg, g, program) }); err != nil {
		return err
	}
	k := task{Call: b.call, Test: b.t.Name()}
	for _, m := range list {
		k.Lines = append(k.Lines, b.line(m))
	}
	var there *reply
	err := b.wait("running", g, func() (err error) { there, err = k.ask(ctx, g, program, b.dir); return err })
	if err != nil {
		return err
	}
	for i, m := range list[:len(there.Outcomes)] {
		failed := ""
		if i == len(there.Outcomes)-1 {
			failed = there.Failure
		}
		f := differing(here[i], there.Outcomes[i], failed)
		switch {
		case f != nil:
			b.match, b.found, b.played = m, f, i+1
			thin := thinner[S, I]{builds: b, ask: func(list []*match[I]) (r *reply, err error) {
				again := k
				again.Lines = nil
				for _, m := range list {
					again.Lines = append(again.Lines, b.line(m))
				}
				err = b.wait("looking for a shorter match in", g, func() (err error) { r, err = again.ask(ctx, g, program, b.dir); return err })
				return r, err
			}}
			thin.thin()
			b.explain(ctx, g, program, k)
			return nil
		case failed != "" || len(there.Outcomes[i]) != len(here[i]):
			return fmt.Errorf("its reply has %d states of a match that has %d here: %q", len(there.Outcomes[i]), len(here[i]), failed)
		}
	}
	return nil
}

// wait calls do, and if that takes long, logs what is being done.
func (b *builds[S, I]) wait(what string, g rebuild.Target, do func() error) error {
	b.t.Helper()
	done := make(chan error, 1)
	go func() { done <- do() }()
	begun := time.Now()
	tick := time.NewTicker(sayEvery)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-tick.C:
			b.t.Logf("tickbacktest.%s: %s %v, for %v now", b.name, what, g, time.Since(begun).Round(time.Second))
		}
	}
}

// differing returns the failure at the first frame whose outcomes differ, or nil. failed is the failure that ended the
// match in the other build, or "".
func differing(here, there []outcome, failed string) *failure {
	for i := range min(len(here), len(there)) {
		if here[i] == there[i] {
			continue
		}
		f := &failure{frame: i - 1, what: "came out differently"} // the first outcome is the state before frame 0
		if i == 0 {
			f.what = "begins differently"
		}
		return f.said(here[i].StepReport, there[i].StepReport)
	}
	if failed != "" && len(there) < len(here) {
		return &failure{frame: len(there) - 1, what: failed}
	}
	return nil
}

// explain adds details to a failure: the builds, the fields, and the packages that may be the cause.
func (b *builds[S, I]) explain(ctx context.Context, g rebuild.Target, program string, k task) {
	found, self := b.found, rebuild.Self()
	found.what += fmt.Sprintf(" in the build for %v; this one is for %v", g, self)
	state := found.frame + 1
	k.Show, k.Lines = &state, []string{b.line(b.match)}
	mine, err := b.show(b.match, state)
	var there *reply
	if err == nil {
		there, err = k.ask(ctx, g, program, b.dir)
	}
	switch {
	case err != nil:
		found.note("no fields can be shown: %v", err)
	case there.Failure != "":
		found.note("the state cannot be shown there: %s", there.Failure)
	default:
		diff, err := diffTexts(mine, there.Text)
		found.show(rollback.Frame(state), self.String(), g.String(), diff, err)
	}
	list, err := b.by.Suspects(ctx, b.pkg, self, g)
	if err != nil {
		found.note("which packages are not covered cannot be said: %v", err)
	}
	found.causes = causesOfBuilds(b.by.Strict, list)
}

// mostSuspects is the maximum number of packages named in a report.
const mostSuspects = 12

// causesOfBuilds returns the likely causes of a difference between builds.
func causesOfBuilds(strictly bool, list []rebuild.Suspect) (causes []string) {
	if !strictly {
		causes = append(causes, "this is no strict build: x*y+z is rounded once in one and twice in the other, and package math is another one: see "+strict.Command("test --strict")+" and docs/floats.md")
	}
	for _, s := range list[:min(len(list), mostSuspects)] {
		causes = append(causes, "package "+s.String())
	}
	if more := len(list) - mostSuspects; more > 0 {
		causes = append(causes, fmt.Sprintf("%d more packages with assembly, C, or other files", more))
	}
	if slices.ContainsFunc(list, func(s rebuild.Suspect) bool { return strings.Contains(s.Why, "assembly") }) {
		causes = append(causes, "assembly is not covered by strict builds; many packages have none with -tags=purego, or -tags=noasm")
	}
	return append(causes, "unsafe, and what asks for the machine (runtime.GOARCH, the width of int): "+strict.Command("vet --strict")+" finds the places")
}
