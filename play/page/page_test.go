package page_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/tickback/tickback/online/serve"
	"github.com/tickback/tickback/play/page"
)

const index = `<script src="{{.Exec}}"></script><script src="{{.Loader}}" data-wasm="{{.Wasm}}" data-size="{{.Size}}"></script>`

const worker = `const kept = "{{.Version}}", files = {{.Files}};`

func source(wasm string) page.Parts {
	return page.Parts{
		Index: []byte(index), Loader: []byte("load"), Worker: []byte(worker), Exec: []byte("exec"), Wasm: []byte(wasm),
		Beside: []page.File{{Name: page.Notices, Data: []byte("notices")}, {Name: "icon.svg", Data: []byte("<svg/>"), Loaded: true}},
	}
}

// server serves a folder, as the command line does.
func server(t *testing.T, dir string) http.Handler {
	t.Helper()
	s, err := serve.New(serve.Config{Files: os.DirFS(dir)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(context.Background()) }) // there are no members
	return s.Handler()
}

// get requests a path unchanged from a server, as a browser that accepts an encoding.
func get(t *testing.T, h http.Handler, method, path, encoding string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path = path
	r.Host = "127.0.0.1" // a server without configured names answers to addresses
	r.Header.Set("Accept-Encoding", encoding)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r io.Reader) string {
	t.Helper()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var wasmName = regexp.MustCompile(`data-wasm="(assets/tickback\.[0-9a-f]{12}\.wasm)" data-size="(\d+)"`)

// Packed files are served with the same content in every encoding, and cached by their names.
func TestWhatIsPackedIsServed(t *testing.T) {
	dir, program := t.TempDir(), strings.Repeat("wasm", 1000)
	for _, best := range []bool{false, true} {
		s := source(program)
		s.Best = best
		sizes, err := page.Pack(dir, s)
		if err != nil || sizes.Plain < len(program) || sizes.Gzip >= sizes.Plain || sizes.Brotli >= sizes.Plain {
			t.Fatalf("%+v, %v", sizes, err)
		}
	}
	h := server(t, dir)
	first := get(t, h, http.MethodGet, "/", "")
	if c := first.Header.Get("Cache-Control"); c != "no-cache" || first.Header.Get("Content-Security-Policy") == "" {
		t.Errorf("the index: %v", first.Header)
	}
	name := wasmName.FindStringSubmatch(body(t, first.Body))
	if name == nil || name[2] != "4000" {
		t.Fatalf("the index names no program: %q", name)
	}
	for _, c := range []struct {
		accept, sent string
		plain        func(io.Reader) io.Reader
	}{
		{"", "", func(r io.Reader) io.Reader { return r }},
		{"gzip", "gzip", func(r io.Reader) io.Reader {
			z, err := gzip.NewReader(r)
			if err != nil {
				t.Fatal(err)
			}
			return z
		}},
		{"gzip, deflate, br;q=1.0", "br", func(r io.Reader) io.Reader { return brotli.NewReader(r) }},
		{"br;q=0, identity", "", func(r io.Reader) io.Reader { return r }},
	} {
		got := get(t, h, http.MethodGet, "/"+name[1], c.accept)
		if got.Header.Get("Content-Encoding") != c.sent || got.Header.Get("Content-Type") != "application/wasm" ||
			!strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%q: %v", c.accept, got.Header)
		}
		if text := body(t, c.plain(got.Body)); text != program {
			t.Errorf("%q: %d bytes", c.accept, len(text))
		}
	}
}

// The notices are next to the page, and do not count as loaded by a browser.
func TestTheNoticesAreBesideThePage(t *testing.T) {
	dir, s := t.TempDir(), source("x")
	short, err := page.Pack(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	s.Beside[0].Data = []byte(strings.Repeat("a licence\n", 100))
	long, err := page.Pack(dir, s)
	if err != nil || long != short {
		t.Errorf("%+v, and with longer notices %+v, %v", short, long, err)
	}
	got := get(t, server(t, dir), http.MethodGet, "/"+page.Notices, "")
	if text := body(t, got.Body); text != string(s.Beside[0].Data) || !strings.HasPrefix(got.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("%s, %v: %q", got.Status, got.Header, text)
	}
}

// The worker caches exactly what the page loads, under a name that changes with any of it.
func TestTheWorkerKeepsThePage(t *testing.T) {
	dir := t.TempDir()
	kept := func(s page.Parts) (version string, files []string) {
		t.Helper()
		if _, err := page.Pack(dir, s); err != nil {
			t.Fatal(err)
		}
		text := body(t, get(t, server(t, dir), http.MethodGet, "/"+page.Worker, "").Body)
		m := regexp.MustCompile(`^const kept = "([0-9a-f]{12})", files = (.*);$`).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("%q", text)
		}
		if err := json.Unmarshal([]byte(m[2]), &files); err != nil {
			t.Fatal(err)
		}
		return m[1], files
	}
	version, files := kept(source("one"))
	for _, name := range files {
		if got := get(t, server(t, dir), http.MethodGet, "/"+strings.TrimPrefix(name, "./"), ""); got.StatusCode != http.StatusOK {
			t.Errorf("%s is not there: %s", name, got.Status)
		}
	}
	if len(files) != 5 || files[0] != "./" || slices.Contains(files, page.Notices) || !slices.Contains(files, "icon.svg") {
		t.Errorf("it keeps %q", files)
	}
	if again, _ := kept(source("one")); again != version {
		t.Error("the same page has another name")
	}
	icon := source("one")
	icon.Beside[1].Data = []byte("<svg> </svg>")
	for what, s := range map[string]page.Parts{"program": source("two"), "icon": icon} {
		if other, _ := kept(s); other == version {
			t.Errorf("another %s, and the same name", what)
		}
	}
}

