//go:build !js

package rooms

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// raw is a connection that follows no protocol.
func raw(t testing.TB, ctx context.Context, url string) *websocket.Conn {
	t.Helper()
	c, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{Subprotocols: []string{Subprotocol}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.CloseNow() })
	return c
}

// lastWord reads until the connection ends, and returns the last error that came.
func lastWord(t testing.TB, ctx context.Context, c *websocket.Conn) (code string) {
	t.Helper()
	for {
		_, b, err := c.Read(ctx)
		if err != nil {
			if ctx.Err() != nil {
				t.Fatal("the server does not hang up")
			}
			return code
		}
		if r, err := decodeReply(b); err != nil {
			t.Fatal(err)
		} else if r.Kind == kindError {
			code = r.Code
		}
	}
}

// Anything that is not a message of the protocol ends the connection, with a
// reason.
func TestMessagesThatBreakTheProtocol(t *testing.T) {
	_, url := serve(t, Config{})
	create := string(encode(request{Kind: kindCreate, Game: "pong", Seats: 2}))
	for name, list := range map[string][]string{
		"no JSON":              {"{"},
		"an array":             {"[]"},
		"deep":                 {strings.Repeat("[", 40000)},
		"no kind":              {"{}"},
		"not the first":        {`{"t":"start"}`},
		"a huge seat":          {`{"t":"join","room":"x","seat":1e99}`},
		"a long name":          {`{"t":"create","game":"pong","seats":2,"name":"` + strings.Repeat("x", 100) + `"}`},
		"a line break":         {`{"t":"create","game":"po\nng","seats":2}`},
		"half a character":     {"{\"t\":\"create\",\"game\":\"po\xff\",\"seats\":2}"},
		"a second create":      {create, create},
		"a long status":        {create, `{"t":"status","data":"` + strings.Repeat("x", 100) + `"}`},
		"a million spectators": {`{"t":"create","game":"pong","seats":2,"spectators":1000000}`},
	} {
		ctx := within(t)
		c := raw(t, ctx, url)
		for _, m := range list {
			if err := c.Write(ctx, websocket.MessageText, []byte(m)); err != nil {
				t.Fatal(err)
			}
		}
		if code := lastWord(t, ctx, c); code != "bad-message" {
			t.Errorf("%s: the last word is %q", name, code)
		}
	}
	ctx := within(t)
	c := raw(t, ctx, url)
	c.Write(ctx, websocket.MessageBinary, []byte(create))
	if code := lastWord(t, ctx, c); code != "bad-message" {
		t.Errorf("a binary message: the last word is %q", code)
	}
	c = raw(t, ctx, url)
	c.Write(ctx, websocket.MessageText, bytes.Repeat([]byte(" "), MaxMessage+1)) // it is cut off in the midst
	lastWord(t, ctx, c)
	enter(t, url, Entry{Seats: 2}) // and others are served
}

// A connection that says nothing is cut off.
func TestASilentConnection(t *testing.T) {
	_, url := serve(t, Config{EntryTimeout: 20 * time.Millisecond})
	ctx := within(t)
	if code := lastWord(t, ctx, raw(t, ctx, url)); code != "" {
		t.Errorf("it is told %q", code)
	}
}

// A member that reads nothing, and so answers no ping, counts as away.
func TestAMemberThatDoesNotRead(t *testing.T) {
	_, url := serve(t, Config{PingEvery: 20 * time.Millisecond})
	a := enter(t, url, Entry{Seats: 2})
	ctx := within(t)
	c := raw(t, ctx, url)
	c.Write(ctx, websocket.MessageText, encode(request{Kind: kindJoin, Game: "pong", Build: "1", Room: a.State().Room}))
	sees(t, a, "it", func(s *State) bool { return len(s.Members) == 2 })
	sees(t, a, "it away", func(s *State) bool { return len(s.Members) == 2 && !s.Members[1].Connected })
}

// 512 KiB may wait for a client, or 512 messages, and no more of either.
func TestHowMuchMayWait(t *testing.T) {
	for size, n := range map[int]int{16 << 10: 32, 64: 512} {
		s, _ := serve(t, Config{})
		s.mu.Lock()
		c := newConn(s, addressOf("127.0.0.1:1"), 1)
		c.cut = func() {}
		for range n {
			c.push(make([]byte, size))
		}
		if c.ending || len(c.queue) != n {
			t.Errorf("%d messages of %d bytes are too many", n, size)
		}
		if c.push([]byte{1}); !c.ending {
			t.Errorf("one more than %d messages of %d bytes may wait", n, size)
		}
		s.mu.Unlock()
	}
}

