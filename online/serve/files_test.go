package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func at(minute int) time.Time { return time.Unix(int64(60*minute), 0) }

var page = fstest.MapFS{
	"index.html":         {Data: []byte("<p>play"), ModTime: at(1)},
	"game.wasm":          {Data: []byte("\x00asm whole"), ModTime: at(1)},
	"game.wasm.br":       {Data: []byte("brotli"), ModTime: at(2)},
	"game.wasm.gz":       {Data: []byte("gzip"), ModTime: at(1)},
	"stale.js":           {Data: []byte("new"), ModTime: at(2)},
	"stale.js.br":        {Data: []byte("old"), ModTime: at(1)},
	"art.0123abcd.png":   {Data: []byte("png"), ModTime: at(1)},
	"sub/index.html":     {Data: []byte("sub"), ModTime: at(1)},
	".git/config":        {Data: []byte("secret"), ModTime: at(1)},
	"sub/.env":           {Data: []byte("secret"), ModTime: at(1)},
	"a..b.txt":           {Data: []byte("dots"), ModTime: at(1)},
	"unknown.nobodyknow": {Data: []byte("?"), ModTime: at(1)},
}

func get(t *testing.T, h http.Handler, target string, headers ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Host = "localhost"
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b := make([]byte, 1<<16)
	n, _ := r.Body.Read(b)
	return string(b[:n])
}

func server(t *testing.T, cfg Config) *Server {
	t.Helper()
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(t.Context()) })
	return s
}

// A file is sent in the encoding that suits the browser best, with its type and length.
func TestFilesAreSentAsTheBrowserTakesThem(t *testing.T) {
	h := server(t, Config{Files: page}).Handler()
	for _, c := range []struct{ target, accept, body, encoding, kind string }{
		{"/", "br", "<p>play", "", "text/html; charset=utf-8"},
		{"/sub/", "", "sub", "", "text/html; charset=utf-8"},
		{"/game.wasm", "gzip, br", "brotli", "br", "application/wasm"},
		{"/game.wasm", "gzip, br;q=0", "gzip", "gzip", "application/wasm"},
		{"/game.wasm", "gzip, br;q=0.5", "brotli", "br", "application/wasm"},
		{"/game.wasm", " BR ; q= 1 , gzip", "brotli", "br", "application/wasm"},
		{"/game.wasm", "br;q=0.000, gzip;q=0.001", "gzip", "gzip", "application/wasm"},
		{"/game.wasm", "br;q=-1, gzip", "gzip", "gzip", "application/wasm"},
		{"/game.wasm", "br;q=high, gzip;level=9", "gzip", "gzip", "application/wasm"},
		{"/game.wasm", "*", "brotli", "br", "application/wasm"},
		{"/game.wasm", "*;q=0", "\x00asm whole", "", "application/wasm"},
		{"/game.wasm", "*, br;q=0", "gzip", "gzip", "application/wasm"},
		{"/game.wasm", "identity", "\x00asm whole", "", "application/wasm"},
		{"/game.wasm", "", "\x00asm whole", "", "application/wasm"},
		{"/stale.js", "br", "new", "", "text/javascript; charset=utf-8"},
		{"/a..b.txt", "", "dots", "", "text/plain; charset=utf-8"},
		{"/unknown.nobodyknow", "", "?", "", "application/octet-stream"},
		{"/sub/../game.wasm", "gzip", "gzip", "gzip", "application/wasm"},
	} {
		r := get(t, h, c.target, "Accept-Encoding", c.accept)
		if r.StatusCode == http.StatusMovedPermanently || r.StatusCode == http.StatusTemporaryRedirect { // the mux tidies a path
			r = get(t, h, r.Header.Get("Location"), "Accept-Encoding", c.accept)
		}
		if got := body(t, r); got != c.body || r.Header.Get("Content-Encoding") != c.encoding || r.Header.Get("Content-Type") != c.kind ||
			r.Header.Get("Content-Length") != strconv.Itoa(len(c.body)) || r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s (%s): %d %q, %v", c.target, c.accept, r.StatusCode, got, r.Header)
		}
	}
}

