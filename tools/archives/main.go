package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	var r release
	var seconds int64
	var files string
	flag.StringVar(&r.version, "version", "", "the `VERSION`, such as v1.2.3")
	flag.Int64Var(&seconds, "time", 0, "the time of all files, in `SECONDS` since 1970: that of the commit")
	flag.StringVar(&r.out, "o", "", "the `FOLDER` to write")
	flag.StringVar(&r.page, "page", "", "the `FOLDER` of the page, which gets an archive of its own, too")
	flag.StringVar(&files, "files", "", "further `FILES` for each archive, with commas")
	flag.Parse()
	r.time, r.files = time.Unix(seconds, 0).UTC(), strings.FieldsFunc(files, func(c rune) bool { return c == ',' })
	if err := r.write(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "archives:", err)
		os.Exit(1)
	}
}

// release is what is written.
type release struct {
	version, out, page string
	files              []string
	time               time.Time

	sums map[string][sha256.Size]byte // of the files that were written
}

// write writes everything for platforms with their programs, such as linux/amd64=bin/tickback.
func (r *release) write(platforms []string) error {
	if r.version == "" || r.out == "" || len(platforms) == 0 {
		return errors.New("it needs -version, -o, and platforms with their programs: linux/amd64=bin/tickback")
	}
	if err := os.MkdirAll(r.out, 0o777); err != nil {
		return err
	}
	r.sums = map[string][sha256.Size]byte{}
	for _, p := range platforms {
		platform, program, ok := strings.Cut(p, "=")
		goos, goarch, also := strings.Cut(platform, "/")
		if !ok || !also {
			return fmt.Errorf("%q is no platform and program: write linux/amd64=bin/tickback", p)
		}
		if err := r.platform(goos, goarch, program); err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
	}
	if r.page != "" {
		entries, err := folder(r.page, "")
		if err != nil {
			return err
		}
		// Servers of files compress themselves, or do not know what these are.
		entries = slices.DeleteFunc(entries, func(e entry) bool {
			return strings.HasSuffix(e.name, ".br") || strings.HasSuffix(e.name, ".gz")
		})
		if err := r.archive("tickback-page_"+r.number()+".tar.gz", entries); err != nil {
			return err
		}
	}
	return r.checksums()
}

// number is the version as the names of files have it.
func (r *release) number() string { return strings.TrimPrefix(r.version, "v") }

// platform writes the archive and the bill of materials for one platform.
func (r *release) platform(goos, goarch, program string) error {
	name := fmt.Sprintf("tickback_%s_%s_%s", r.number(), goos, goarch)
	binary := "tickback"
	ending := ".tar.gz"
	if goos == "windows" {
		binary, ending = "tickback.exe", ".zip"
	}
	b, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	bill, err := billOf(program, r.version, goos, goarch)
	if err != nil {
		return err
	}
	entries := []entry{{name + "/" + binary, b, 0o755}, {name + "/sbom.cdx.json", bill, 0o644}}
	for _, f := range r.files {
		b, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		entries = append(entries, entry{name + "/" + filepath.Base(f), b, 0o644})
	}
	if r.page != "" {
		page, err := folder(r.page, name+"/web/")
		if err != nil {
			return err
		}
		entries = append(entries, page...)
	}
	if err := r.archive(name+ending, entries); err != nil {
		return err
	}
	return r.file(name+".cdx.json", bill)
}

// folder returns the files of a folder, with a prefix before their names.
func folder(dir, prefix string) (entries []entry, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s is no file", path)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		entries = append(entries, entry{prefix + filepath.ToSlash(rel), b, 0o644})
		return err
	})
	return entries, err
}

// archive writes an archive, whose kind is in its name.
func (r *release) archive(name string, entries []entry) error {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	pack := tarred
	if strings.HasSuffix(name, ".zip") {
		pack = zipped
	}
	var b bytes.Buffer
	if err := pack(&b, entries, r.time); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return r.file(name, b.Bytes())
}

func (r *release) file(name string, content []byte) error {
	r.sums[name] = sha256.Sum256(content)
	return os.WriteFile(filepath.Join(r.out, name), content, 0o666)
}

// checksums writes the checksums in the form of sha256sum.
func (r *release) checksums() error {
	var b strings.Builder
	var names []string
	for name := range r.sums {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "%x  %s\n", r.sums[name], name)
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(b.String()), 0o666)
}
