package serve

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// No site may show the page in a frame, except the origins that the operator names.
func TestWhoMayShowThePageInAFrame(t *testing.T) {
	for _, c := range []struct {
		frames    []string
		policy    string
		ancestors string
		denied    bool
	}{
		{nil, "", "frame-ancestors 'none'", true},
		{[]string{"*"}, "", "frame-ancestors *", false},
		{[]string{"https://a.example.org", "http://localhost:3000", "https://*.example.com"}, "", "frame-ancestors https://a.example.org http://localhost:3000 https://*.example.com", false},
		{nil, "default-src 'none'", "default-src 'none'; frame-ancestors 'none'", true},
		{nil, "frame-ancestors https://own.example.org", "frame-ancestors https://own.example.org", true},
	} {
		r := get(t, server(t, Config{Files: page, Frames: c.frames, Policy: c.policy}).Handler(), "/")
		policy := r.Header.Get("Content-Security-Policy")
		if !strings.HasSuffix(policy, c.ancestors) || strings.Count(policy, "frame-ancestors") != 1 || r.Header.Get("X-Frame-Options") != map[bool]string{true: "DENY"}[c.denied] {
			t.Errorf("%q, %q: %v", c.frames, c.policy, r.Header)
		}
	}
}

// An invalid origin is refused by name, before it is part of a policy.
func TestWhatIsNoOriginShowsNothing(t *testing.T) {
	for _, origin := range []string{"", "slides.example.org", "https://", "https://a.example.org/", "https://a.example.org/x", "https://u@a.example.org", "https://a; script-src *", "ftp://a.example.org", "'self'"} {
		if _, err := New(Config{Frames: []string{origin}}); err == nil || !strings.Contains(err.Error(), "origin") {
			t.Errorf("%q: %v", origin, err)
		}
	}
	if _, err := New(Config{Frames: []string{"*"}, Policy: "frame-ancestors 'none'"}); err == nil || !strings.Contains(err.Error(), "Frames") {
		t.Error(err)
	}
}

// The index contains the address under which it was requested; other files with the placeholder
// are sent as they are.
func TestTheIndexHasItsAddress(t *testing.T) {
	files := fstest.MapFS{
		"index.html":     {Data: []byte(`<meta content="%PAGE%x.png">`)},
		"other.html":     {Data: []byte("%PAGE%")},
		"sub/index.html": {Data: []byte("%PAGE%")},
	}
	for _, c := range []struct {
		proxy               bool
		target, proto, want string
	}{
		{false, "/", "", `<meta content="http://localhost/x.png">`},
		{false, "/index.html", "https", `<meta content="http://localhost/x.png">`}, // only a proxy is believed
		{true, "/", "", `<meta content="https://localhost/x.png">`},
		{true, "/", "http", `<meta content="http://localhost/x.png">`},
		{false, "/other.html", "", "%PAGE%"},
		{false, "/sub/", "", "%PAGE%"},
	} {
		h := server(t, Config{Files: files, TrustProxy: c.proxy}).Handler()
		first := get(t, h, c.target, "X-Forwarded-Proto", c.proto)
		if got := body(t, first); got != c.want || first.Header.Get("Cache-Control") != "no-cache" || first.Header.Get("Content-Type") != "text/html; charset=utf-8" || first.ContentLength != int64(len(c.want)) {
			t.Errorf("%s, proxy %v, %q: %q, %v", c.target, c.proxy, c.proto, got, first.Header)
		}
		head := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodHead, c.target, nil)
		r.Host = "localhost"
		r.Header.Set("X-Forwarded-Proto", c.proto)
		if h.ServeHTTP(head, r); head.Body.Len() != 0 || head.Header().Get("Content-Length") != strconv.Itoa(len(c.want)) || head.Header().Get("ETag") != first.Header.Get("ETag") {
			t.Errorf("%s without its content: %d bytes, %v", c.target, head.Body.Len(), head.Header())
		}
		if again := get(t, h, c.target, "X-Forwarded-Proto", c.proto, "If-None-Match", first.Header.Get("ETag")); again.StatusCode != http.StatusNotModified ||
			body(t, again) != "" || again.Header.Get("ETag") != first.Header.Get("ETag") {
			t.Errorf("%s is sent again: %s, %v", c.target, again.Status, again.Header)
		}
	}
}
