package cli_test

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
)

// Players and spectators record the same match, which is verified by the command for it.
func TestMatchesAreRecorded(t *testing.T) {
	t.Parallel()
	g, dir := toyGame(), t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name+".tbr") }
	all := seats(t, 2, "--frames", "90")
	all[0] = append(all[0], "--record", file("host"))
	all[1] = append(all[1], "--record", file("guest"))
	var wg sync.WaitGroup
	var ends [3]ended
	for p := range all {
		wg.Go(func() { ends[p] = player(t.Context(), t, g, all[p]) })
	}
	wg.Go(func() { ends[2] = spectator(t, g, "--host", all[0][7], "--record", file("spectator")) })
	wg.Wait()
	for i, name := range []string{"host", "guest", "spectator"} {
		if ends[i].code != 0 || !strings.Contains(ends[i].stderr, "recorded to "+file(name)+", up to frame 90") {
			t.Errorf("%s: exit code %d\n%s", name, ends[i].code, ends[i].stderr)
		}
		r := recorded(t, file(name))
		if end, ok := r.End(); !ok || end.Next != 90 || end.Reason != "" || r.First() > 60 {
			t.Errorf("%s: frames %d to %d, %q", name, r.First(), end.Next, end.Reason)
		}
		var stdout, stderr strings.Builder
		if code := cli.Run(t.Context(), "toybox", []string{"replay", "verify", file(name)}, strings.NewReader(""), &stdout, &stderr, g); code != 0 {
			t.Errorf("%s is not verified: %d\n%s%s", name, code, &stdout, &stderr)
		}
	}
	// None of them is replaced.
	again := append(seats(t, 2, "--frames", "90")[0], "--record", file("host"))
	if e := player(t.Context(), t, g, again); e.code != 1 || !strings.Contains(e.stderr, "file exists, and a recording replaces none") {
		t.Errorf("a file that is there: exit code %d\n%s", e.code, e.stderr)
	}
	for _, c := range []struct{ value, says string }{{"", "--record needs the name"}, {"-", "where the result is printed"}} {
		bad := append(seats(t, 2)[0], "--record", c.value)
		if e := player(t.Context(), t, g, bad); e.code != 2 || !strings.Contains(e.stderr, c.says) {
			t.Errorf("--record %q: exit code %d\n%s", c.value, e.code, e.stderr)
		}
	}
}
