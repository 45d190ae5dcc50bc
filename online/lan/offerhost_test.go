package lan

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Rule: no page learns the room's link from a host: not one from elsewhere, nor one whose own
// name leads to this machine (DNS rebinding). Programs do, by a name that this machine has too.
func TestNoPageIsToldTheRoom(t *testing.T) {
	h, _ := host(t)
	at := h.local().String()
	for _, c := range []struct {
		host, origin string
		want         int
	}{
		{at, "", http.StatusOK},
		{askedAs, "", http.StatusOK},
		{"[::1]:7717", "", http.StatusOK},
		{"rebound.example", "", http.StatusForbidden},
		{"rebound.example:7717", "", http.StatusForbidden},
		{"rebound.example:7717", "http://rebound.example:7717", http.StatusForbidden},
		{at, "https://elsewhere.example", http.StatusForbidden},
		{at, "null", http.StatusForbidden},
		{at, "http://" + at, http.StatusForbidden},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+at+"/offer", nil)
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		w := httptest.NewRecorder()
		h.web.Handler.ServeHTTP(w, r)
		if w.Code != c.want || w.Header().Get("Access-Control-Allow-Origin") != "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("host %q, origin %q: %d, %v", c.host, c.origin, w.Code, w.Header())
		}
	}
}

// A name that is none of the machine's own is asked all the same: what it is called by is not
// sent.
func TestAHostIsAskedByAnyName(t *testing.T) {
	var asked string
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = r.Host }))
	defer s.Close()
	_, _ = Ask(t.Context(), s.Listener.Addr().String()) // it is no host of ours
	if asked != askedAs {
		t.Errorf("it is asked as %q", asked)
	}
}
