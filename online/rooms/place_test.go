package rooms

import (
	"slices"
	"testing"
	"time"
)

// The server names the interval of its pings in milliseconds; what makes no sense is limited.
func TestThePlaceOfAMember(t *testing.T) {
	for ping, want := range map[int]time.Duration{0: time.Second, 20_000: 20 * time.Second, 1 << 30: time.Hour} {
		var p place
		p.welcome(&reply{You: 2, Secret: "s", Token: "t", Ping: ping, State: &State{Room: "r", Members: []Member{{ID: 2, Name: "Bo"}}}})
		if p.ping != want {
			t.Errorf("%d: %v, want %v", ping, p.ping, want)
		}
		if me, ok := p.me(); !ok || me.Name != "Bo" || p.ticket() != ticket("r", "s") {
			t.Errorf("%+v", p)
		}
		p.changed(&reply{Token: "u", State: &State{Room: "q"}})
		if _, ok := p.me(); ok || p.token != "u" || p.ticket() != ticket("q", "s") {
			t.Errorf("another room: %+v", p)
		}
	}
}

// What the server does not know is said again: a status, that we play the current match, or that one has ended here.
func TestWhatTheServerHasMissed(t *testing.T) {
	status := func(text string) request { return request{Kind: kindStatus, Data: text} }
	playing := func(match uint32) request { return request{Kind: kindPlaying, Match: match} }
	ended := func(match uint32) request { return request{Kind: kindEnded, Match: match} }
	for what, c := range map[string]struct {
		said  []request
		me    Member
		match uint32
		want  []request
	}{
		"nothing was said":         {nil, Member{}, 3, nil},
		"all is known":             {[]request{status("away"), playing(3)}, Member{Status: "away", Playing: 3}, 3, nil},
		"the status":               {[]request{status("away")}, Member{}, 3, []request{status("away")}},
		"an old status":            {[]request{status("")}, Member{Status: "away"}, 3, []request{status("")}},
		"that we play":             {[]request{playing(3)}, Member{}, 3, []request{playing(3)}},
		"another match is current": {[]request{playing(2)}, Member{}, 3, nil},
		"that it has ended":        {[]request{playing(3), ended(3)}, Member{Playing: 3}, 3, []request{ended(3)}},
		"one that began meanwhile": {[]request{ended(3)}, Member{Playing: 4}, 4, nil},
		"one that is played again": {[]request{ended(3), playing(3)}, Member{}, 3, []request{playing(3)}},
		"one that ended long ago":  {[]request{ended(5), ended(3)}, Member{Playing: 4}, 4, []request{ended(4)}},
	} {
		var s statements
		for i := range c.said {
			s.note(&c.said[i])
		}
		got := s.missed(&c.me, c.match)
		if !slices.EqualFunc(got, c.want, func(a, b request) bool { return a.Kind == b.Kind && a.Data == b.Data && a.Match == b.Match }) {
			t.Errorf("%s: %+v, want %+v", what, got, c.want)
		}
	}
}