// Files that do not belong to the page are not found.
func TestWhatIsNoFileOfThePage(t *testing.T) {
	f := newFiles(page, server(t, Config{}).cfg.Log, false)
	for _, target := range []string{"/nothing", "/.git/config", "/sub/.env", "/sub", "/..%2f..%2fetc%2fpasswd", "/sub%00", "/a%5cb", "/game.wasm/", "/%2e%2e/x"} {
		if r := get(t, f, target); r.StatusCode != http.StatusNotFound || strings.Contains(body(t, r), "secret") {
			t.Errorf("%s: %d", target, r.StatusCode)
		}
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
	w = httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest(http.MethodHead, "/game.wasm", nil))
	if w.Code != http.StatusOK || w.Body.Len() != 0 || w.Header().Get("Content-Length") != "10" {
		t.Errorf("HEAD: %d, %d bytes, %v", w.Code, w.Body.Len(), w.Header())
	}
}

// An index that is too large to have its placeholders replaced is sent as it is.
func TestALargeIndex(t *testing.T) {
	for size, replaced := range map[int]bool{1 << 20: true, 1<<20 + 1: false} {
		text := Placeholder + strings.Repeat("x", size-len(Placeholder))
		r := get(t, server(t, Config{Files: fstest.MapFS{"index.html": {Data: []byte(text), ModTime: at(1)}}}).Handler(), "/")
		b, err := io.ReadAll(r.Body)
		if replaced {
			text = strings.Replace(text, Placeholder, "http://localhost/", 1)
		}
		if err != nil || r.StatusCode != http.StatusOK || string(b) != text {
			t.Errorf("an index of %d bytes: %d, %.30q, %v", size, r.StatusCode, b, err)
		}
	}
}

// A browser does not download again what it has; files with a hash in their names, or requested by their hash, are not
// even requested again; and changed files are downloaded.
func TestCaching(t *testing.T) {
	files := fstest.MapFS{}
	for name, file := range page {
		files[name] = &fstest.MapFile{Data: file.Data, ModTime: file.ModTime}
	}
	h := server(t, Config{Files: files}).Handler()
	first := get(t, h, "/game.wasm", "Accept-Encoding", "br")
	tag := first.Header.Get("ETag")
	if first.Header.Get("Cache-Control") != "no-cache" || len(tag) < 32 {
		t.Errorf("%v", first.Header)
	}
	plain := get(t, h, "/game.wasm").Header.Get("ETag")
	if sum := sha256.Sum256(files["game.wasm"].Data); plain != fmt.Sprintf(`"%x"`, sum[:16]) || tag != fmt.Sprintf(`"%x-br"`, sum[:16]) {
		t.Errorf("a file is %s, and packed %s", plain, tag) // all copies of the server agree on it
	}
	if r := get(t, h, "/game.wasm", "Accept-Encoding", "br", "If-None-Match", `"x", W/`+tag); r.StatusCode != http.StatusNotModified || body(t, r) != "" {
		t.Errorf("the same once more: %d", r.StatusCode)
	}
	for _, accept := range []string{"", "gzip"} {
		if r := get(t, h, "/game.wasm", "Accept-Encoding", accept, "If-None-Match", tag); r.StatusCode != http.StatusOK {
			t.Errorf("another encoding, %q: %d", accept, r.StatusCode)
		}
	}
	sum := sha256.Sum256(files["game.wasm"].Data)
	hash := hex.EncodeToString(sum[:])
	for target, forever := range map[string]bool{
		"/art.0123abcd.png": true, "/game.wasm?v=" + hash[:8]: true, "/game.wasm?v=" + hash: true,
		"/game.wasm?v=" + hash[:7]: false, "/game.wasm?v=00000000": false, "/game.wasm?v=": false, "/": false,
	} {
		if got := strings.Contains(get(t, h, target).Header.Get("Cache-Control"), "immutable"); got != forever {
			t.Errorf("%s is kept for ever: %v", target, got)
		}
	}
	files["game.wasm"] = &fstest.MapFile{Data: []byte("\x00asm other"), ModTime: at(3)}
	r := get(t, h, "/game.wasm", "Accept-Encoding", "br", "If-None-Match", tag)
	if got := body(t, r); r.StatusCode != http.StatusOK || got != "\x00asm other" {
		t.Errorf("after a change: %d %q", r.StatusCode, got)
	}
}

// damaged is a directory whose files are there, but cannot be opened or read to their end.
type damaged struct {
	fstest.MapFS
	shut bool // no file opens
}

var errDamaged = errors.New("the disk is damaged")

