package match

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/stream"
)

// still implements the frames of a machine that has run some and has not reached an end.
type still Frame

func (s still) Next(Player) Frame                     { return Frame(s) }
func (s still) Floor() Frame                          { return Frame(s) }
func (s still) Provisional() (rollback.Outcome, bool) { return rollback.Outcome{}, false }

// kinds are the names of the kinds of orders, in their order.
var kinds = [...]string{
	"emit", "disconnect", "drop members", "admit", "resume", "revoke", "send kick", "send leaves", "idle", "linger", "close", "fail", "end at agreed",
}

// transcript takes all orders, and writes them with the fields that are set.
func (m *Match) transcript(f Facts) string {
	var b strings.Builder
	for o := m.Next(f); o != nil; o = m.Next(f) {
		b.WriteString(kinds[o.Kind])
		if o.What != 0 || o.Kind == DoEmit {
			fmt.Fprintf(&b, " %v", o.What)
		}
		if o.Kind == DoDisconnect {
			fmt.Fprintf(&b, " player %d", o.Player)
		}
		if o.Players != 0 {
			fmt.Fprintf(&b, " of %b", o.Players)
		}
		if o.Frame != 0 {
			fmt.Fprintf(&b, " at %d", o.Frame)
		}
		if o.Lasted != 0 {
			fmt.Fprintf(&b, " after %v", o.Lasted)
		}
		if o.Resigns {
			b.WriteString(" resigns")
		}
		if o.Text != "" {
			fmt.Fprintf(&b, " %q", o.Text)
		}
		if o.Err != nil {
			fmt.Fprintf(&b, ": %v", o.Err)
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// of3 is a match of three machines with a player each, played at ours, which has run 50 frames.
func of3(ours Player, continues bool) *Match {
	local := PlayerSet(1) << ours
	m := New(Rules{
		Local: local, Everybody: 0b111, Continues: continues,
		Linger: time.Second, QuorumTimeout: 10 * time.Second, MaxPause: time.Minute,
	}, still(50))
	m.Begin(1, 1000)
	m.Follow(membership.New(local, membership.Begin([]PlayerSet{1, 2, 4}, 0), still(50), membership.Config{Kickers: 1}))
	return &m
}

// removal is an entry that removes a player at a frame.
func removal(kind membership.Kind, p Player, at Frame) *membership.Entry {
	e := &membership.Entry{Kind: kind, Players: PlayerSet(1) << p, Frame: at}
	e.Cuts[p] = at
	return e
}

// Rule: a decision becomes exactly these orders, and this last frame: no network, no engine, no clock.
func TestWhatIsOrdered(t *testing.T) {
	quit := errors.New("quit")
	playing := Facts{Now: time.Second, Phase: Playing, Frame: 50}
	for _, c := range []struct {
		what      string
		continues bool
		tell      func(m *Match)
		want      string
		limit     Frame
	}{
		{"a drop ends the match", false, func(m *Match) { m.Apply(removal(membership.Drop, 2, 40), playing) }, `drop members dropped`, 40},
		{"a drop after the last frame does not", false, func(m *Match) { m.Apply(removal(membership.Drop, 2, 2000), playing) }, `drop members dropped`, 1000},
		{"a match that goes on lacks the dropped one", true, func(m *Match) {
			m.Apply(removal(membership.Drop, 2, 40), playing)
		}, `disconnect player 2 at 40; drop members dropped`, 1000},
		{"one that left", true, func(m *Match) { m.Apply(removal(membership.Leave, 1, 60), playing) }, `disconnect player 1 at 60; drop members left`, 1000},
		{"one that left, seen by a newcomer", true, func(m *Match) {
			m.Apply(removal(membership.Leave, 1, 60), Facts{Now: time.Second, Phase: Playing, Observing: true})
		}, `drop members left`, 1000},
		{"a kick by the log", true, func(m *Match) {
			m.Apply(removal(membership.Kick, 1, 60), playing)
		}, `revoke of 10; disconnect player 1 at 60; drop members dropped`, 1000},
		{"a newcomer", true, func(m *Match) {
			m.Apply(&membership.Entry{Kind: membership.Join, Players: 0b100, Frame: 70}, playing)
		}, `emit joined of 100 at 70; admit`, 1000},
		{"a kick by us", true, func(m *Match) {
			if err := m.Kick(4, "rude", playing); err != nil {
				t.Error(err)
			}
		}, `revoke of 100; send kick of 100 "rude"`, 1000},
		{"leaving a match that needs our inputs", true, func(m *Match) {
			m.Leave("bye", quit, playing, 50, 5, true)
		}, `send leaves resigns "bye"; idle at 55; linger resigns`, 1000},
		{"leaving one that ends with us", false, func(m *Match) {
			m.Leave("bye", quit, playing, 50, 5, true)
		}, `send leaves resigns "bye"; idle at 50; linger resigns`, 1000},
		{"leaving a lobby", true, func(m *Match) {
			m.Leave("bye", quit, Facts{Phase: Lobby}, 0, 5, true)
		}, `send leaves "bye"; linger`, 1000},
		{"leaving an empty lobby", true, func(m *Match) {
			m.Leave("bye", quit, Facts{Phase: Lobby}, 0, 5, false)
		}, `send leaves "bye"; close: quit`, 1000},
		{"a pause and its end", true, func(m *Match) {
			m.Apply(&membership.Entry{Kind: membership.Pause, Players: 2, Frame: 60}, playing)
			if at, paused := m.Paused(); at != 60 || !paused || m.Stands(59) || !m.Stands(60) {
				t.Errorf("paused at %d: %v", at, paused)
			}
			m.Apply(&membership.Entry{Kind: membership.Resume, Players: 4}, Facts{Now: 3 * time.Second, Phase: Playing, Frame: 60})
			if _, paused := m.Paused(); paused || m.Stands(60) {
				t.Error("still paused")
			}
		}, `emit paused of 10 at 60; emit unpaused of 100 at 60 after 2s; resume`, 1000},
		{"we are removed", true, func(m *Match) {
			m.Log().State().Absent[0].From = 40
			m.Apply(removal(membership.Kick, 0, 40), playing)
		}, `fail: we were kicked (frame 40)`, 1000},
		{"we are removed after the last frame, with another one before it", true, func(m *Match) {
			e := removal(membership.Drop, 0, 1000)
			e.Players, e.Cuts[2] = 0b101, 50
			m.Log().State().Absent[0].From = 1000
			m.Apply(e, playing)
		}, `disconnect player 2 at 50`, 1000},
		{"the same, with inputs of the other one that nobody else has", true, func(m *Match) {
			e := removal(membership.Drop, 0, 1000)
			e.Players, e.Cuts[2] = 0b101, 49
			m.Log().State().Absent[0].From = 1000
			m.Apply(e, playing)
		}, `end at agreed: the others have gone on without us (frame 1000)`, 1000},
		{"we are removed while we leave", true, func(m *Match) {
			m.Leave("bye", quit, playing, 50, 5, true)
			m.transcript(Facts{})
			m.Apply(removal(membership.Leave, 0, 55), playing)
		}, ``, 1000},
	} {
		m := of3(0, c.continues)
		c.tell(m)
		if got := m.transcript(Facts{}); got != c.want || m.Limit() != c.limit {
			t.Errorf("%s:\n%s, limit %d, want\n%s, limit %d", c.what, got, m.Limit(), c.want, c.limit)
		}
	}
}

// Rule: a call that the rules do not allow returns a typed error, and orders nothing.
func TestWhatIsRefused(t *testing.T) {
	playing := Facts{Now: time.Second, Phase: Playing, Frame: 50}
	var wish *membership.WishError
	for _, c := range []struct {
		what string
		ours Player
		ends bool
		call func(m *Match) error
		want error
	}{
		{"a kick by another machine than the host", 1, false, func(m *Match) error { return m.Kick(4, "", playing) }, ErrNotHost},
		{"a kick in a lobby", 0, false, func(m *Match) error { return m.Kick(4, "", Facts{Phase: Lobby}) }, ErrPhase},
		{"a kick from a match that would end", 0, true, func(m *Match) error { return m.Kick(4, "", playing) }, ErrPhase},
		{"a kick of nobody", 0, false, func(m *Match) error { return m.Kick(0, "", playing) }, nil},
		{"a kick of ourselves", 0, false, func(m *Match) error { return m.Kick(1, "", playing) }, nil},
		{"a kick of somebody who is not there", 0, false, func(m *Match) error { return m.Kick(8, "", playing) }, nil},
		{"a pause in a lobby", 0, false, func(m *Match) error { return m.Ask(membership.Pause, Facts{Phase: Lobby}) }, ErrPhase},
	} {
		m := of3(c.ours, !c.ends)
		err := c.call(m)
		if c.want != nil && !errors.Is(err, c.want) || c.want == nil && !errors.As(err, &wish) {
			t.Errorf("%s: %v", c.what, err)
		}
		if got := m.transcript(playing); got != "" {
			t.Errorf("%s: %s", c.what, got)
		}
	}
}

// Rule: a token is revoked once for each kicked player, until somebody takes the place.
func TestTokensAreRevokedOnce(t *testing.T) {
	m := of3(0, true)
	if news := m.Revoke(0b110); news != 0b110 || !m.Revoked(0b010) || m.Revoked(0b001) {
		t.Errorf("%b", news)
	}
	if news := m.Revoke(0b011); news != 0b001 {
		t.Errorf("%b is news", news)
	}
	m.Apply(&membership.Entry{Kind: membership.Join, Players: 0b010, Frame: 60}, Facts{Phase: Playing})
	if m.Revoked(0b010) || !m.Revoked(0b100) {
		t.Error("who has joined is revoked, or who has not is not")
	}
}

// Rule: after any sequence of facts and entries nothing panics, orders end, and the match never gets longer.
func FuzzMatch(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	f.Add([]byte{1, 0xFF, 2, 0xF3, 9, 9, 4, 4, 3, 3, 1, 1, 7, 7, 5, 5})
	f.Fuzz(func(t *testing.T, b []byte) {
		m := of3(Player(len(b)%3), len(b)%2 == 0)
		limit, now := m.Limit(), time.Second
		for len(b) >= 4 {
			what, x, y, phase := b[0], b[1], Frame(b[2])*8, Phase(b[3])%(Over+1)
			b = b[4:]
			now += time.Duration(x) * 100 * time.Millisecond
			facts := Facts{Now: now, Phase: phase, Frame: y, Observing: x&0x80 != 0}
			players := PlayerSet(x) & 0b111
			switch what % 12 {
			case 0:
				e := membership.Entry{Kind: membership.Kind(y) % (membership.Resume + 1), Players: players, Frame: y}
				for p := range players.All() {
					e.Cuts[p] = y + Frame(p)
				}
				if players != 0 {
					m.Apply(&e, facts)
				}
			case 1:
				_ = m.Kick(players, "rude", facts)
			case 2:
				if m.End().Stays() {
					m.Leave("bye", ErrPhase, facts, y, 5, x&1 != 0)
				}
			case 3:
				_ = m.Ask(membership.Pause, facts)
			case 4:
				_ = m.Ask(membership.Resume, facts)
			case 5:
				m.EndPause(facts)
			case 6:
				m.Quorum(facts)
			case 7:
				m.AwaitEnd(facts)
			case 8:
				if m.Log() != nil {
					m.RemoveKicked(facts)
				}
			case 9:
				if m.Log() != nil && m.Due(now) {
					m.Poll(now, y)
				}
			case 10:
				if m.Log() != nil {
					m.Log().Accuse(players)
				}
			case 11:
				m.End().Finish(stream.Outcome{})
			}
			for n := 0; m.Next(facts) != nil; n++ {
				if n > 1000 {
					t.Fatal("the orders do not end")
				}
			}
			if m.Limit() > limit {
				t.Fatalf("the match of %d frames has %d", limit, m.Limit())
			}
			limit = m.Limit()
		}
	})
}

// Rule: before the first match nothing is paused.
func TestNothingIsPausedBeforeTheFirstMatch(t *testing.T) {
	m := New(Rules{}, still(0))
	if at, paused := m.Paused(); paused || m.Stands(0) {
		t.Errorf("paused at %d", at)
	}
}
