package serve

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tickback/tickback/online/rooms"
)

// A server serves the page, the rooms, its health and its metrics, and ends cleanly.
func TestServing(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := server(t, Config{Files: page})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	url := "http://" + l.Addr().String()
	ask := func(path string) string {
		r, err := http.Get(url + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		b, _ := io.ReadAll(r.Body)
		if r.StatusCode != http.StatusOK || !strings.Contains(r.Header.Get("Content-Security-Policy"), "wasm-unsafe-eval") || r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", path, r.StatusCode, r.Header)
		}
		return string(b)
	}
	if got := ask("/healthz"); got != "ok\n" {
		t.Errorf("health: %q", got)
	}
	if got := ask("/"); got != "<p>play" {
		t.Errorf("the page: %q", got)
	}
	c, err := rooms.Enter(t.Context(), "ws://"+l.Addr().String()+"/rooms", rooms.Entry{GameID: "pong", Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := rooms.Enter(t.Context(), "ws://"+l.Addr().String()+"/rooms", rooms.Entry{GameID: "pong", Room: "none"}); !errors.Is(err, rooms.ErrGone) {
		t.Error(err)
	}
	if r := get(t, s.Handler(), "/metrics"); r.StatusCode != http.StatusNotFound {
		t.Errorf("the figures are public: %d", r.StatusCode)
	}
	beside, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	measured := make(chan error, 1)
	go func() { measured <- s.ServeMetrics(ctx, beside) }()
	r, err := http.Get("http://" + beside.Addr().String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	all, _ := io.ReadAll(r.Body)
	r.Body.Close()
	figures := string(all)
	for _, want := range []string{
		"tickback_rooms_open 1\n", "tickback_rooms_members 1\n", `tickback_rooms_refused_total{reason="gone"} 1` + "\n",
		`tickback_rooms_refused_total{reason="full"} 0` + "\n", `tickback_http_requests_total{class="2xx"} 2` + "\n", "go_goroutines",
		`tickback_rooms_limited_total{limit="pings"} 0` + "\n", "tickback_http_misdirected_total 0\n", "tickback_http_connections ",
	} {
		if !strings.Contains(figures, want) {
			t.Errorf("there is no %s", want)
		}
	}
	stop()
	for _, end := range []chan error{ended, measured} {
		if err := <-end; err != nil {
			t.Error(err)
		}
	}
	for deadline := time.After(20 * time.Second); c.Err() == nil; {
		select {
		case <-c.Notify():
			for _, ok := c.Receive(); ok; _, ok = c.Receive() {
			}
		case <-deadline:
			t.Fatal("the member hears nothing of the end")
		}
	}
	if !errors.Is(c.Err(), rooms.ErrShutdown) {
		t.Errorf("the member is told %v", c.Err())
	}
	r = get(t, s.Handler(), "/healthz")
	if got := body(t, r); r.StatusCode != http.StatusServiceUnavailable || got != "shutting down\n" || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("health afterwards: %d %q, %v", r.StatusCode, got, r.Header)
	}
}

// A listener that fails ends the server, which says why.
func TestAListenerThatFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := server(t, Config{Files: page}).Serve(t.Context(), l); !errors.Is(err, net.ErrClosed) {
		t.Errorf("%v", err)
	}
	if err := server(t, Config{Files: page}).ServeMetrics(t.Context(), l); !errors.Is(err, net.ErrClosed) {
		t.Errorf("of its figures: %v", err)
	}
	if err := server(t, Config{Files: page}).ServeRedirect(t.Context(), l, text("0.0.0.0:443")); !errors.Is(err, net.ErrClosed) {
		t.Errorf("of its redirects: %v", err)
	}
}

// The figures count each answer by its class, its bytes, and requests by a name that is not the server's.
func TestFiguresOfAnswers(t *testing.T) {
	var log lockedBuffer
	s := server(t, Config{Files: page, Rooms: rooms.Config{Hosts: []string{"play.example.org"}}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	sent := 0
	for _, target := range []string{"/", "/game.wasm", "/none", "/healthz"} {
		sent += len(body(t, get(t, s.Handler(), target)))
	}
	tag := get(t, s.Handler(), "/sub/").Header.Get("ETag")
	sent += len("sub")
	get(t, s.Handler(), "/sub/", "If-None-Match", tag)
	for range 2 {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = "evil.example"
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if sent += w.Body.Len(); w.Code != http.StatusMisdirectedRequest || !strings.Contains(w.Body.String(), "--host") {
			t.Errorf("by another name: %d %q", w.Code, w.Body)
		}
	}
	if n := strings.Count(log.String(), "host=evil.example"); n != 1 {
		t.Errorf("the operator is told of it %d times: %s", n, log.String())
	}
	figures, _ := io.ReadAll(get(t, s.Metrics(), "/metrics").Body)
	for _, want := range []string{
		`tickback_http_requests_total{class="2xx"} 4`, `tickback_http_requests_total{class="3xx"} 1`, `tickback_http_requests_total{class="4xx"} 3`,
		"tickback_http_response_bytes_total " + strconv.Itoa(sent), "tickback_http_misdirected_total 2", "tickback_http_connections 0",
		"tickback_http_displaced_total 0",
	} {
		if !strings.Contains(string(figures), want+"\n") {
			t.Errorf("there is no %s in %s", want, figures)
		}
	}
}

// The figures of the rooms are described before they are collected, so that a registry refuses those of two
// servers instead of adding them up.
func TestFiguresOfTheRoomsAreNamed(t *testing.T) {
	r := prometheus.NewPedanticRegistry()
	if err := r.Register(roomsCollector{server(t, Config{}).rooms}); err != nil {
		t.Fatal(err)
	}
	if list, err := r.Gather(); err != nil || len(list) < len(figures) {
		t.Errorf("%d figures, %v", len(list), err)
	}
	var same prometheus.AlreadyRegisteredError
	if err := r.Register(roomsCollector{server(t, Config{}).rooms}); !errors.As(err, &same) {
		t.Errorf("those of another server: %v", err)
	}
}

// Each figure of the rooms is the count that its name says.
func TestWhatTheFiguresOfTheRoomsAre(t *testing.T) {
	s := rooms.Stats{
		Rooms: 1, Matches: 2, Members: 3, Connected: 4, Connections: 5, Empty: 6, Entering: 7, Visitors: 8, Displaced: 9, Delayed: 10, RoomsMade: 11,
		Rejoined: 12, Signals: 13, MessagesReceived: 14, BytesReceived: 15, MessagesSent: 16, BytesSent: 17,
	}
	want := []string{
		"open", "matches", "members", "members_connected", "connections", "empty", "entering", "visitors", "displaced_total", "delayed_total", "made_total",
		"rejoined_total", "signals_total", "received_messages_total", "received_bytes_total", "sent_messages_total", "sent_bytes_total",
	}
	for i, f := range figures {
		if name := `"tickback_rooms_` + want[i] + `"`; f.value(&s) != float64(i+1) || !strings.Contains(f.desc.String(), name) || strings.HasSuffix(want[i], "_total") != (f.kind == prometheus.CounterValue) {
			t.Errorf("figure %d is %v, of %s, want %s", i+1, f.value(&s), f.desc, name)
		}
	}
}

// The log has the start of a server, with its address, and its end.
func TestStartAndEndAreLogged(t *testing.T) {
	var log lockedBuffer
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := server(t, Config{Files: page, Log: slog.New(slog.NewTextHandler(&log, nil))}).Serve(ctx, l); err != nil {
		t.Fatal(err)
	}
	serving := strings.Index(log.String(), "msg=serving address="+l.Addr().String())
	if ended := strings.Index(log.String(), "msg=ended"); serving < 0 || ended < serving {
		t.Errorf("the log is %q", log.String())
	}
}

// Behind a proxy a client's address is the one that the proxy has seen, whatever the client says; otherwise it is
// the remote address of the connection.
func TestTheAddressOfAClient(t *testing.T) {
	r, _ := http.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr = "10.0.0.1:5"
	if got := forwarded(r); got != "10.0.0.1:5" {
		t.Error(got)
	}
	r.Header.Add("X-Forwarded-For", "1.1.1.1, 2.2.2.2")
	r.Header.Add("X-Forwarded-For", "3.3.3.3")
	if got := forwarded(r); got != "3.3.3.3" {
		t.Error(got)
	}
	if at := server(t, Config{}).cfg.Rooms.Address; at != nil {
		t.Errorf("without a proxy a client is at %s", at(r))
	}
	if at := server(t, Config{TrustProxy: true}).cfg.Rooms.Address; at == nil || at(r) != "3.3.3.3" {
		t.Error("the rooms do not know what the proxy has seen")
	}
	own := func(*http.Request) string { return "4.4.4.4" }
	for _, proxy := range []bool{true, false} {
		if at := server(t, Config{TrustProxy: proxy, Rooms: rooms.Config{Address: own}}).cfg.Rooms.Address; at(r) != "4.4.4.4" {
			t.Errorf("behind a proxy %v: the rooms have a function of their own, and a client is at %s", proxy, at(r))
		}
	}
}

// The addresses that are printed can be connected to.
func TestAddresses(t *testing.T) {
	for _, listen := range []string{"127.0.0.1:0", ":0"} {
		if listen == ":0" {
			// Nobody listens: the addresses are those of a listener that could exist.
			list := Addresses(&net.TCPAddr{IP: net.IPv6unspecified, Port: 80})
			if list[0] != "http://localhost:80/" || slices.ContainsFunc(list, func(u string) bool { return strings.Contains(u, "[::]") || strings.Contains(u, "127.0.0.1") }) {
				t.Errorf("%v", list)
			}
			continue
		}
		l, err := net.Listen("tcp", listen)
		if err != nil {
			t.Fatal(err)
		}
		if got := Addresses(l.Addr()); len(got) != 1 || got[0] != "http://"+l.Addr().String()+"/" || !IsLoopback(l.Addr()) {
			t.Errorf("%v", got)
		}
		l.Close()
	}
	if IsLoopback(&net.TCPAddr{IP: net.IPv4zero, Port: 1}) || !IsLoopback(&net.TCPAddr{IP: net.IPv6loopback, Port: 1}) {
		t.Error("who can reach a listener is told wrongly")
	}
	if _, err := New(Config{Rooms: rooms.Config{MaxRooms: -1}}); err == nil {
		t.Error("a negative limit is taken")
	}
}

// What listens at no IP address is printed as it calls itself, and is not taken for loopback.
func TestAddressesOfSomethingElse(t *testing.T) {
	if got := Addresses(text("somewhere")); !slices.Equal(got, []string{"http://somewhere/"}) || IsLoopback(text("somewhere")) {
		t.Errorf("%q", got)
	}
}

// For a listener at all addresses those of this machine are printed.
func TestAddressesOfThisMachine(t *testing.T) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Skip(err)
	}
	if got, want := Addresses(&net.TCPAddr{IP: net.IPv4zero, Port: 80}), everywhere(all, 80); !slices.Equal(got, want) {
		t.Errorf("they are %q, want %q", got, want)
	}
}

// A listener at all addresses is reached at each of the machine's, listed once, except those that mean nothing to
// other machines.
func TestAddressesOfAMachine(t *testing.T) {
	var all []net.Addr
	for _, p := range []string{"127.0.0.1/8", "::1/128", "2001:db8::5/64", "fe80::1/64", "192.168.1.5/24", "10.0.0.5/8", "169.254.1.1/16", "10.0.0.5/8"} {
		ip, network, err := net.ParseCIDR(p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &net.IPNet{IP: ip, Mask: network.Mask})
	}
	all = append(all, &net.UnixAddr{Name: "no address of a network"})
	want := []string{"http://localhost:8080/", "http://10.0.0.5:8080/", "http://192.168.1.5:8080/", "http://[2001:db8::5]:8080/"}
	if got := everywhere(all, 8080); !slices.Equal(got, want) {
		t.Errorf("it is told %q, want %q", got, want)
	}
}

// A header that browsers reject, with a complaint, on a page without TLS is only sent with other pages.
func TestOpenersAreKeptOutWhereBrowsersCan(t *testing.T) {
	for host, want := range map[string][2]bool{ // directly, and behind a proxy
		"localhost:8080": {true, true}, "127.0.0.1": {true, true}, "[::1]:80": {true, true},
		"192.0.2.1:8080": {false, true}, "play.example.org": {false, true}, "localhost.example.org": {false, true}, "": {false, true},
	} {
		for i, proxy := range []bool{false, true} {
			s, err := New(Config{TrustProxy: proxy})
			if err != nil {
				t.Fatal(err)
			}
			r, w := httptest.NewRequest(http.MethodGet, "/healthz", nil), httptest.NewRecorder()
			r.Host = host
			s.Handler().ServeHTTP(w, r)
			if got := w.Header().Get("Cross-Origin-Opener-Policy") != ""; got != want[i] {
				t.Errorf("%q, proxy %v: %v", host, proxy, got)
			}
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
}

// A machine with a domain has one name, one without has two, and one whose name no browser can use has none.
func TestTheNamesOfAMachine(t *testing.T) {
	for name, want := range map[string][]string{
		"box": {"box", "box.local"}, "box.example.org": {"box.example.org"}, "Box_7-a": {"Box_7-a", "Box_7-a.local"},
		"": nil, "my box": nil, "box:80": nil, "b*x": nil, "bóx": nil,
	} {
		if got := namesOf(name); !slices.Equal(got, want) {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
}

// Other machines on the same network reach the server by the name of its machine, including its mDNS name.
func TestAServerAnswersByTheNameOfItsMachine(t *testing.T) {
	name, err := os.Hostname()
	if err != nil || name == "" || strings.ContainsFunc(name, notInName) {
		t.Skip("this machine has no name that a browser can use")
	}
	names := []string{name}
	if !strings.Contains(name, ".") {
		names = append(names, name+".local")
	}
	h := server(t, Config{Files: page}).Handler()
	for _, host := range append(names, name+".evil.example") {
		r, w := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
		r.Host = host
		if h.ServeHTTP(w, r); (w.Code == http.StatusOK) != slices.Contains(names, host) {
			t.Errorf("by %s it answers %d", host, w.Code)
		}
	}
}