func (d *damaged) Open(name string) (fs.File, error) {
	if d.shut {
		return nil, errDamaged
	}
	file, err := d.MapFS.Open(name)
	return halfFile{file}, err
}

// halfFile cannot be read.
type halfFile struct{ fs.File }

func (halfFile) Read([]byte) (int, error) { return 0, errDamaged }

// leaving is a folder whose files can no longer be opened from some time on.
type leaving struct {
	fstest.MapFS
	gone bool
}

func (l *leaving) Open(name string) (fs.File, error) {
	if l.gone {
		return nil, errDamaged
	}
	return l.MapFS.Open(name)
}

// The result for a file that could be read before is not kept for ever either, or until
// the file changes.
func TestAFileThatCannotBeReadAnyMore(t *testing.T) {
	files := &leaving{MapFS: page}
	h := server(t, Config{Files: files}).Handler()
	for _, target := range []string{"/game.wasm", "/art.0123abcd.png"} {
		files.gone = false
		if r := get(t, h, target); r.StatusCode != http.StatusOK || r.Header.Get("Cache-Control") == "" {
			t.Fatalf("%s: %d, %v", target, r.StatusCode, r.Header)
		}
		files.gone = true
		if r := get(t, h, target); r.StatusCode != http.StatusInternalServerError || len(r.Header.Values("Cache-Control")) > 0 {
			t.Errorf("%s afterwards: %d, %v", target, r.StatusCode, r.Header)
		}
	}
}

// A file that exists and cannot be read is a fault of the server: the answer says so, and
// no browser keeps it. The operator learns which file it is.
func TestAFileThatCannotBeRead(t *testing.T) {
	var log lockedBuffer
	for _, shut := range []bool{false, true} {
		h := server(t, Config{Files: &damaged{MapFS: page, shut: shut}, Log: slog.New(slog.NewTextHandler(&log, nil))}).Handler()
		for _, target := range []string{"/", "/game.wasm", "/art.0123abcd.png"} {
			r := get(t, h, target)
			if got := body(t, r); r.StatusCode != http.StatusInternalServerError || strings.Contains(got, "disk") || len(r.Header.Values("Cache-Control")) > 0 {
				t.Errorf("%s, shut %v: %d %q, %v", target, shut, r.StatusCode, got, r.Header)
			}
			if name := nameOf(target); !strings.Contains(log.String(), "name="+name) || !strings.Contains(log.String(), errDamaged.Error()) {
				t.Errorf("%s: the operator reads %s", name, log.String())
			}
		}
	}
}

// shrinking is a directory whose files have become shorter than they say. It counts those that are open.
type shrinking struct {
	fstest.MapFS
	by   int64
	lost error // of asking an open file about itself
	open int
}

func (s *shrinking) Open(name string) (fs.File, error) {
	file, err := s.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	s.open++
	return &shrinkingFile{file, s}, nil
}

func (s *shrinking) Stat(name string) (fs.FileInfo, error) { return s.MapFS.Stat(name) }

type shrinkingFile struct {
	fs.File
	of *shrinking
}

func (f *shrinkingFile) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	return largerInfo{info, f.of.by}, errors.Join(err, f.of.lost)
}

func (f *shrinkingFile) Close() error {
	f.of.open--
	return f.File.Close()
}

type largerInfo struct {
	fs.FileInfo
	by int64
}

func (i largerInfo) Size() int64 { return i.FileInfo.Size() + i.by }

// Each file that is opened is closed, whatever is asked about it. The operator learns which one has become shorter while
// it was sent, and is told nothing of the others.
func TestFilesAreClosed(t *testing.T) {
	for _, by := range []int64{0, 1} {
		var log lockedBuffer
		files := &shrinking{MapFS: page, by: by}
		h := server(t, Config{Files: files, Log: slog.New(slog.NewTextHandler(&log, nil))}).Handler()
		tag := get(t, h, "/game.wasm").Header.Get("ETag")
		get(t, h, "/game.wasm", "If-None-Match", tag)
		get(t, h, "/")
		get(t, h, "/none")
		if files.open != 0 {
			t.Errorf("%d files are still open", files.open)
		}
		if shorter := strings.Contains(log.String(), "has become shorter"); shorter != (by > 0) || shorter != strings.Contains(log.String(), "name=game.wasm") {
			t.Errorf("of files that are %d bytes shorter than they were the operator reads %q", by, log.String())
		}
	}
}

