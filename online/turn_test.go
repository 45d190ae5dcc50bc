//go:build !js

package online

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/online/internal/turntest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
	"github.com/tickback/tickback/online/webrtc"
)

// relayed is a configuration of rooms with a TURN server that knows the secret.
func relayed(s *turntest.Server, secret string) rooms.Config {
	return rooms.Config{ICE: []rooms.ICEServer{{URLs: []string{s.STUN}}, {URLs: []string{s.TURN}}}, TURNSecret: secret}
}

// serveWith runs a server of rooms on loopback until the test ends.
func serveWith(t testing.TB, cfg rooms.Config) (page string) {
	t.Helper()
	page, _ = roomstest.Serve(t, cfg)
	return page
}

// A match whose players only use paths through the TURN server goes through it, with the
// credentials that the room hands out: every datagram of it.
func TestARelayedMatch(t *testing.T) {
	t.Parallel()
	server := turntest.Start(t, "secret")
	page := serveWith(t, relayed(server, "secret"))
	cfg := config("Ada")
	cfg.RelayOnly = true
	a := must(t)(Create(within(t), page, cfg))
	cfg.Name = "Bob"
	b := must(t)(Join(within(t), a.Link(), cfg))
	sees(t, a, "two", func(s rooms.State) bool { return len(s.Members) == 2 })
	a.Start()
	wait(t, a)
	wait(t, b)
	x, y := match(t, a, 240), match(t, b, 240)
	ends := [2]tickback.Outcome{}
	var both sync.WaitGroup
	both.Go(func() { ends[0] = until(t, "Ada", tickback.Session[arena.State](x), nil) })
	ends[1] = until(t, "Bob", tickback.Session[arena.State](y), nil)
	both.Wait()
	sent := uint64(0)
	for _, m := range []*tickback.Match[arena.State, arena.Input]{x, y} {
		for _, l := range m.Stats().Links {
			sent += l.ReceivedBytes
		}
	}
	t.Logf("%d bytes of datagrams were received, %d bytes relayed", sent, server.Relayed())
	if ends[0].Frames != 240 || ends[0].Hash != ends[1].Hash || ends[0].Health != tickback.Healthy {
		t.Errorf("they end with %+v and %+v", ends[0], ends[1])
	}
	if server.Relayed() < sent || sent == 0 || server.Refused() != 0 {
		t.Errorf("%d bytes were received, of which %d were relayed; %d requests were refused", sent, server.Relayed(), server.Refused())
	}
}

// A member that accepts only relayed paths connects to one that accepts any.
func TestOneIsRelayed(t *testing.T) {
	t.Parallel()
	server := turntest.Start(t, "secret")
	page := serveWith(t, relayed(server, "secret"))
	a := must(t)(Create(within(t), page, config("Ada")))
	cfg := config("Bob")
	cfg.RelayOnly = true
	b := must(t)(Join(within(t), a.Link(), cfg))
	state(t, b, "Ada", webrtc.Connected)
	if server.Relayed() == 0 {
		t.Error("nothing was relayed")
	}
}

// state waits until the connection to a member has a state.
func state(t *testing.T, r *Room, name string, want webrtc.State) webrtc.Peer {
	t.Helper()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for ctx := within(t); ; {
		s := r.State()
		for _, p := range r.Peers() {
			if m, ok := s.Member(p.ID); ok && m.Name == name && p.State == want {
				return p
			}
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			t.Fatalf("%s is not %v: %+v of %+v", name, want, r.Peers(), s.Members)
		}
	}
}

// With credentials that the TURN server does not accept, or no longer accepts, there is
// no connection, and the players learn that the network lets nothing through.
func TestCredentialsOfTURN(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it waits until the connections are given up")
	}
	server := turntest.Start(t, "secret")
	expired := relayed(server, "secret")
	expired.TURNLifetime = time.Minute
	expired.Now = func() time.Time { return time.Now().Add(-2 * time.Minute) }
	for name, c := range map[string]rooms.Config{"expired": expired, "of another secret": relayed(server, "other")} {
		t.Run(name, func(t *testing.T) {
			refused := server.Refused()
			cfg := config("Ada")
			cfg.RelayOnly = true
			a := must(t)(Create(within(t), serveWith(t, c), cfg))
			cfg.Name = "Bob"
			b := must(t)(Join(within(t), a.Link(), cfg))
			if p := state(t, b, "Ada", webrtc.Failed); p.Reason != webrtc.Blocked {
				t.Errorf("Ada is %+v", p)
			}
			var failed *PeerError
			if err := b.Explain(errors.New("no peer")); !errors.As(err, &failed) || !strings.HasPrefix(err.Error(), "Ada: the network lets no connection through") {
				t.Error(err)
			}
			if server.Relayed() != 0 || name == "expired" && server.Refused() == refused {
				t.Errorf("%d bytes were relayed, and %d requests refused", server.Relayed(), server.Refused()-refused)
			}
		})
	}
}

// Credentials that the room renews for present members reach the connections, which are
// repaired with them.
func TestCredentialsThatTheRoomRenews(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it waits until the room looks after its members")
	}
	server := turntest.Start(t, "secret")
	c := relayed(server, "secret")
	c.TURNLifetime = time.Minute
	var late atomic.Int64 // those that are given out at first are over
	late.Store(int64(-2 * time.Minute))
	c.Now = func() time.Time { return time.Now().Add(time.Duration(late.Load())) }
	page := serveWith(t, c)
	cfg := config("Ada")
	cfg.RelayOnly = true
	a := must(t)(Create(within(t), page, cfg))
	cfg.Name = "Bob"
	b := must(t)(Join(within(t), a.Link(), cfg))
	for refused := server.Refused(); server.Refused() == refused; time.Sleep(10 * time.Millisecond) {
		if t.Context().Err() != nil {
			t.Fatal("the server takes credentials that are over")
		}
	}
	late.Store(0)
	state(t, b, "Ada", webrtc.Connected)
	if server.Relayed() == 0 {
		t.Error("nothing was relayed")
	}
}

// Unusable servers are reported at once, and not as connections that fail.
func TestServersThatCannotBe(t *testing.T) {
	for _, s := range []webrtc.ICEServer{{URLs: []string{"turn:127.0.0.1:9"}}, {URLs: []string{"http://127.0.0.1"}}} {
		cfg := config("Ada")
		cfg.ICE = []webrtc.ICEServer{s}
		if _, err := Create(within(t), serveRooms(t), cfg); !errors.Is(err, webrtc.ErrConfig) || !strings.Contains(err.Error(), s.URLs[0]) {
			t.Errorf("%v: %v", s, err)
		}
	}
}
