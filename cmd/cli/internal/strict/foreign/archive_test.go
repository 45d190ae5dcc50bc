package foreign

import (
	"errors"
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

// Rule: whether a package contains anything besides Go is recognized by the members of its archive, of odd and even lengths; a file
// that is not an archive is an error.
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

// Rule: the program's own package is the one whose file the linker is given, and flags have their values in the same word or in the
// next.
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

// Rule: if it is not known whether a game in a program reaches C or assembly, that is an error that names the packages with some, and
// says what to do; a program without the engine has no game, and gives no error.
func TestWhatCannotBeLookedAtIsAnError(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	plain, broken := write("go.a", archive("__.PKGDEF", "x", "_go_.o", "y")), write("broken.a", "nothing")
	assembly := write("sum.a", archive("__.PKGDEF", "x", "_go_.o", "y", "sum.o", "z"))
	t.Setenv(variable, Build{Dir: filepath.Join(dir, "none")}.Environment()[len(variable)+1:]) // where the go command does not work
	for _, c := range []struct {
		name, packages string
		says           []string
	}{
		{"all is Go", engine + "=" + plain, nil},
		{"a file that is none", engine + "=" + plain + "\npackagefile drawn/sum=" + broken, []string{"drawn/sum", "GOCACHE"}},
		{"the same without a game", "drawn/sum=" + broken, nil},
		{"assembly, and no go command", engine + "=" + plain + "\npackagefile drawn/sum=" + assembly, []string{"assembly of drawn/sum could not", "tickback vet --strict", "noasm"}},
		{"the same without a game", "drawn/sum=" + assembly, nil},
	} {
		config := write("importcfg.link", "packagefile "+c.packages+"\npackagefile game="+plain+"\n")
		found, err := Reached(filepath.Join(dir, "link"), []string{"-importcfg", config, plain})
		var unseen *UnseenError
		if len(found) > 0 || errors.As(err, &unseen) != (c.says != nil) {
			t.Errorf("%s: %v, %v", c.name, found, err)
			continue
		}
		for _, text := range c.says {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %q is not in: %v", c.name, text, err)
			}
		}
	}
}
