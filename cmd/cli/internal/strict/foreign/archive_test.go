package foreign

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// archive has members of these names and contents.
func archive(members ...string) string {
	var b strings.Builder
	b.WriteString("!<arch>\n")
	for i := 0; i < len(members); i += 2 {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n%s", members[i], 0, 0, 0, 0o644, len(members[i+1]), members[i+1])
		if len(members[i+1])%2 > 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Rule: what a package has besides Go is told by the members of its archive, of odd and even lengths; a file that is none is an error.
func TestArchivesSayWhetherThereIsMoreThanGo(t *testing.T) {
	for _, c := range []struct {
		name, text string
		has, fails bool
	}{
		{"Go", archive("__.PKGDEF", "odd", "_go_.o", "even"), false, false},
		{"assembly", archive("__.PKGDEF", "odd", "_go_.o", "odd", "sum_amd64.o", "x"), true, false},
		{"C", archive("__.PKGDEF", "even", "_go_.o", "x", "_x001.o", "x"), true, false},
		{"nothing", "", false, true},
		{"another file", "#!/bin/sh\nexit\n", false, true},
		{"no size", "!<arch>\n" + strings.Repeat("x", 60), false, true},
		{"less than none", strings.Replace(archive("__.PKGDEF", "odd"), " 3  ", " -60", 1), false, true},
		{"an end in a head", archive("__.PKGDEF", "even", "_go_.o", "even") + "sum", false, false},
	} {
		file := filepath.Join(t.TempDir(), "package.a")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if has, err := hasForeign(file); has != c.has || err != nil != c.fails {
			t.Errorf("%s: %v, %v", c.name, has, err)
		}
	}
}

// Rule: the program's package is the one whose file the linker is given, and flags have their values in one word or two.
func TestTheLinkersFiles(t *testing.T) {
	config := filepath.Join(t.TempDir(), "importcfg.link")
	if err := os.WriteFile(config, []byte("packagefile game/rules=/a/rules.a\npackagefile game=/a/game.a\nmodinfo \"x\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"-importcfg", config}, {"-importcfg=" + config}} {
		main, files, err := archives(append(flags, "-buildmode=exe", "/a/game.a"))
		if err != nil || main != "game" || len(files) != 2 || files["game/rules"] != "/a/rules.a" {
			t.Errorf("%v: %q, %v, %v", flags, main, files, err)
		}
	}
	if _, _, err := archives([]string{"/a/game.a"}); err == nil {
		t.Error("without a list of packages there is no error")
	}
}
