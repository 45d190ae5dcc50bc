package commands_test

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// Players and spectators record the same match, and "replay verify" accepts it.
func TestMatchesAreRecorded(t *testing.T) {
	t.Parallel()
	g, dir := clitest.ToyGame(), t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name+".tbr") }
	all := clitest.Seats(t, 2, "--frames", "90")
	all[0] = append(all[0], "--record", file("host"))
	all[1] = append(all[1], "--record", file("guest"))
	var wg sync.WaitGroup
	var ends [3]clitest.Ended
	for p := range all {
		wg.Go(func() { ends[p] = clitest.Player(t.Context(), t, g, all[p]) })
	}
	wg.Go(func() { ends[2] = clitest.Spectator(t, g, "--host", all[0][7], "--record", file("spectator")) })
	wg.Wait()
	for i, name := range []string{"host", "guest", "spectator"} {
		if ends[i].Code != 0 || !strings.Contains(ends[i].Stderr, "recorded to "+file(name)+", up to frame 90") {
			t.Errorf("%s: exit code %d\n%s", name, ends[i].Code, ends[i].Stderr)
		}
		r := clitest.Recorded(t, file(name))
		if end, ok := r.End(); !ok || end.Next != 90 || end.Reason != "" || r.First() > 60 {
			t.Errorf("%s: frames %d to %d, %q", name, r.First(), end.Next, end.Reason)
		}
		var stdout, stderr strings.Builder
		if code := cli.Run(t.Context(), "toybox", []string{"replay", "verify", file(name)}, strings.NewReader(""), &stdout, &stderr, g); code != 0 {
			t.Errorf("%s is not verified: %d\n%s%s", name, code, &stdout, &stderr)
		}
	}
	// None of them is replaced.
	again := append(clitest.Seats(t, 2, "--frames", "90")[0], "--record", file("host"))
	if e := clitest.Player(t.Context(), t, g, again); e.Code != 1 || !strings.Contains(e.Stderr, "file exists, and a recording replaces none") {
		t.Errorf("a file that is there: exit code %d\n%s", e.Code, e.Stderr)
	}
	for _, c := range []struct{ value, says string }{{"", "--record needs the name"}, {"-", "where the result is printed"}} {
		bad := append(clitest.Seats(t, 2)[0], "--record", c.value)
		if e := clitest.Player(t.Context(), t, g, bad); e.Code != 2 || !strings.Contains(e.Stderr, c.says) {
			t.Errorf("--record %q: exit code %d\n%s", c.value, e.Code, e.Stderr)
		}
	}
}
