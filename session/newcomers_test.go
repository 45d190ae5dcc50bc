package session

import (
	"errors"
	"testing"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// Of the messages of a newcomer, those of the log, its orders and its departure are handled;
// messages about another match, or of another kind, are ignored.
func TestWhatIsHeardOfANewcomer(t *testing.T) {
	order := append(le.AppendUint32([]byte{3}, 900), 1)
	for _, c := range []struct {
		what  string
		b     []byte
		err   error
		early int
		said  bool
		state linkState
	}{
		{"orders", append(about(messageOrders, 1), order...), nil, 1, false, connected},
		{"orders of another match", append(about(messageOrders, 2), order...), nil, 0, false, connected},
		{"orders without a match", []byte{messageOrders, 1, 0, 0}, datagram.ErrShort, 0, false, connected},
		{"orders without bytes", about(messageOrders, 1), datagram.ErrShort, 0, false, connected},
		{"that it goes", about(messageLeave, 1, Frame(7)), nil, 0, false, gone},
		{"that it goes, without a frame", about(messageLeave, 1), nil, 0, false, gone},
		{"that it goes when the log says so", about(messageLeave, 1, NoFrame), nil, 0, true, connected},
		{"that it goes, of another match", about(messageLeave, 2, Frame(7)), nil, 0, false, connected},
		{"that it goes, without a match", []byte{messageLeave, 1}, datagram.ErrShort, 0, false, connected},
		{"the log, without a match", []byte{messageMember}, datagram.ErrShort, 0, false, connected},
		{"a reset", []byte{messageReset}, nil, 0, false, connected},
		{"a chain", about(messageChain, 1, Frame(60), uint64(1)), nil, 0, false, connected},
		{"an unknown kind", []byte{99}, nil, 0, false, connected},
	} {
		m := newMesh(t, 4, 0b1000, nil)
		m.playing()
		host := m.nodes[0]
		l, _ := host.addNewcomer(0b1000, 7, elsewhere, false)
		l.state = connected
		err := host.receiveNewcomer(l, c.b)
		host.inputs.Join(&l.Peer, 900)
		if early := host.inputs.Waiting(&l.Peer); !errors.Is(err, c.err) || early != c.early || l.said != c.said || l.state != c.state {
			t.Errorf("%s: %v; %d orders, said %v, state %d", c.what, err, early, l.said, l.state)
		}
	}
}

// A newcomer that a machine has heard of is awaited as long as it is heard and has not left;
// one whose token has been revoked is awaited for another second, since others may have
// admitted it.
func TestHowLongANewcomerIsAwaited(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(m *Machine, c *newcomer)
		kept   bool
	}{
		{"heard", func(*Machine, *newcomer) {}, true},
		{"hardly heard", func(m *Machine, c *newcomer) { c.Heard = m.now - m.cfg.DropAfter }, true},
		{"not heard", func(m *Machine, c *newcomer) { c.Heard = m.now - m.cfg.DropAfter - 1 }, false},
		{"gone", func(_ *Machine, c *newcomer) { c.state = gone }, false},
		{"revoked", func(m *Machine, c *newcomer) { c.revoked, c.revokedAt = true, m.now }, true},
		{"revoked for nearly a second", func(m *Machine, c *newcomer) { c.revoked, c.revokedAt = true, m.now-time.Second+1 }, true},
		{"revoked for a second", func(m *Machine, c *newcomer) { c.revoked, c.revokedAt = true, m.now-time.Second }, false},
	} {
		m := newMesh(t, 4, 0b1100, func(_ int, c *Config) { c.Match.Frames = 0 })
		m.playing()
		m.run(time.Second)
		host := m.nodes[0]
		l, _ := host.addNewcomer(0b1000, 7, elsewhere, false)
		other, _ := host.addNewcomer(0b0100, 8, addrOf(8), false)
		c.change(host.Machine, l)
		host.connectNewcomers()
		if kept := host.newcomerOf(l.link) != nil; kept != c.kept || host.newcomerOf(other.link) == nil {
			t.Errorf("%s: it is awaited: %v", c.what, kept)
		}
	}
}

// A member that has a newcomer as its spectator tells the others of it immediately, and again
// every second; and it tells the newcomer, four times a second, who plays, until somebody has
// its place.
func TestHowOftenANewcomerIsIntroduced(t *testing.T) {
	m := newMesh(t, 3, 0b100, func(_ int, c *Config) { c.Match.Frames = 0 })
	m.playing()
	m.run(time.Second)
	host, l := m.nodes[0], m.nodes[0].at[1]
	n := m.join(m.somewhere(), 2, addrOf(0))
	m.until("the guest", 3*time.Second, func() bool { return host.audience.Stats().Newcomers == 1 && n.lateJoin.known })
	host.newcomers, host.introduced = nil, 0
	n.down = true
	began, told := host.now, 0
	for at := time.Duration(0); at <= 2500*time.Millisecond; at += 50 * time.Millisecond {
		host.now = began + at
		for _, c := range host.newcomers {
			c.Heard = host.now
		}
		for _, b := range said(t, l, host.introduceAll) {
			if b[0] == messageNewcomer {
				told++
				if at%time.Second != 0 || PlayerSet(b[5]) != 0b100 || le.Uint64(b[6:]) != n.lateJoin.id {
					t.Errorf("after %v it is told % x", at, b)
				}
			}
		}
		if got := host.now - host.introduced; got != at%introduceEvery {
			t.Errorf("after %v the guest was told %v ago", at, got)
		}
	}
	if told != 3 {
		t.Errorf("the others are told %d times", told)
	}
	host.match.Log().State().Members[2] = 0b100
	host.now += time.Second
	if b := said(t, l, host.introduceAll); len(b) != 0 {
		t.Errorf("one that has no place is introduced: % x", b)
	}
	host.now, host.match.Log().State().Members[2] = began, 0
}

