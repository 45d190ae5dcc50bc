package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// All libraries that the command line needs directly are named, with our own licence.
func TestLicensesAreThoseOfWhatIsBuiltIn(t *testing.T) {
	stdout, stderr, code := clitest.Run(t, nil, "licenses")
	if code != 0 || stderr != "" {
		t.Fatal(code, stderr)
	}
	own, err := os.ReadFile(filepath.Join("..", "..", "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{string(own), "\n  Go: its standard library", "github.com/spf13/cobra v", "github.com/pion/dtls/v3 v", "golang.org/x/term v"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("there is no %q", want)
		}
	}
	// A library that only tests need is not built in.
	if m := regexp.MustCompile("google/go-cmp|chromedp").FindString(stdout); m != "" {
		t.Errorf("%s is named", m)
	}
}
