package cli_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// Flags were documented that did not exist: every flag in the user pages must appear in the help of some
// command.
//
// Seen to fail with a page that names a flag --fast.
func TestDefectADocumentedFlagIsMissing(t *testing.T) {
	help := ""
	for _, command := range []string{
		"", "match", "spectate", "soak", "desync show", "desync replay", "toy", "toy serve", "toy join", "toy bots", "sim", "new", "play", "token", "replay", "replay verify", "replay info",
		"replay bisect", "replay diff", "replay cut", "replay join", "replay convert", "replay export", "replay stats", "replay show",
	} {
		out, _, code := clitest.Run(t, nil, append(strings.Fields(command), "--help")...)
		if code != 0 {
			t.Fatalf("%q --help: exit code %d", command, code)
		}
		help += out
	}
	flag, seen := regexp.MustCompile(`(?:^|[\s\x60])(--[a-z]+(?:-[a-z]+)*)(?:[\s\x60=.,]|$)`), 0
	for _, page := range []string{
		"README.md", "docs/sessions.md", "docs/engine.md", "docs/determinism.md", "docs/contributing/fleet.md", "docs/observability.md",
		"docs/recordings.md",
	} {
		text, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range flag.FindAllStringSubmatch(string(text), -1) {
			if seen++; !regexp.MustCompile(regexp.QuoteMeta(m[1]) + `\b`).MatchString(help) {
				t.Errorf("%s shows %s, which no command has", page, m[1])
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d flags are shown: this tests too little", seen)
	}
}
