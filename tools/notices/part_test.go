package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const isc = `Copyright (c) 2026 Somebody

Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY
AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM
LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR
OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
PERFORMANCE OF THIS SOFTWARE.
`

// The notice with which files say that they are under the GPL.
const gpl = `This program is free software: you can redistribute it and/or modify
it under the terms of the GNU General Public License as published by
the Free Software Foundation, either version 3 of the License, or
(at your option) any later version.

This program is distributed in the hope that it will be useful,
but WITHOUT ANY WARRANTY; without even the implied warranty of
MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
GNU General Public License for more details.

You should have received a copy of the GNU General Public License
along with this program.  If not, see <https://www.gnu.org/licenses/>.
`

// folder makes files, and returns where.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// noticesOf are those of one module, of which one package is built in.
func noticesOf(t *testing.T, files map[string]string) (string, error) {
	t.Helper()
	dir := folder(t, files)
	parts := map[string]*part{}
	p := listed{ImportPath: "example.org/lib/a/b", Dir: filepath.Join(dir, "a", "b"), Module: &module{Path: "example.org/lib", Version: "v1.2.3", Dir: dir}}
	if err := add(parts, p, t.TempDir()); err != nil {
		return "", err
	}
	out, err := text("a thing", "our own\n", parts)
	return string(out), err
}

// What is beside the package or above it counts, and what is elsewhere does not.
func TestLicencesAreThoseOfThePackagesThatAreBuiltIn(t *testing.T) {
	got, err := noticesOf(t, map[string]string{
		"LICENSE": isc, "a/Notice.txt": "made by many\r\n", "a/b/COPYING.md": strings.ReplaceAll(isc, "Somebody", "Another"),
		"c/LICENSE": gpl, "a/b/c/LICENSE": gpl, "a/b/license.go": "package b",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"our own\n", "  example.org/lib v1.2.3: ISC\n", "2026 Somebody\n", "2026 Another\n", "made by many\n"} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, got)
		}
	}
	if strings.Contains(got, "GNU") || strings.Contains(got, "package b") || strings.Contains(got, "\r") {
		t.Errorf("what is not built in is there:\n%s", got)
	}
}

// Negative controls: what must not ship is an error that names it.
func TestWhatMustNotShip(t *testing.T) {
	for _, c := range []struct {
		name, want string
		files      map[string]string
	}{
		{"copyleft", "GPL", map[string]string{"LICENSE": gpl, "a/b/b.go": ""}},
		{"copyleft in one folder", "GPL", map[string]string{"LICENSE": isc, "a/b/LICENSE": gpl}},
		{"both in one file", "GPL", map[string]string{"LICENSE": isc + "\n" + gpl, "a/b/b.go": ""}},
		{"unknown", "not known", map[string]string{"LICENSE": "You may use this on Tuesdays, if you ask before.", "a/b/b.go": ""}},
		{"terms beside a licence", "not known", map[string]string{"LICENSE": isc + strings.Repeat("Whoever earns by it pays a tenth to us each year. ", 20), "a/b/b.go": ""}},
		{"none", "example.org/lib v1.2.3 has no licence file", map[string]string{"a/b/b.go": ""}},
		{"a notice only", "example.org/lib v1.2.3 has no licence file", map[string]string{"NOTICE": "made by many", "a/b/b.go": ""}},
	} {
		if got, err := noticesOf(t, c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %s", c.name, err, got)
		}
	}
	if err := add(map[string]*part{}, listed{ImportPath: "nobody/knows"}, t.TempDir()); err == nil {
		t.Error("a package of no module is taken")
	}
}

// Two of the same licence, to the word, share it.
func TestEachLicenceIsThereOnce(t *testing.T) {
	parts, goroot := map[string]*part{}, folder(t, map[string]string{"LICENSE": isc, "src/fmt/x.go": ""})
	dir := folder(t, map[string]string{"LICENSE": isc})
	for _, p := range []listed{
		{ImportPath: "fmt", Standard: true, Dir: filepath.Join(goroot, "src", "fmt")},
		{ImportPath: "unsafe", Standard: true},
		{ImportPath: "example.org/lib", Dir: dir, Module: &module{Path: "example.org/lib", Version: "v1.0.0", Dir: dir}},
		{ImportPath: "ours", Module: &module{Path: "ours", Main: true}},
	} {
		if err := add(parts, p, goroot); err != nil {
			t.Fatal(err)
		}
	}
	got, err := text("a thing", "our own\n", parts)
	if err != nil || strings.Count(string(got), "Permission") != 1 || !strings.Contains(string(got), goName+"\nexample.org/lib v1.0.0\n\nCopyright") ||
		strings.Contains(string(got), "ours") {
		t.Errorf("%v:\n%s", err, got)
	}
}

// A file that is not what would be written is an error, and stays as it is.
func TestCheckWritesNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "notices.txt")
	if err := deliver(name, []byte("new"), true); err == nil {
		t.Error("a missing file is up to date")
	}
	if err := deliver(name, []byte("old"), false); err != nil {
		t.Fatal(err)
	}
	if err := deliver(name, []byte("new"), true); err == nil || !strings.Contains(err.Error(), "make notices") {
		t.Error(err)
	}
	if err := deliver(name, []byte("old"), true); err != nil {
		t.Error(err)
	}
}

// The fonts of the games are in a page, whose licence is in no folder above them.
func TestThePageHasTheLicenceOfItsFonts(t *testing.T) {
	for _, s := range shipped {
		if s.pkg != "./play/cmd/tickback-play" {
			continue
		}
		got, err := s.notices(t.Context(), filepath.Join("..", ".."))
		if err != nil || !strings.Contains(string(got), "Bigelow & Holmes") || !strings.Contains(string(got), "hajimehoshi/ebiten/v2 v") {
			t.Errorf("%s: %v", s.title, err)
		}
	}
}
