package session

import (
	"errors"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule (docs/reference/wire.md): a control message that is shorter than its fields is refused, at each
// length; a message of a fixed size must have no extra bytes, and values have limits. A peer that
// sends an invalid message violates the protocol.
func TestFormsOfMessages(t *testing.T) {
	number := func(parts ...any) []byte { return about(0, 0, parts...)[5:] }
	addr := appendAddr(nil, addrOf(5))
	for _, c := range []struct {
		what   string
		kind   byte
		body   []byte // in good form
		fine   []int  // so many bytes of it are fine, too
		longer bool   // and more bytes
		bad    map[string][]byte
	}{
		{"orders", messageOrders, number(byte(2), Frame(1), byte(1)), nil, true, map[string][]byte{
			"of another":     number(byte(1), Frame(30), byte(1)),
			"of the host":    number(byte(0), Frame(30), byte(1)),
			"far ahead":      number(byte(2), Frame(1<<20), byte(1)),
			"more than fits": append(number(byte(2), Frame(30)), make([]byte, 301)...),
		}},
		{"fill", messageFill, number(byte(1), Frame(9)), nil, false, map[string][]byte{
			"of who receives it": number(byte(0), Frame(9)),
			"of nobody":          number(byte(3), Frame(9)),
			"without the input":  number(byte(1), Frame(9), byte(0), byte(0)),
			"half an input":      number(byte(1), Frame(9), byte(0), byte(0), byte(7)),
			"orders that end":    number(byte(1), Frame(9), byte(2), byte(0), byte(7), byte(7), byte(1)),
			"too many orders":    append(number(byte(1), Frame(9), byte(301-256), byte(1), byte(7), byte(7)), make([]byte, 301)...),
			"half of another":    number(byte(1), Frame(9), byte(1), byte(0), byte(7), byte(7), byte(1), byte(0)),
		}},
		{"fill with inputs", messageFill, number(byte(1), Frame(9), byte(0), byte(0), byte(7), byte(7), byte(1), byte(0), byte(7), byte(7), byte(1)), []int{5, 9}, false, nil},
		{"candidate", messageNewcomer, append(number(byte(0b100), uint64(7)), addr...), nil, false, map[string][]byte{
			"without a number":  append(number(byte(0b100), uint64(0)), addr...),
			"without a port":    append(number(byte(0b100), uint64(7)), appendAddr(nil, netip.AddrPortFrom(addrOf(5).Addr(), 0))...),
			"with another byte": append(append(number(byte(0b100), uint64(7)), addr...), 0),
		}},
		{"revoke", messageRevoke, number(byte(0), uint64(7)), nil, false, map[string][]byte{"with another byte": number(byte(0), uint64(7), byte(0))}},
		{"moved", messageMoved, append([]byte{0b10}, addr...), nil, false, map[string][]byte{"with another byte": append(append([]byte{0b10}, addr...), 0)}},
		{"done", messageDone, number(Frame(1), uint64(1), uint64(2), uint64(3), byte(Healthy)), nil, false, map[string][]byte{
			"with another byte": number(Frame(1), uint64(1), uint64(2), uint64(3), byte(Healthy), byte(0)),
			"with a new health": number(Frame(1), uint64(1), uint64(2), uint64(3), byte(Desynced+1)),
			"with many frames":  number(NoFrame, uint64(1), uint64(2), uint64(3), byte(Healthy)),
		}},
		{"refusal", messageRefuse, number(byte(0b10)), nil, true, nil},
		{"kick", messageKick, nil, nil, true, nil},
		{"leave", messageLeave, number(NoFrame), nil, true, nil},
	} {
		receive := func(body []byte) error {
			tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave, c.Token = true, Continue, meshToken })
			tr.reach(Playing)
			to := 0
			if c.kind == messageKick {
				to = 1 // from the host
			}
			l := tr.way(to, 2-2*to)
			return tr.peers[to].receiveMessage(l, append(le.AppendUint32([]byte{c.kind}, 1), body...))
		}
		for n := range len(c.body) + 1 {
			if err := receive(c.body[:n:n]); (err == nil) != (n == len(c.body) || slices.Contains(c.fine, n)) {
				t.Errorf("%s, %d of %d bytes: %v", c.what, n, len(c.body), err)
			}
		}
		if err := receive(append(slices.Clone(c.body), make([]byte, 290)...)); c.longer && err != nil {
			t.Errorf("%s with 290 bytes more: %v", c.what, err)
		}
		for what, b := range c.bad {
			if err := receive(b); !errors.Is(err, datagram.ErrRange) && !errors.Is(err, datagram.ErrShort) {
				t.Errorf("%s %s: %v", c.what, what, err)
			}
		}
	}
}

// What a peer says about itself is bounded where it is received.
func TestASummaryIsBounded(t *testing.T) {
	tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
	tr.reach(Playing)
	m, l := tr.peers[0], tr.way(0, 1)
	frames := m.confirmedToTell()
	if err := m.receiveMessage(l, about(messageDone, 1, frames, uint64(4), uint64(5), uint64(1<<63), byte(Healthy))); err != nil {
		t.Fatal(err)
	}
	if want := (Summary{Frames: frames, Hash: 4, Chain: 5, Resimulated: 1 << 48, Health: Healthy}); l.summary != want || !l.done || l.confirmed < frames {
		t.Errorf("it is taken as %+v, want %+v", l.summary, want)
	}
}

// A peer that reports the address of another one is believed about that peer only, and only if it is
// news; not about itself, or about a peer that is gone.
func TestWhoIsSaidToHaveMoved(t *testing.T) {
	for _, c := range []struct {
		what    string
		players byte
		to      netip.AddrPort
		gone    bool
		want    bool
	}{
		{"the third one", 0b100, elsewhere, false, true},
		{"the third one, where it is", 0b100, addrOf(2), false, false},
		{"itself", 0b010, elsewhere, false, false},
		{"both of them", 0b110, elsewhere, false, false},
		{"we", 0b001, elsewhere, false, false},
		{"nobody", 0b000, elsewhere, false, false},
		{"one that is gone", 0b100, elsewhere, true, false},
	} {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
		tr.reach(Playing)
		m := tr.peers[0]
		if c.gone {
			tr.way(0, 2).state = gone
		}
		if err := m.receiveMessage(tr.way(0, 1), append(about(messageMoved, 1, c.players), appendAddr(nil, c.to)...)); err != nil {
			t.Fatal(err)
		}
		for i, l := range []*link{tr.way(0, 1), tr.way(0, 2)} {
			if believed := l.ReportedAddr.Addr == elsewhere; believed != (c.want && i == 1) || l.Addr == elsewhere {
				t.Errorf("%s: of peer %d it is believed: %v", c.what, i+1, believed)
			}
		}
		l := tr.way(0, 2)
		if !c.want {
			continue
		}
		for _, at := range []struct {
			quiet, said time.Duration
			lost        bool
		}{
			{300 * time.Millisecond, 0, false},
			{300*time.Millisecond + 1, 0, true},
			{300*time.Millisecond + 1, m.cfg.DropAfter - 1, true},
			{300*time.Millisecond + 1, m.cfg.DropAfter, false},
		} {
			l.Heard, l.ReportedAddr.At = m.now-at.quiet, m.now-at.said
			if l.LostTouch(m.now, m.cfg.DropAfter) != at.lost {
				t.Errorf("quiet for %v, said %v ago: it is looked for: %v", at.quiet, at.said, !at.lost)
			}
		}
	}
}
