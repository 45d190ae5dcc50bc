package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// made writes a release of this test's own program for two platforms, and returns the contents of the files.
func made(t *testing.T) (r *release, files map[string][]byte) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	page := t.TempDir()
	for name, text := range map[string]string{"index.html": "page", "index.html.br": "small", "assets/a.wasm": "code"} {
		at := filepath.Join(page, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	license := filepath.Join(t.TempDir(), "LICENSE")
	if err := os.WriteFile(license, []byte("license"), 0o600); err != nil {
		t.Fatal(err)
	}
	r = &release{version: "v1.2.3-rc.1", out: filepath.Join(t.TempDir(), "out"), page: page, files: []string{license}, time: time.Unix(1_700_000_000, 0).UTC()}
	if err := r.write([]string{"linux/amd64=" + program, "windows/arm64=" + program}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(r.out)
	if err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(r.out, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return r, files
}

// unpacked returns the names in a compressed tar, each with its mode and size.
func unpacked(t *testing.T, b []byte) (list []string) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		if h.Uid != 0 || h.Uname != "" || !h.ModTime.Equal(time.Unix(1_700_000_000, 0)) {
			t.Errorf("%s is of %d, %q at %v", h.Name, h.Uid, h.Uname, h.ModTime)
		}
		list = append(list, fmt.Sprintf("%s %o", h.Name, h.Mode))
	}
}

// Rule: each platform has an archive with the program, what was asked for, the page and a bill of materials; the page has
// one of its own, without what only a server that knows it can use; all checksums are those of the files; and a second
// release of the same has the same bytes.
func TestArchives(t *testing.T) {
	_, files := made(t)
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	want := []string{
		"SHA256SUMS", "tickback-page_1.2.3-rc.1.tar.gz", "tickback_1.2.3-rc.1_linux_amd64.cdx.json", "tickback_1.2.3-rc.1_linux_amd64.tar.gz",
		"tickback_1.2.3-rc.1_windows_arm64.cdx.json", "tickback_1.2.3-rc.1_windows_arm64.zip",
	}
	if !slices.Equal(names, want) {
		t.Fatalf("%q, want %q", names, want)
	}
	const in = "tickback_1.2.3-rc.1_linux_amd64/"
	list := unpacked(t, files["tickback_1.2.3-rc.1_linux_amd64.tar.gz"])
	if want := []string{in + "LICENSE 644", in + "sbom.cdx.json 644", in + "tickback 755", in + "web/assets/a.wasm 644", in + "web/index.html 644", in + "web/index.html.br 644"}; !slices.Equal(list, want) {
		t.Errorf("%q, want %q", list, want)
	}
	if list, want := unpacked(t, files["tickback-page_1.2.3-rc.1.tar.gz"]), []string{"assets/a.wasm 644", "index.html 644"}; !slices.Equal(list, want) {
		t.Errorf("%q, want %q", list, want)
	}
	b := files["tickback_1.2.3-rc.1_windows_arm64.zip"]
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(z.File, func(f *zip.File) bool {
		return f.Name == "tickback_1.2.3-rc.1_windows_arm64/tickback.exe" && f.Mode() == 0o755
	}) {
		t.Errorf("there is no program among %d files", len(z.File))
	}
	sums := strings.Split(strings.TrimSpace(string(files["SHA256SUMS"])), "\n")
	if len(sums) != len(files)-1 {
		t.Errorf("%d sums of %d files", len(sums), len(files)-1)
	}
	for _, line := range sums {
		sum, name, _ := strings.Cut(line, "  ")
		if sum != fmt.Sprintf("%x", sha256.Sum256(files[name])) {
			t.Errorf("the sum of %s is wrong", name)
		}
	}
	if _, again := made(t); len(again) != len(files) {
		t.Error("another release has other files")
	} else {
		for name := range files {
			if !bytes.Equal(files[name], again[name]) {
				t.Errorf("another release has other bytes in %s", name)
			}
		}
	}
}

// Rule: the bill names each module that is linked, with its version and the checksum that go.sum has, and Go.
func TestTheBillNamesWhatIsLinked(t *testing.T) {
	_, files := made(t)
	var bill struct {
		BOMFormat  string
		Metadata   struct{ Component struct{ Version string } }
		Components []struct {
			Name, Version, Purl string
			Properties          []struct{ Name, Value string }
		}
	}
	if err := json.Unmarshal(files["tickback_1.2.3-rc.1_linux_amd64.cdx.json"], &bill); err != nil {
		t.Fatal(err)
	}
	if bill.BOMFormat != "CycloneDX" || bill.Metadata.Component.Version != "v1.2.3-rc.1" || bill.Components[0].Name != "std" {
		t.Errorf("%+v", bill)
	}
	found := false
	for _, c := range bill.Components {
		if c.Name == "github.com/CycloneDX/cyclonedx-go" {
			found = c.Purl == "pkg:golang/github.com/CycloneDX/cyclonedx-go@"+c.Version && strings.HasPrefix(c.Properties[0].Value, "h1:")
		}
	}
	if !found {
		t.Errorf("what writes the bill is linked, and not in it: %+v", bill.Components)
	}
}

// Rule: what is missing or wrong is named.
func TestWrongReleases(t *testing.T) {
	r, _ := made(t)
	program := r.files[0] // no program
	for want, test := range map[string]struct {
		r    release
		list []string
	}{
		"it needs -version":          {release{out: r.out}, []string{"linux/amd64=x"}},
		"it needs -version, -o, and": {release{version: "v1.0.0", out: r.out}, nil},
		"is no platform and program": {release{version: "v1.0.0", out: r.out}, []string{"linux=x"}},
		"no such file":               {release{version: "v1.0.0", out: r.out}, []string{"linux/amd64=nowhere"}},
		"linux/386: ":                {release{version: "v1.0.0", out: r.out}, []string{"linux/386=" + program}},
	} {
		if err := test.r.write(test.list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
