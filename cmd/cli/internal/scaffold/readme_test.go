package scaffold_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/cmd/cli/internal/scaffold"
)

// Rule: the commands in the README of each form exist, with their flags, and lead with other programs of the module to a
// match.
func TestREADMEsNameCommandsThatExist(t *testing.T) {
	texts, err := scaffold.READMEs()
	if err != nil || len(texts) != 8 {
		t.Fatal(len(texts), err)
	}
	for form, text := range texts {
		seen := 0
		for _, m := range regexp.MustCompile("(?m)(?:^|`)go run \\. (\\w+(?: verify)?)([^`\n]*)").FindAllStringSubmatch(text, -1) {
			help, _, code := clitest.Run(t, nil, append(strings.Fields(m[1]), "--help")...)
			if code != 0 || !strings.Contains(help, "toybox "+m[1]) {
				t.Errorf("%s: there is no command %s", form, m[1])
			}
			for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(m[2], -1) {
				if seen++; !strings.Contains(help, flag+" ") {
					t.Errorf("%s: %s has no flag %s", form, m[1], flag)
				}
			}
		}
		if seen < 5 {
			t.Errorf("%s: only %d flags are named in\n%s", form, seen, text)
		}
		if strings.Count(text, "```")%2 != 0 || strings.Contains(text, "\n\n\n") || !strings.Contains(text, "go run ./pack") {
			t.Errorf("%s is not whole:\n%s", form, text)
		}
	}
}
