//go:build !js

package rooms

import (
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
	list := c.iceFor(time.Unix(1_600_000_000, 0))
	// printf 1600003600:tickback | openssl dgst -sha1 -hmac north -binary | base64
	if list[1].Username != "1600003600:tickback" || list[1].Credential != "7f3uQuvdy96HTcdydI0Ztcokq1Y=" {
		t.Errorf("%+v", list[1])
	}
	if list[0].Username != "" || list[0].Credential != "" || c.ICE[1].Username != "" {
		t.Errorf("%+v, and the configuration is %+v", list[0], c.ICE[1])
	}
	_, url := serve(t, c)
	if ice := enter(t, url, Entry{Seats: 2}).ICE(); len(ice) != 2 || !strings.HasSuffix(ice[1].Username, ":tickback") {
		t.Errorf("a member is told %+v", ice)
	}
}

// A configuration that cannot be is refused with the name of what is wrong.
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
		"turn.example.org:3478": false, "x": false, "": false, "stun:": false, "stun:x:0": false, "stun:x:70000": false, "stun:x:": false, "stun://x": false,
		"stun:x?transport=udp": false, "turn:x?transport=sctp": false, "http://x": false, "turn:user@x": false,
	} {
		if err := checkICE(url); (err == nil) != good || err != nil && !strings.Contains(err.Error(), "stun:HOST:PORT") {
			t.Errorf("%q: %v", url, err)
		}
	}
}