// A client that reads nothing has a bounded queue, and is cut off when it is full.
func TestASlowReader(t *testing.T) {
	s, _ := serve(t, Config{})
	cut := 0
	s.mu.Lock()
	defer s.mu.Unlock()
	c := newConn(s, addressOf("127.0.0.1:1"), 1)
	c.cut = func() { cut++ }
	big := make([]byte, 10<<10)
	for range 1000 {
		c.push(big)
		if len(c.queue) > maxQueue || c.bytes > maxQueueBytes {
			t.Fatalf("%d messages of %d bytes wait", len(c.queue), c.bytes)
		}
	}
	if cut != 1 || s.hub.stats.Refused["slow"] != 1 || c.queue != nil || s.waiting.Load() != 0 {
		t.Errorf("cut off %d times; %+v, and %d bytes wait", cut, s.hub.stats, s.waiting.Load())
	}
}

// A page of another origin is refused, unless it is named; a program has no origin.
func TestOrigins(t *testing.T) {
	_, url := serve(t, Config{Origins: []string{"*.example.org"}})
	for origin, status := range map[string]int{
		"":                          http.StatusSwitchingProtocols,
		"https://play.example.org":  http.StatusSwitchingProtocols,
		"https://evil.example.com":  http.StatusForbidden,
		"http://127.0.0.1.evil.com": http.StatusForbidden,
		"http" + url[len("ws"):]:    http.StatusSwitchingProtocols,
	} {
		header := http.Header{}
		if origin != "" {
			header.Set("Origin", origin)
		}
		c, answer, err := websocket.Dial(within(t), url, &websocket.DialOptions{Subprotocols: []string{Subprotocol}, HTTPHeader: header})
		if err == nil {
			c.CloseNow()
		}
		if answer == nil || answer.StatusCode != status && !(status == http.StatusForbidden && err != nil) {
			t.Errorf("%q: %v, %v", origin, answer, err)
		}
	}
	w := httptest.NewRecorder()
	s, _ := NewServer(Config{})
	defer s.Close(within(t))
	s.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if w.Code != http.StatusUpgradeRequired {
		t.Errorf("a request that is no WebSocket gets %d", w.Code)
	}
}

// FuzzLive sends anything to a server on which others have a room. They are not
// affected.
func FuzzLive(f *testing.F) {
	s, err := NewServer(Config{PerAddress: 1 << 20, ConnectsPerMinute: 1 << 20, RoomsPerAddress: 1 << 20, MaxRooms: 1 << 20, Grace: time.Millisecond})
	if err != nil {
		f.Fatal(err)
	}
	web := httptest.NewServer(s)
	url := "ws" + strings.TrimPrefix(web.URL, "http")
	ctx, cancel := context.WithCancel(context.Background())
	f.Cleanup(func() {
		cancel()
		s.Close(context.Background())
		web.Close()
	})
	host, err := Enter(ctx, url, Entry{GameID: "pong", Build: "1", Seats: 2, Spectators: MaxSpectators})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { host.Close() })
	room := host.State().Room
	for _, text := range []string{
		`{"t":"create","game":"x","seats":2}`,
		`{"t":"join","room":"ROOM","game":"pong","build":"1"}` + "\n" + `{"t":"signal","to":1,"data":"x"}` + "\n" + `{"t":"sit","seat":0}`,
		`{"t":"join","room":"ROOM","game":"pong","build":"1"}` + "\n" + `{"t":"start"}` + "\n" + `{"t":"settings","data":"x"}` + "\n" + `{"t":"leave"}`,
		`{"t":"rejoin","room":"ROOM","secret":"x"}` + "\n" + `{"t":"playing","match":1}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := raw(t, ctx, url)
		for m := range strings.SplitSeq(strings.ReplaceAll(text, "ROOM", room), "\n") {
			if c.Write(ctx, websocket.MessageText, []byte(m)) != nil {
				break
			}
		}
		c.CloseNow()
		if err := host.Err(); err != nil {
			t.Fatal(err)
		}
		if st := host.State(); st.Host != host.You() || len(st.Members) > MaxSeats+MaxSpectators {
			t.Fatalf("%+v", st)
		}
		for _, ok := host.Receive(); ok; _, ok = host.Receive() {
		}
	})
}
