package tickback

import (
	"runtime"
	"strings"
	"testing"
)

// Rule: a machine is described by its platform, the level of its instruction set if there is one, and the version of Go,
// but by nothing else about the build.
func TestAMachineIsDescribed(t *testing.T) {
	words := strings.Fields(host())
	if len(words) < 2 || words[0] != runtime.GOOS+"/"+runtime.GOARCH || !strings.HasPrefix(runtime.Version(), words[len(words)-1]) && len(words) == 2 {
		t.Errorf("%q", words)
	}
	levels := 0
	for _, w := range words {
		if name, _, is := strings.Cut(w, "="); is {
			if levels++; name != "GO"+strings.ToUpper(runtime.GOARCH) || levels > 1 {
				t.Errorf("%q in %q", w, words)
			}
		}
	}
}
