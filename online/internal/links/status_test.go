package links

import (
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/online/peers"
)

// A state that is entered again continues: its duration goes on, and it is no other connection. Another reason is news.
func TestAStateThatIsEnteredAgainGoesOn(t *testing.T) {
	began := time.Unix(0, 0)
	s := NewStatus(7, began)
	for i, step := range []struct {
		state   peers.State
		reason  peers.Reason
		changed bool
		want    peers.Peer
		broken  time.Duration
	}{
		{peers.Connecting, peers.NoReason, false, peers.Peer{For: 9 * time.Second}, 0},
		{peers.Connected, peers.NoReason, true, peers.Peer{State: peers.Connected, For: 8 * time.Second, Connections: 1}, 0},
		{peers.Connected, peers.NoReason, false, peers.Peer{State: peers.Connected, For: 8 * time.Second, Connections: 1}, 0},
		{peers.Failed, peers.Gone, true, peers.Peer{State: peers.Failed, Reason: peers.Gone, For: 6 * time.Second, Connections: 1}, 3 * time.Second},
		{peers.Failed, peers.Blocked, true, peers.Peer{State: peers.Failed, Reason: peers.Blocked, For: 5 * time.Second, Connections: 1}, 3 * time.Second},
		{peers.Connected, peers.NoReason, true, peers.Peer{State: peers.Connected, For: 4 * time.Second, Connections: 2}, 3 * time.Second},
	} {
		changed := s.Enter(step.state, step.reason, began.Add(time.Duration(i)*time.Second))
		step.want.ID, step.want.Addr = 7, peers.AddrOf(7)
		if got := s.Peer(began.Add(9 * time.Second)); got != step.want || changed != step.changed || s.State() != step.state || s.Broken().Sub(began) != step.broken {
			t.Errorf("step %d: changed %v, %+v, broken after %v; want %+v", i, changed, got, s.Broken().Sub(began), step.want)
		}
	}
	s.Restart(began.Add(10 * time.Second))
	if got := s.Peer(began.Add(10 * time.Second)); got.State != peers.Connecting || got.Connections != 2 || s.Broken().Sub(began) != 10*time.Second {
		t.Errorf("another transport of the peer: %+v, broken after %v", got, s.Broken().Sub(began))
	}
}

// A peer has failed twelve seconds after it was last connected, because it is gone, sends nothing, or is blocked. If
// nobody could be connected here, that stays the reason.
func TestWhyAPeerHasFailed(t *testing.T) {
	began := time.Unix(0, 0)
	for _, c := range []struct {
		what     string
		before   func(s *Status)
		answered bool
		want     peers.Reason
	}{
		{"one that was connected", func(s *Status) {
			s.Enter(peers.Connected, peers.NoReason, began)
			s.Enter(peers.Interrupted, peers.NoReason, began)
		}, true, peers.Gone},
		{"one that has never answered", func(*Status) {}, false, peers.NoAnswer},
		{"one that answers", func(*Status) {}, true, peers.Firewalled},
	} {
		s := NewStatus(1, began)
		c.before(s)
		if s.Fail(FailAfter, c.answered, peers.Firewalled, began.Add(12*time.Second-1)) {
			t.Errorf("%s has failed early", c.what)
		}
		changed, p := s.Fail(FailAfter, c.answered, peers.Firewalled, began.Add(12*time.Second)), s.Peer(began)
		if !changed || p.State != peers.Failed || p.Reason != c.want {
			t.Errorf("%s: %v, because %v, want %v", c.what, p.State, p.Reason, c.want)
		}
	}
	for state, reason := range map[peers.State]peers.Reason{peers.Connected: peers.NoReason, peers.Failed: peers.Unsupported} {
		s := NewStatus(1, began)
		s.Enter(state, reason, began)
		if s.Fail(FailAfter, true, peers.Blocked, began.Add(time.Hour)) || s.State() != state {
			t.Errorf("one that is %v has failed", state)
		}
	}
}

// Our own number and 0 are no peers, and there are only so many.
func TestOthers(t *testing.T) {
	ids := []uint32{9, 3, 0, 5, 3, 1 << 31, 9, 4}
	if got := Others(5, ids, 4); !slices.Equal(got, []uint32{3, 4, 9, 1 << 31}) {
		t.Errorf("%v", got)
	}
	if got := Others(5, ids, 2); !slices.Equal(got, []uint32{3, 4}) || ids[0] != 9 {
		t.Errorf("two of them: %v of %v", got, ids)
	}
	list := []peers.Peer{{ID: 1 << 31}, {ID: 2}, {ID: 1<<32 - 1}, {ID: 1}}
	if Sort(list); list[0].ID != 1 || list[1].ID != 2 || list[3].ID != 1<<32-1 {
		t.Errorf("%v", list)
	}
}
