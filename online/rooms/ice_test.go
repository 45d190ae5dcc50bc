//go:build !js

package rooms

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Credentials for TURN are those of draft-uberti-behave-turn-rest: until when, signed
// with the secret. STUN servers get none, and the configuration stays as it is.
func TestCredentialsForTURN(t *testing.T) {
	c := Config{
		TURNSecret: "north", TURNLifetime: time.Hour,
		ICE: []ICEServer{{URLs: []string{"stun:s"}}, {URLs: []string{"turn:t", "turns:t"}}},
	}
	list := c.iceFor("tickback", time.Unix(1_600_000_000, 0))
	// printf 1600003600:tickback | openssl dgst -sha1 -hmac north -binary | base64
	if list[1].Username != "1600003600:tickback" || list[1].Credential != "7f3uQuvdy96HTcdydI0Ztcokq1Y=" {
		t.Errorf("%+v", list[1])
	}
	if list[0].Username != "" || list[0].Credential != "" || c.ICE[1].Username != "" {
		t.Errorf("%+v, and the configuration is %+v", list[0], c.ICE[1])
	}
	_, url := serve(t, c)
	a := enter(t, url, Entry{Seats: 2})
	b := enter(t, url, Entry{Room: a.State().Room})
	if x, y := a.ICE(), b.ICE(); len(x) != 2 || x[1].Username == y[1].Username || x[1].Credential == y[1].Credential {
		t.Errorf("two members have the same: %+v and %+v", x, y)
	}
}

// Credentials are for each server that has a URL for TURN, wherever in its list, and for no
// other.
func TestWhichServersGetCredentials(t *testing.T) {
	for what, c := range map[string]struct {
		secret string
		urls   []string
		want   bool
	}{
		"turn":            {"north", []string{"turn:t"}, true},
		"turns":           {"north", []string{"turns:t"}, true},
		"turn after stun": {"north", []string{"stun:s", "turn:t"}, true},
		"stun":            {"north", []string{"stun:s"}, false},
		"none":            {"north", nil, false},
		"no secret":       {"", []string{"turn:t"}, false},
	} {
		cfg := Config{TURNSecret: c.secret, ICE: []ICEServer{{URLs: c.urls}}}
		if got := cfg.iceFor("name", time.Unix(1, 0))[0]; (got.Credential != "") != c.want || (got.Username != "") != c.want {
			t.Errorf("%s: %+v", what, got)
		}
	}
}

// Members of a room get new credentials, with the same name, when half of the lifetime of
// the current ones is over; absent members do not, and without a secret nobody does.
func TestCredentialsAreRenewed(t *testing.T) {
	for secret, renewed := range map[string]bool{"north": true, "": false} {
		c := newCrowdWith(t, Config{TURNSecret: secret, TURNLifetime: time.Hour, ICE: []ICEServer{{URLs: []string{"turn:t"}, Username: "u"}}})
		host := c.must(request{Kind: kindCreate, Seats: 2}, "10.0.0.1:1")
		away := c.must(request{Kind: kindJoin, Room: host.room.id}, "10.0.0.2:1")
		c.leaves(away, false)
		pushed := func(s connSeat) []ICEServer { return c.lines[s.member].ice }
		c.now = c.now.Add(time.Hour/2 - 1)
		c.hub.cfg.Grace = time.Hour
		c.hub.sweep(c.now)
		if pushed(host) != nil {
			t.Fatal("before half of the time is over")
		}
		first := host.member.turn
		for round := range 3 {
			c.now = c.now.Add(1)
			c.hub.sweep(c.now)
			got := pushed(host)
			switch want := fmt.Sprintf("%d:%s", c.now.Add(time.Hour).Unix(), first); {
			case !renewed && got != nil, pushed(away) != nil:
				t.Fatalf("round %d: pushed were %+v and %+v", round, got, pushed(away))
			case renewed && (len(got) != 1 || got[0].Username != want || got[0].Credential == ""):
				t.Fatalf("round %d: pushed was %+v, want the name %s", round, got, want)
			}
			c.lines[host.member].ice = nil
			c.hub.sweep(c.now)
			if pushed(host) != nil {
				t.Fatalf("round %d: twice", round)
			}
			c.now = c.now.Add(time.Hour/2 - 1)
		}
	}
}

// A client keeps the last servers that it got, and announces changes.
func TestAClientTakesNewCredentials(t *testing.T) {
	s, url := serve(t, Config{TURNSecret: "north", ICE: []ICEServer{{URLs: []string{"turn:t"}}}})
	a := enter(t, url, Entry{Seats: 2})
	before := a.ICE()
	s.mu.Lock()
	s.hub.sweep(time.Now().Add(20 * time.Minute))
	s.mu.Unlock()
	hears(t, a, Renewed)
	if after := a.ICE(); len(after) != 1 || after[0].Username <= before[0].Username {
		t.Errorf("%+v became %+v", before, after)
	}
}

// An impossible configuration is refused, and the error names what is wrong.
func TestConfigsThatCannotBe(t *testing.T) {
	for name, c := range map[string]Config{
		"MaxRooms": {MaxRooms: -1}, "Burst": {Burst: 1 << 20}, "Grace": {Grace: -time.Second}, "MaxAge": {MaxAge: 1000 * time.Hour},
		"too many": {ICE: make([]ICEServer, 100)}, `"https://x.org"`: {Origins: []string{"x.org", "https://x.org"}}, `"[x"`: {Origins: []string{"[x"}},
	} {
		if _, err := NewServer(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for url, good := range map[string]bool{
		"stun:x": true, "stun:turn.example.org:3478": true, "stuns:[2001:db8::1]:5349": true, "turn:10.0.0.1?transport=tcp": true, "turns:x:443?transport=udp": true,
		"turn.example.org:3478": false, "x": false, "": false, "stun:": false, "stun:x:1": true, "stun:x:65535": true, "stun:x:0": false, "stun:x:65536": false, "stun:x:": false, "stun://x": false,
		"stun:x?transport=udp": false, "turn:x?transport=sctp": false, "http://x": false, "turn:user@x": false,
	} {
		if err := checkICE(url); (err == nil) != good || err != nil && !strings.Contains(err.Error(), "stun:HOST:PORT") {
			t.Errorf("%q: %v", url, err)
		}
	}
}
