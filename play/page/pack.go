package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/andybalholm/brotli"
)

// Assets is the folder, inside the page's, of all files that are named by their content.
const Assets = "assets"

// Notices is the file next to the page with the licences of everything in it.
const Notices = "notices.txt"

// Parts are the parts of a page.
type Parts struct {
	// Index and Worker are templates: see index and worker.
	Index, Loader, Worker, Exec, Wasm []byte
	// Mirror and Writer are scripts that are packed with the loader.
	Mirror, Writer []byte
	// Beside are the files with fixed names beside the index.
	Beside []File
	// URL is the future address of the page, with a slash at the end. It replaces %PAGE% in the index, in links that
	// must be absolute; without one the server replaces it, as online/serve does.
	URL string
	// Best compresses as well as possible, which takes a minute.
	Best bool
}

// File is a file beside the index.
type File struct {
	Name string
	Data []byte
	// Loaded says that the page loads it automatically.
	Loaded bool
}

// Sizes are the bytes of all files that a browser loads at the start, plain and compressed, without those loaded on
// request, such as the notices.
type Sizes struct{ Plain, Gzip, Brotli int }

// Pack writes a page into a folder, which it makes. Existing files are not compressed again, unless Best is set. The
// page is complete at any time, so that a server can serve it in the meantime; assets that are no longer needed are
// removed at the end.
func Pack(dir string, s Parts) (Sizes, error) {
	p := packer{dir: dir, best: s.Best}
	err := p.pack(s)
	if err != nil {
		return p.sizes, fmt.Errorf("the page cannot be written: %w", err)
	}
	return p.sizes, nil
}

// packer is one run of Pack.
type packer struct {
	dir    string
	best   bool
	sizes  Sizes
	assets []string // needed by the page
}

func (p *packer) pack(s Parts) error {
	if err := os.MkdirAll(filepath.Join(p.dir, Assets), 0o755); err != nil {
		return err
	}
	x := index{Size: len(s.Wasm)}
	for _, part := range []struct {
		to        *string
		name, ext string
		data      []byte
	}{{&x.Exec, "exec", "js", s.Exec}, {&x.Loader, "loader", "js", slices.Concat(s.Loader, s.Mirror, s.Writer)}, {&x.Wasm, "tickback", "wasm", s.Wasm}} {
		hash := sha256.Sum256(part.data)
		*part.to = fmt.Sprintf("%s/%s.%x.%s", Assets, part.name, hash[:6], part.ext)
		if err := p.write(*part.to, part.data); err != nil {
			return err
		}
		p.assets = append(p.assets, path.Base(*part.to))
	}
	page, err := filled(s.Index, x)
	if err != nil {
		return err
	}
	if s.URL != "" {
		page = bytes.ReplaceAll(page, []byte("%PAGE%"), []byte(html.EscapeString(s.URL)))
	}
	keeper, err := filled(s.Worker, workerOf(x, page, s.Beside))
	if err != nil {
		return err
	}
	for _, f := range append([]File{{Worker, keeper, true}}, s.Beside...) {
		if err := p.beside(f); err != nil {
			return err
		}
	}
	if err := p.write("index.html", page); err != nil { // last: it names the others
		return err
	}
	return p.clean()
}

// beside writes a file beside the index, and adds its size if the page loads it.
func (p *packer) beside(f File) error {
	loaded := p.sizes
	err := p.write(f.Name, f.Data)
	if !f.Loaded {
		p.sizes = loaded
	}
	return err
}

// write writes a file three times: plain, and compressed in two ways.
func (p *packer) write(name string, data []byte) error {
	to := filepath.Join(p.dir, filepath.FromSlash(name))
	if !p.best {
		if gz, br, ok := packed(to, data); ok {
			p.count(len(data), gz, br)
			return nil
		}
	}
	gz, br, err := compress(data, p.best)
	if err != nil {
		return err
	}
	p.count(len(data), len(gz), len(br))
	// A server ignores a compressed file that is older than the plain one.
	return errors.Join(replace(to, data), replace(to+".gz", gz), replace(to+".br", br))
}

func (p *packer) count(plain, gz, br int) {
	p.sizes.Plain, p.sizes.Gzip, p.sizes.Brotli = p.sizes.Plain+plain, p.sizes.Gzip+gz, p.sizes.Brotli+br
}

// packed returns the sizes of a file's compressed versions, if they are all there and up to date.
func packed(name string, data []byte) (gz, br int, ok bool) {
	old, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(old, data) {
		return 0, 0, false
	}
	plain, err := os.Stat(name)
	if err != nil {
		return 0, 0, false
	}
	for ext, size := range map[string]*int{".gz": &gz, ".br": &br} {
		info, err := os.Stat(name + ext)
		if err != nil || info.ModTime().Before(plain.ModTime()) {
			return 0, 0, false
		}
		*size = int(info.Size())
	}
	return gz, br, true
}

// compress compresses in both ways.
func compress(data []byte, best bool) (gz, br []byte, err error) {
	level, quality := gzip.BestSpeed, 2
	if best {
		level, quality = gzip.BestCompression, brotli.BestCompression
	}
	var zipped, small bytes.Buffer
	z, err := gzip.NewWriterLevel(&zipped, level)
	if err != nil {
		return nil, nil, err
	}
	b := brotli.NewWriterOptions(&small, brotli.WriterOptions{Quality: quality, LGWin: 24})
	_, zerr := z.Write(data)
	_, berr := b.Write(data)
	err = errors.Join(zerr, berr, z.Close(), b.Close())
	return zipped.Bytes(), small.Bytes(), err
}

// replace writes a file that gets its name only when it is complete.
func replace(name string, data []byte) error {
	part := name + ".part"
	if err := os.WriteFile(part, data, 0o644); err != nil {
		_ = os.Remove(part) // the first error is the one to return
		return err
	}
	return os.Rename(part, name)
}

// clean removes the assets of earlier pages.
func (p *packer) clean() error {
	entries, err := os.ReadDir(filepath.Join(p.dir, Assets))
	if err != nil {
		return err
	}
	for _, e := range entries {
		plain := e.Name()
		if ext := path.Ext(plain); ext == ".gz" || ext == ".br" {
			plain = plain[:len(plain)-len(ext)]
		}
		if slices.Contains(p.assets, plain) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(p.dir, Assets, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