// A file of which the system says nothing once it is open cannot be sent: the answer is a fault of the server, which no
// browser keeps.
func TestAFileOfUnknownLength(t *testing.T) {
	var log lockedBuffer
	files := &shrinking{MapFS: page, lost: errDamaged}
	h := server(t, Config{Files: files, Log: slog.New(slog.NewTextHandler(&log, nil))}).Handler()
	r := get(t, h, "/game.wasm")
	if got := body(t, r); r.StatusCode != http.StatusInternalServerError || strings.Contains(got, "asm") || len(r.Header.Values("Cache-Control")) > 0 || files.open != 0 {
		t.Errorf("%d %q, %v, and %d files are open", r.StatusCode, got, r.Header, files.open)
	}
	if !strings.Contains(log.String(), "name=game.wasm") || !strings.Contains(log.String(), errDamaged.Error()) {
		t.Errorf("the operator reads %s", log.String())
	}
}

// counted is a directory that counts how often a file is opened.
type counted struct {
	fstest.MapFS
	opened map[string]int
}

func (c counted) Open(name string) (fs.File, error) {
	c.opened[name]++
	return c.MapFS.Open(name)
}

func (c counted) Stat(name string) (fs.FileInfo, error) { return c.MapFS.Stat(name) }

// If a browser has the right version of a file, the file is not read, as long as neither
// its size nor its time changes.
func TestAFileIsReadOnceForItsHash(t *testing.T) {
	files := counted{fstest.MapFS{"a.txt": {Data: []byte("one"), ModTime: at(1)}}, map[string]int{}}
	h := server(t, Config{Files: files}).Handler()
	tag := get(t, h, "/a.txt").Header.Get("ETag")
	before := files.opened["a.txt"]
	for range 3 {
		if r := get(t, h, "/a.txt", "If-None-Match", tag); r.StatusCode != http.StatusNotModified || files.opened["a.txt"] != before {
			t.Errorf("%d, read %d times more", r.StatusCode, files.opened["a.txt"]-before)
		}
	}
	for _, next := range []*fstest.MapFile{{Data: []byte("two"), ModTime: at(2)}, {Data: []byte("longer"), ModTime: at(2)}} {
		files.MapFS["a.txt"] = next
		r := get(t, h, "/a.txt", "If-None-Match", tag)
		if got := body(t, r); r.StatusCode != http.StatusOK || got != string(next.Data) || r.Header.Get("ETag") == tag {
			t.Errorf("%d %q, %s after %s", r.StatusCode, got, r.Header.Get("ETag"), tag)
		}
		tag = r.Header.Get("ETag")
	}
}

// A refusal says how the request would be right, and is not kept by a browser that asks
// again.
func TestRefusalsOfFiles(t *testing.T) {
	h := newFiles(page, server(t, Config{}).cfg.Log, false)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPut, "/game.wasm", nil))
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" || w.Body.String() != "only GET and HEAD\n" {
		t.Errorf("PUT: %d %q, %v", w.Code, w.Body, w.Header())
	}
	r := get(t, h, "/nothing")
	if got := body(t, r); r.StatusCode != http.StatusNotFound || r.Header.Get("Cache-Control") != "no-store" || got != "not found\n" {
		t.Errorf("what is not there: %d %q, %v", r.StatusCode, got, r.Header)
	}
}

// FuzzFiles: whatever is requested, nothing hidden is sent, and nothing fails.
func FuzzFiles(f *testing.F) {
	f.Add("/game.wasm", "br;q=0.5, gzip", `"x"`, "0123")
	f.Add("/../.git/config", "*;q=", "*", "")
	s, err := New(Config{})
	if err != nil {
		f.Fatal(err)
	}
	files := newFiles(page, s.cfg.Log, false)
	f.Fuzz(func(t *testing.T, path, accept, match, version string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.Path = path
		r.URL.RawQuery = "v=" + version
		r.Header.Set("Accept-Encoding", accept)
		r.Header.Set("If-None-Match", match)
		w := httptest.NewRecorder()
		files.ServeHTTP(w, r)
		if w.Code >= 500 || strings.Contains(w.Body.String(), "secret") {
			t.Fatalf("%d: %s", w.Code, w.Body)
		}
	})
}
