package serve

import (
	"crypto/sha256"
	"encoding/hex"
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

// A file is sent as the browser takes it best, with its type and length.
func TestFilesAreSentAsTheBrowserTakesThem(t *testing.T) {
	h := server(t, Config{Files: page}).Handler()
	for _, c := range []struct{ target, accept, body, encoding, kind string }{
		{"/", "br", "<p>play", "", "text/html; charset=utf-8"},
		{"/sub/", "", "sub", "", "text/html; charset=utf-8"},
		{"/game.wasm", "gzip, br", "brotli", "br", "application/wasm"},
		{"/game.wasm", "gzip, br;q=0", "gzip", "gzip", "application/wasm"},
		{"/game.wasm", "*", "brotli", "br", "application/wasm"},
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

// What is not of the page is not there.
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

// What a browser has it does not get again; what has a hash in its name, or is asked for
// by its hash, it does not even ask for; and what has changed it gets.
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
	if r := get(t, h, "/game.wasm", "Accept-Encoding", "br", "If-None-Match", `"x", W/`+tag); r.StatusCode != http.StatusNotModified || body(t, r) != "" {
		t.Errorf("the same once more: %d", r.StatusCode)
	}
	if r := get(t, h, "/game.wasm", "If-None-Match", tag); r.StatusCode != http.StatusOK {
		t.Errorf("another encoding: %d", r.StatusCode)
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

// FuzzFiles: whatever is asked for, nothing hidden is sent, and nothing breaks.
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