// The address in the page is the one that it was packed for, otherwise that of the request.
func TestThePageTellsItsAddress(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"", "http://127.0.0.1/preview.jpg"},
		{"https://play.example.org/duel/", "https://play.example.org/duel/preview.jpg"},
		{`https://"x/`, "https://&#34;x/preview.jpg"},
	} {
		dir, s := t.TempDir(), source("x")
		s.Index, s.URL = []byte(index+`<meta property="og:image" content="%PAGE%preview.jpg">`), c.url
		if _, err := page.Pack(dir, s); err != nil {
			t.Fatal(err)
		}
		if text := body(t, get(t, server(t, dir), http.MethodGet, "/", "").Body); !strings.Contains(text, `content="`+c.want+`"`) {
			t.Errorf("%q: %s", c.url, text)
		}
	}
}

// A changed program has another name, and the old one is removed.
func TestNamesAreByContent(t *testing.T) {
	dir := t.TempDir()
	name := func(program string) string {
		if _, err := page.Pack(dir, source(program)); err != nil {
			t.Fatal(err)
		}
		return wasmName.FindStringSubmatch(body(t, get(t, server(t, dir), http.MethodGet, "/", "").Body))[1]
	}
	one, two := name("one"), name("two")
	if one == two || name("one") != one {
		t.Errorf("%s and %s", one, two)
	}
	if got := get(t, server(t, dir), http.MethodGet, "/"+two, ""); got.StatusCode != http.StatusNotFound {
		t.Errorf("the old program: %s", got.Status)
	}
}

// Existing files are not compressed again; missing ones, or ones older than their source, are. Files left by an
// interrupted run are removed.
func TestOnlyWhatHasChangedIsCompressed(t *testing.T) {
	dir := t.TempDir()
	pack := func(best bool) page.Sizes {
		t.Helper()
		s := source(strings.Repeat("wasm", 1000))
		s.Best = best
		sizes, err := page.Pack(dir, s)
		if err != nil {
			t.Fatal(err)
		}
		return sizes
	}
	first := pack(false)
	names, err := filepath.Glob(dir + "/assets/tickback.*")
	if err != nil || len(names) != 3 {
		t.Fatal(names, err)
	}
	long := time.Now().Add(-time.Hour).Truncate(time.Second)
	age := func() {
		t.Helper()
		for _, name := range names {
			if err := os.Chtimes(name, long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	written := func() (n int) {
		t.Helper()
		for _, name := range names {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if !info.ModTime().Equal(long) {
				n++
			}
		}
		return n
	}
	age()
	if again := pack(false); again != first || written() != 0 {
		t.Errorf("%+v and then %+v, %d files are new", first, again, written())
	}
	if pack(true); written() != 3 {
		t.Error("for a release, it is not compressed again")
	}
	for _, damage := range []func() error{
		func() error { return os.Remove(names[1]) },
		func() error { return os.Chtimes(names[2], long, long.Add(-time.Hour)) },
		func() error { return os.WriteFile(names[0], []byte("half"), 0o600) },
	} {
		age()
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if again := pack(false); again.Plain != first.Plain || written() != 3 {
			t.Errorf("%+v, %d files are new", again, written())
		}
	}
	left := dir + "/assets/tickback.0.wasm.br.part"
	if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	pack(false)
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("what was left is there: %v", err)
	}
}

// If nothing can be written, the error says what, and why.
func TestAPageThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := page.Pack(filepath.Join(file, "web"), source("x")); err == nil || !strings.Contains(err.Error(), file) {
		t.Error(err)
	}
	if err := os.Mkdir(file+"s", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(file+"s", "index.html.part", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := page.Pack(file+"s", source("x")); err == nil || !strings.Contains(err.Error(), "index.html") {
		t.Error(err)
	}
}
