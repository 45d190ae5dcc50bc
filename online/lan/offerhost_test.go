package lan

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
)

// Rule: no page learns the room's link from a host: not one from another site, nor one whose own name
// leads to this machine (DNS rebinding). Programs do, by a name that this machine has, too.
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
		if kind := w.Header().Get("Content-Type"); w.Header().Get("Cache-Control") != "no-store" || (c.want == http.StatusOK) != (kind == "application/json") {
			t.Errorf("host %q, origin %q: %v", c.host, c.origin, w.Header())
		}
	}
}

// A host with a name that is not one of the machine's own is still asked: the name is not sent. The connection is not
// kept.
func TestAHostIsAskedByAnyName(t *testing.T) {
	var asked string
	var once bool
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked, once = r.Host, r.Close }))
	defer s.Close()
	_, _ = Ask(t.Context(), s.Listener.Addr().String()) // it is no host of ours
	if asked != askedAs {
		t.Errorf("it is asked as %q", asked)
	}
	if !once {
		t.Error("the connection is kept")
	}
}

// An answer only counts if its status is right, it comes from the queried address, and it is no longer than an offer
// may be.
func TestWhatIsNoAnswerOfAHost(t *testing.T) {
	o := sample
	o.Room = "http://192.0.2.1:7717/#room"
	b, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	offer := string(b)
	padded := func(n int) string { return offer + strings.Repeat(" ", n-len(offer)) }
	for what, c := range map[string]struct {
		status int
		body   string
		taken  bool
	}{
		"an offer":                         {http.StatusOK, offer, true},
		"the longest one":                  {http.StatusOK, padded(1024), true},
		"a longer one":                     {http.StatusOK, padded(1025), false},
		"an offer of a server that errs":   {http.StatusInternalServerError, offer, false},
		"an offer of a server that is shy": {http.StatusForbidden, offer, false},
		"one that is elsewhere":            {http.StatusFound, offer, false},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if c.status == http.StatusFound && r.URL.Path != "/elsewhere" {
				http.Redirect(w, r, "/elsewhere", c.status)
				return
			}
			if c.status != http.StatusFound {
				w.WriteHeader(c.status)
			}
			_, _ = io.WriteString(w, c.body)
		}))
		_, err := Ask(t.Context(), s.Listener.Addr().String())
		s.Close()
		if (err == nil) != c.taken || err != nil && !errors.Is(err, ErrNoHost) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Network errors about an address are reported in the words of the system, without the request, which
// the error names itself.
func TestWhatANetworkSaysInOneWord(t *testing.T) {
	call := &os.SyscallError{Syscall: "connect", Err: syscall.ECONNREFUSED}
	plain := errors.New("a word")
	for _, c := range []struct {
		err  error
		want string
	}{
		{&url.Error{Op: "Get", URL: "http://x/", Err: &net.OpError{Op: "dial", Net: "tcp", Err: call}}, syscall.ECONNREFUSED.Error()},
		{&net.OpError{Op: "dial", Net: "tcp", Err: plain}, "a word"},
		{&url.Error{Op: "Get", URL: "http://x/", Err: plain}, "a word"},
		{call, syscall.ECONNREFUSED.Error()},
		{&url.Error{Op: "Get", URL: "http://x/", Err: &net.OpError{Op: "dial", Err: &net.DNSError{Name: "x"}}}, "there is no machine of this name"},
		{&url.Error{Op: "Get", URL: "http://x/", Err: context.DeadlineExceeded}, "no answer"},
		{plain, "a word"},
	} {
		if got := root(c.err).Error(); got != c.want {
			t.Errorf("of %q it says %q, want %q", c.err, got, c.want)
		}
	}
}

// Before the room exists, a host does not answer with it.
func TestNoRoomIsToldBeforeThereIsOne(t *testing.T) {
	h, _ := host(t)
	h.open.Store(false)
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+h.local().String()+"/offer", nil)
	if h.web.Handler.ServeHTTP(w, r); w.Code != http.StatusServiceUnavailable || strings.Contains(w.Body.String(), h.Room.State().Room) {
		t.Errorf("%d, %q", w.Code, w.Body)
	}
	if _, err := Ask(within(t), h.local().String()); !errors.Is(err, ErrNoHost) {
		t.Errorf("it is asked: %v", err)
	}
}

// An offer that a search has found names no room: Join asks the host for it first.
func TestWhoJoinsAsksForTheRoom(t *testing.T) {
	h, _ := host(t)
	r, err := Join(within(t), Offer{Address: h.local().String()}, config("Bo"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got, want := r.State().Room, h.Room.State().Room; got != want {
		t.Errorf("it is in room %q, want %q", got, want)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Join(within(t), Offer{Address: h.local().String()}, config("Cy")); !errors.Is(err, ErrNobody) {
		t.Errorf("where nobody is: %v", err)
	}
}

// A host listens at the default port, or at any free one if that is in use; if a port was given, only there.
func TestAtWhichPortAHostListens(t *testing.T) {
	first, err := listen(within(t), "")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := listen(within(t), "")
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if at := second.Addr().(*net.TCPAddr).Port; at == DefaultPort || at == 0 { // the first one has it, or somebody else
		t.Errorf("the second one listens at port %d", at)
	}
	if l, err := listen(within(t), first.Addr().String()); !errors.Is(err, ErrInUse) {
		t.Errorf("at a port in use: %v, %v", l, err)
	}
}
