package fleet

import (
	"net/netip"
	"testing"

	"github.com/tickback/tickback/session"
)

// A machine does not hear another one again that it has given up and that has moved. It does if
// that one has not moved, or was followed, or is still a peer; and before the first match no
// machine is lost.
func TestWhoIsGivenUpElsewhereIsNotHeard(t *testing.T) {
	here, there := netip.MustParseAddrPort("10.0.0.1:1"), netip.MustParseAddrPort("10.1.0.1:2")
	for _, c := range []struct {
		what  string
		start bool
		links []session.LinkStats
		want  bool
	}{
		{"given up where it was", true, []session.LinkStats{{Players: 2, Addr: there}}, true},
		{"given up where it is", true, []session.LinkStats{{Players: 2, Addr: here}}, false},
		{"not yet given up", true, []session.LinkStats{{Players: 2, Addr: there, Connected: true}}, false},
		{"another one is given up", true, []session.LinkStats{{Players: 4, Addr: there}, {Players: 2, Addr: here, Connected: true}}, false},
		{"it has come back", true, []session.LinkStats{{Players: 2, Addr: there}, {Players: 2, Addr: here, Connected: true}}, false},
		{"not yet met", false, []session.LinkStats{{Players: 2, Addr: there}}, false},
		{"unknown", true, nil, false},
	} {
		m := watched{started: c.start}
		m.stats.Links = c.links
		if got := lostAt(&m, 2, here); got != c.want {
			t.Errorf("%s: lost %v", c.what, got)
		}
	}
}
