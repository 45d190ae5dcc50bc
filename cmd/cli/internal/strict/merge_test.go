package strict

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Rule: in strict builds, the functions of package portable, and Abs, do not check for a NaN when they take a float apart: a step
// that calls them often would be 2 % slower. Where the program can see a NaN, the check is made.
func TestOnlyWhatIsSeenLooksForNaN(t *testing.T) {
	library := filepath.Join("..", "..", "..", "..", "portable")
	files, err := merged([]part{
		{"github.com/tickback/tickback/portable/internal/wide", "wide", filepath.Join(library, "internal", "wide")},
		{"github.com/tickback/tickback/portable", "portable", library},
	})
	if err != nil {
		t.Fatal(err)
	}
	looks := regexp.MustCompile(`[^_.\w](Float64bits|Copysign)\(`)
	raw := 0
	for name, text := range files {
		for line := range strings.Lines(string(text)) {
			if looks.MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "//") {
				t.Errorf("%s has %s", name, line)
			}
			raw += strings.Count(line, "strict_Float64bits(")
		}
	}
	if raw == 0 {
		t.Error("nothing takes a float apart: the test shows nothing")
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	made, err := replaced(filepath.Join(strings.TrimSpace(string(goroot)), "src", "math"))
	if err != nil {
		t.Fatal(err)
	}
	if text := string(made["abs.go"]); looks.MatchString(text) {
		t.Errorf("abs.go is\n%s", text)
	}
	for name, sees := range map[string]string{"copysign.go": "Float64bits(sign)", "unsafe.go": "if f != f {"} {
		if !strings.Contains(string(made[name]), sees) {
			t.Errorf("%s is\n%s", name, made[name])
		}
	}
}
