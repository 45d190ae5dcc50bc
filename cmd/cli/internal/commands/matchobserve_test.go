package commands_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// A match is traced and logged if requested, to files that are complete at the end.
func TestMatchIsTracedAndLogged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	all := clitest.Seats(t, 2, "--frames", "30")
	trace, log := filepath.Join(dir, "a.json"), filepath.Join(dir, "a.log")
	all[0] = append(all[0], "--trace", trace, "--log", log, "--log-format", "json")
	all[1] = append(all[1], "--log", "-", "--quiet")
	ends := clitest.PlayAll(t, all)
	for i, e := range ends {
		if e.Code != 0 {
			t.Errorf("player %d: %d\n%s", i+1, e.Code, e.Stderr)
		}
	}
	if n := clitest.Ticks(t, trace); n != 30 {
		t.Errorf("%d frames in the trace", n)
	}
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]any{}
	for line := range strings.Lines(string(b)) {
		last = map[string]any{}
		if err := json.Unmarshal([]byte(line), &last); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(string(b), `"msg":"started"`) || last["msg"] == nil {
		t.Errorf("the log is\n%s", b)
	}
	for _, words := range []string{"level=INFO msg=started", "msg=ended match=1 frame=30", "msg=summary"} {
		if !strings.Contains(ends[1].Stderr, words) {
			t.Errorf("no %q in\n%s", words, ends[1].Stderr)
		}
	}
}

// Impossible combinations are wrong usage.
func TestObserveFlagsAreChecked(t *testing.T) {
	place := []string{"match", "--player", "1", "--listen", "127.0.0.1:0", "--peer", "127.0.0.1:9"}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--trace", ""}, "--trace needs the name of a file"},
		{[]string{"--log", ""}, "--log needs the name of a file"},
		{[]string{"--trace", "-"}, "where the result is printed"},
		{[]string{"--log-format", "json"}, "there are none"},
		{[]string{"--log", "-", "--log-format", "xml"}, "there are: text, json"},
		{[]string{"--wire", "rbn1", "--trace", "x"}, "not for rbn1"},
		{[]string{"--wire", "rbn1", "--log", "x"}, "not for rbn1"},
	} {
		if _, stderr, code := clitest.Run(t, nil, append(place, c.args...)...); code != 2 || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: %d, %q", c.args, code, stderr)
		}
	}
}