// While a match is ending, nobody can join it any more; nobody can ever join a match that ends
// when somebody leaves.
func TestMatchesThatNobodyJoins(t *testing.T) {
	for _, c := range []struct {
		on    OnLeave
		phase Phase
		want  string
	}{
		{Continue, Playing, "the place is taken"},
		{Continue, Ending, "there is no match that can be joined now"},
		{End, Playing, "there is no match that can be joined now"},
	} {
		tr := newTrio(t, 2, func(config *Config) { config.Lobby, config.OnLeave = true, c.on })
		tr.reach(c.phase)
		m := tr.peers[0]
		if got := m.whyNotJoin(0b10, 7); got != c.want || m.Phase() != c.phase {
			t.Errorf("%v, %v: %q", c.on, m.Phase(), got)
		}
	}
}

// Only a machine that had a token from the beginning can invite, and not with a token that is
// too short.
func TestWhoMaySetTheToken(t *testing.T) {
	for _, c := range []struct {
		what  string
		cfg   spectate.Config
		token []byte
		phase bool
	}{
		{"nobody is welcome", spectate.Config{}, nil, true},
		{"spectators are", spectate.Config{Max: 3}, nil, true},
		{"newcomers are", spectate.Config{}, meshToken, false},
	} {
		tr := newTrio(t, 2, func(config *Config) {
			config.Lobby, config.OnLeave, config.Spectators, config.Token = true, Continue, c.cfg, c.token
		})
		if err := tr.peers[0].SetToken(meshToken); errors.Is(err, ErrPhase) != c.phase || (err == nil) == c.phase {
			t.Errorf("%s: %v", c.what, err)
		}
		if err := tr.peers[0].SetToken(meshToken[:admission.MinToken-1]); err == nil || errors.Is(err, ErrPhase) {
			t.Errorf("%s, with a short token: %v", c.what, err)
		}
	}
}

// If another peer claims to be the address of a silent peer, it is challenged: every 100 ms,
// always with the same number; but not at the known address of another peer, and not without
// room.
func TestWhoIsSaidToBeElsewhereIsAskedThere(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, Continue })
	tr.reach(Playing)
	m, l := tr.peers[0], tr.way(0, 2)
	tr.sentTo(0, elsewhere) // nothing waits any more
	began := m.now
	l.Heard, l.ReportedAddr = began-peer.ReportAfter-1, peer.Reported{Addr: elsewhere, At: began}
	first, asked := [][]byte(nil), 0
	for at := time.Duration(0); at < time.Second; at += 10 * time.Millisecond {
		m.now = began + at
		m.lookElsewhere()
		for _, b := range tr.sentTo(0, elsewhere) {
			if asked++; at%(100*time.Millisecond) != 0 || b[0] != datagram.KindChallenge {
				t.Errorf("after %v: % x", at, b)
			}
			if first = append(first, b); string(b) != string(first[0]) {
				t.Errorf("after %v it is another one", at)
			}
		}
	}
	if asked != 10 {
		t.Errorf("it is asked %d times", asked)
	}
	m.now += time.Second
	l.Heard, l.ReportedAddr = m.now-peer.ReportAfter-1, peer.Reported{Addr: addrOf(1), At: m.now}
	if m.lookElsewhere(); m.out.Len() > 0 {
		t.Error("it is asked where another peer is")
	}
	l.ReportedAddr.Addr = elsewhere
	for !m.out.Full() {
		m.sendTo(tr.way(0, 1))
	}
	n := m.out.Len()
	if m.lookElsewhere(); m.out.Len() != n {
		t.Errorf("it is asked without room: %d datagrams wait, and %d before", m.out.Len(), n)
	}
	m.now = began
}

// If a peer goes while no match is played, the session goes on without it if matches go on and
// there is a host, and is over otherwise. The peer is reported as leaving, or as lost.
func TestWhoGoesBetweenMatches(t *testing.T) {
	for _, c := range []struct {
		what  string
		on    OnLeave
		phase Phase
		who   int // of 1 and 2, as peer 1, 2 or 0 sees it
		lost  bool
		over  bool
	}{
		{"a guest, with End", End, Lobby, 2, false, true},
		{"a guest", Continue, Lobby, 2, false, false},
		{"a guest that is lost", Continue, Lobby, 2, true, false},
		{"the host", Continue, Lobby, 0, false, true},
		{"the host, lost", Continue, Lobby, 0, true, true},
		{"the host, with a proposal", Continue, Starting, 0, false, true},
		{"a guest, with a proposal", Continue, Starting, 2, false, false},
	} {
		tr := newTrio(t, 3, func(config *Config) { config.Lobby, config.OnLeave = true, c.on })
		tr.reach(c.phase)
		m := tr.peers[1]
		if c.lost {
			m.lose(tr.way(1, c.who), "it breaks rules")
		} else {
			tr.peers[c.who].Leave("dinner")
		}
		tr.run(time.Second)
		what, text := Left, "dinner"
		if c.lost {
			what, text = Lost, "it breaks rules"
		}
		var e *LostError
		if over := m.Phase() == Over; over != c.over || over && (!errors.As(m.Err(), &e) || e.Players != 1<<c.who) {
			t.Errorf("%s: it is %v: %v", c.what, m.Phase(), m.Err())
		}
		said := 0
		for _, e := range tr.seen[1] {
			if e.What == what && e.Players == 1<<c.who && e.Text == text {
				said++
			}
		}
		if said != 1 || tr.count(1, Left)+tr.count(1, Lost) != 1 {
			t.Errorf("%s: it hears %v", c.what, tr.seen[1])
		}
	}
}
