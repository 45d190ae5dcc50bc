package scaffold

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tickback/tickback/cmd/cli/internal/build"
)

// maxName is the maximum length of a module's path in bytes.
const maxName = 200

var (
	element = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._~-]*$`)
	// taken are path elements with a special meaning for the go command, or for Windows.
	taken = []string{
		"internal", "vendor", "testdata", "main", "all", "std", "cmd", "tool", "work",
		"con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "lpt1", "lpt2", "lpt3", "lpt4",
	}
)

// checkName returns an error for a text that is not the path of a module, or cannot name a game.
func checkName(name string) error {
	const rule = "a name is letters, digits, and . _ ~ - behind the first of them, such as potato or example.org/games/potato"
	if len(name) > maxName {
		return fmt.Errorf("a name of %d bytes is too long: at most %d", len(name), maxName)
	}
	for e := range strings.SplitSeq(name, "/") {
		stem, _, _ := strings.Cut(strings.ToLower(e), ".")
		switch {
		case !element.MatchString(e) || strings.HasSuffix(e, "."):
			return fmt.Errorf("%q: %s", name, rule)
		case slices.Contains(taken, stem):
			return fmt.Errorf("%q: %q means something else to the go command, or to Windows", name, e)
		}
	}
	if n := len(gameName(name)); n > build.MaxText {
		return fmt.Errorf("the name of the game has %d bytes, and may have %d", n, build.MaxText)
	}
	if name == library || strings.HasPrefix(name, library+"/") {
		return fmt.Errorf("%q is Tickback itself", name)
	}
	return nil
}

var major = regexp.MustCompile(`^v[0-9]+$`)

// gameName returns the name of the game of a module: the last element of its path that is not a major version.
func gameName(name string) string {
	base, dir := path.Base(name), path.Dir(name)
	if major.MatchString(base) && dir != "." {
		return path.Base(dir)
	}
	return base
}

// findGo returns the path of the go command.
func findGo() (string, error) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return "", errors.New("new needs the go command, and there is none in PATH: https://go.dev/dl has it")
	}
	return goCommand, nil
}

// checkStandard returns an error if the name is that of a package of the standard library, which it would hide.
func checkStandard(ctx context.Context, goCommand, name string) error {
	root, err := exec.CommandContext(ctx, goCommand, "env", "GOROOT").Output()
	if err != nil {
		return nil // problems with the go command are reported when it is needed
	}
	first, _, _ := strings.Cut(name, "/")
	if info, err := os.Stat(filepath.Join(strings.TrimSpace(string(root)), "src", first)); err == nil && info.IsDir() {
		return fmt.Errorf("%q: the standard library has a package %s", name, first)
	}
	return nil
}
