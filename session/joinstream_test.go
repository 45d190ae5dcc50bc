package session

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/match"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// arriving is a match, and a newcomer that has a state of it and runs the agreed frames.
func arriving(t *testing.T) (*mesh, *node) {
	m := newMesh(t, 3, 0b100, func(_ int, c *Config) { c.Match.Frames = 0 })
	m.playing()
	m.run(time.Second)
	n := m.join(m.somewhere(), 2, addrOf(0), addrOf(1))
	m.until("its state", 5*time.Second, func() bool { return n.lateJoin.loaded && n.lateJoin.follow.Reading() && n.phase == Starting })
	return m, n
}

// Anything that a host sends in a wrong order is refused, and the newcomer asks the next one, which admits
// it; only the end of the match is final.
func TestAHostThatSendsNonsenseIsLeft(t *testing.T) {
	offer, other := datagram.Offer{Match: 1, Frames: uint32(NoFrame)}, datagram.Offer{Match: 1, State: 77}
	for _, c := range []struct {
		what string
		item spectate.Item
		want error // nil: whichever
	}{
		{"frames from later on", spectate.Item{From: true, Frame: 100_000}, agreed.ErrGap},
		{"no frames", spectate.Item{Frames: []byte{255, 255}, Count: 1}, nil},
		{"a state that is none", spectate.Item{State: []byte{1}, Frame: 3}, nil},
		{"an offer that is none", spectate.Item{Begin: &offer}, nil},
		{"an offer of another state 0", spectate.Item{Begin: &other}, nil},
	} {
		m, n := arriving(t)
		err := n.take(&c.item)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		n.agreed = nil // it begins anew
		lost := len(n.seen)
		if n.rejectHost(err); n.lateJoin.loaded || n.lateJoin.follow.Reading() || n.stream.Chain.Known() || n.phase == Over {
			t.Errorf("%s: it goes on with what it has: %+v", c.what, n.lateJoin)
		}
		m.until("that it is in, after "+c.what, 8*time.Second, func() bool { _, c := n.saw(Joined); return c == 1 })
		said := false
		for _, e := range n.seen[lost:] {
			said = said || e.What == Lost && strings.Contains(e.Text, err.Error())
		}
		if !said {
			t.Errorf("%s: it hears %v", c.what, n.seen[lost:])
		}
		m.run(200 * time.Millisecond)
		m.same()
	}
}

// A newcomer whose game reaches other states from the same inputs gives up the host, says why, and is not
// admitted.
func TestANewcomerWithAnotherGameIsNotLetIn(t *testing.T) {
	for _, c := range []struct {
		after time.Duration // from 2 s on it gets a state
		every int           // frame that is hashed
	}{{time.Second, 1}, {3 * time.Second, 1}, {3200 * time.Millisecond, 12}} {
		m := newMesh(t, 3, 0b100, func(_ int, cfg *Config) {
			cfg.Match.Frames, cfg.ConnectTimeout, cfg.HashEvery = 0, 2*time.Second, c.every
		})
		m.playing()
		m.run(c.after)
		good := sumGame()
		m.game = rollback.Game[sum, uint16]{Step: func(s *sum, t *rollback.Tick[uint16]) {
			good.Step(s, t)
			s.Total++
		}}
		n := m.join(m.somewhere(), 2, addrOf(0))
		m.until("its end", 20*time.Second, func() bool {
			if j := n.lateJoin; j != nil && !j.loaded {
				n.agreed = nil // it begins anew
			}
			return n.Phase() == Over
		})
		if e, lost := n.saw(Lost); lost == 0 || !strings.Contains(e.Text, errOther.Error()) {
			t.Errorf("%+v: it has lost a host %d times: %v", c, lost, e)
		}
		if _, in := m.nodes[0].saw(Joined); in > 0 {
			t.Errorf("%+v: it is let in", c)
		}
	}
}

// Rule: a newcomer with a state does not wait for the next comparison of the match to know the chain,
// however far away that is, nor for the next state that the match hashes: its host hashes one for it, and it
// asks to be admitted as soon as its own hash is the same.
func TestANewcomerDoesNotWaitForAComparison(t *testing.T) {
	for phase := range time.Duration(4) {
		m := newMesh(t, 3, 0b100, func(_ int, c *Config) { c.Match.Frames, c.HashEvery, c.ChainEvery = 0, 60, 600 })
		m.playing()
		m.run(3*time.Second + phase*250*time.Millisecond)
		n := m.join(m.somewhere(), 2, addrOf(0))
		m.until("its state", 5*time.Second, func() bool { return n.lateJoin.loaded })
		from := m.now
		m.until("its request", 5*time.Second, func() bool { return n.lateJoin.direct })
		if wait := m.now - from; wait > 100*time.Millisecond || !n.lateJoin.proof.equal {
			t.Errorf("phase %d: it has waited for %v: %+v", phase, wait, n.lateJoin.proof)
		}
		m.until("it is in", 5*time.Second, func() bool { _, c := n.saw(Joined); return c == 1 })
		m.run(200 * time.Millisecond)
		m.same()
	}
}

// A state that is not reproduced here as the host has reported it is noticed even by a newcomer that has
// already asked to be admitted.
func TestANewcomerProvesItsStatesUntilItIsIn(t *testing.T) {
	for _, c := range []struct {
		frame Frame
		chain uint64
		at    Frame
		want  error
	}{
		{7, 5, NoFrame, nil}, {7, 6, NoFrame, errOther}, {8, 6, NoFrame, nil}, {0, 6, NoFrame, nil}, {7, 6, 90, nil},
	} {
		_, n := arriving(t)
		j := n.lateJoin
		j.stream.Chain.Resume(5)
		j.at, j.proof.frame, j.proof.chain = c.at, c.frame, c.chain
		if err := j.checkState(7); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Frames that arrive before it is known where they begin are refused. The end of the match is an error for a
// newcomer that is not a member yet, and for a member whose first frame is later.
func TestWhatAStreamSaysToANewcomer(t *testing.T) {
	end := func(frames uint32) *spectate.Item { return &spectate.Item{End: &spectate.End{Frames: frames}} }
	_, n := arriving(t)
	n.lateJoin.follow.Stop()
	if err := n.take(&spectate.Item{Frames: []byte{0}, Count: 1}); !errors.Is(err, agreed.ErrGap) {
		t.Errorf("frames from nowhere: %v", err)
	}
	n.lateJoin.at = 50
	if err := n.take(end(51)); err != nil || n.Phase() == Over {
		t.Errorf("an end after it was let in: %v, %v", err, n.Err())
	}
	n.lateJoin.at = NoFrame
	if err := n.take(end(51)); err != nil || n.Phase() != Over {
		t.Errorf("an end before it was let in: %v, %v", err, n.Phase())
	}
	var e *JoinError
	if !errors.As(n.Err(), &e) || *e != (JoinError{Why: "the match has ended"}) {
		t.Errorf("it ends with %v", n.Err())
	}
	_, n = arriving(t)
	n.lateJoin.at = 51
	if _ = n.take(end(51)); n.Phase() != Over {
		t.Error("it is let in with a frame that there is not")
	}
}

// A newcomer that continues by itself cannot use a state: if a host has none of the frames that it lacks,
// that is no reason to give up, as long as another one may have them.
func TestANewcomerThatGoesOnByItselfTakesNoState(t *testing.T) {
	for _, item := range []spectate.Item{{Begin: &datagram.Offer{}}, {State: []byte{1}, Frame: 9}} {
		m, n := arriving(t)
		m.until("its frames", 5*time.Second, func() bool { return n.lateJoin != nil && n.lateJoin.direct })
		frame, j := n.frame, n.lateJoin
		err := n.take(&item)
		var lacks *JoinError
		if !errors.As(err, &lacks) || lacks.Revoked || lacks.Why != "nobody has the frames any more that are missing here" {
			t.Errorf("%v", err)
		}
		if n.rejectHost(err); n.Phase() != Playing || j.follow.Reading() || !j.loaded || !j.direct || n.frame != frame {
			t.Errorf("it is %v, at frame %d, and was at %d", n.Phase(), n.frame, frame)
		}
		j.follower.Reject(err) // as the follower does itself when a host breaks the protocol
		if n.restartJoin(); !j.loaded {
			t.Error("it goes back for the fault of a host")
		}
		m.until("that it is in", 5*time.Second, func() bool { _, c := n.saw(Joined); return c == 1 })
		m.run(200 * time.Millisecond)
		m.same()
	}
	_, n := arriving(t)
	n.lateJoin.direct = true
	broken := errors.New("it does not fit")
	if n.rejectHost(broken); n.Err() != broken {
		t.Errorf("what it cannot use makes an end: %v", n.Err())
	}
	if n.rejectHost(errors.New("another")); n.Err() != broken {
		t.Errorf("it ends twice: %v", n.Err())
	}
}

// A newcomer continues by itself once it has all frames of the players that have left, and not before: only
// the stream has their inputs.
func TestANewcomerHasAllFramesOfPlayersThatLeft(t *testing.T) {
	for ahead, want := range map[int]bool{-1: true, 0: true, 1: false} {
		m, n := arriving(t)
		m.cut = func(from, to netip.AddrPort) bool { return from == addrOf(1) && to == n.addr }
		m.until("all but one way", 5*time.Second, func() bool { return n.lateJoin.known && n.stream.Chain.Known() && n.at[0].state == connected })
		if n.lateJoin.direct {
			t.Fatal("it goes on without a way to everybody")
		}
		n.at[1].state = connected
		n.at[1].Arrive(n.now, 1, 40)
		n.lateJoin.told.Absent[2].From = Frame(int(n.frame) + ahead)
		if n.takeFromMembers(); n.lateJoin.direct != want {
			t.Errorf("somebody left %d frames ahead of it: it goes on by itself: %v", ahead, n.lateJoin.direct)
		}
	}
}

// If nobody admits a newcomer, it reports why with an error whose kind its caller can distinguish.
func TestWhyANewcomerIsNotLetIn(t *testing.T) {
	revoked, uninvited := &admission.TokenError{Reason: "no more", Revoked: true}, &admission.TokenError{Reason: "another"}
	mismatch, other := &MismatchError{Players: 0b1, Item: "build", Ours: `"a"`, Theirs: `"b"`}, errors.New("the network is down")
	for _, c := range []struct{ err, want error }{
		{mismatch, mismatch},
		{errors.Join(other, mismatch), mismatch},
		{revoked, &JoinError{Why: "no more: ask its players for the new one", Revoked: true, Err: revoked}},
		{uninvited, uninvited},
		{spectate.ErrEnd, &JoinError{Why: spectate.ErrEnd.Error()}},
		{other, other},
	} {
		got := joinError(c.err)
		want, expected := c.want.(*JoinError)
		if have, is := got.(*JoinError); is != expected || is && *have != *want || !is && got != c.want {
			t.Errorf("%v becomes %#v, want %#v", c.err, got, c.want)
		}
	}
}

// A newcomer that gets a list of the members keeps its links to them, and makes new ones to those that have
// another address, have not been heard for long, or have gone; and to no others.
func TestTheWaysOfANewcomer(t *testing.T) {
	m, n := arriving(t)
	m.until("the ways", 5*time.Second, func() bool {
		return len(n.links) == 2 && n.links[0].state == connected && n.links[1].state == connected
	})
	list := []Peer{{0b001, addrOf(0)}, {0b010, addrOf(1)}}
	drop := n.cfg.DropAfter
	for _, c := range []struct {
		what  string
		state linkState
		addr  netip.AddrPort
		quiet time.Duration
		keeps bool
	}{
		{"as it is", connected, addrOf(1), 0, true},
		{"that has moved", connected, elsewhere, 0, true},
		{"not heard", connected, addrOf(1), drop, false},
		{"hardly heard", connected, addrOf(1), drop - 1, true},
		{"not answered yet", connecting, addrOf(1), drop, true},
		{"not answered yet, elsewhere", connecting, elsewhere, 0, false},
		{"that leaves", leaving, addrOf(1), 0, false},
		{"that has gone", gone, addrOf(1), 0, false},
	} {
		a, b := n.at[0], n.at[1]
		b.state, b.Addr, b.Heard = c.state, c.addr, n.now-c.quiet
		n.setMemberLinks(list)
		if n.at[0] != a || (n.at[1] == b) != c.keeps || len(n.links) != 2 || n.links[0] != n.at[0] || n.links[1] != n.at[1] {
			t.Errorf("%s: it is kept: %v", c.what, n.at[1] == b)
		}
		if l := n.at[1]; !c.keeps && (l.state != connecting || l.Addr != addrOf(1) || l.Born != n.now || l.Heard != n.now || !l.notBothMembers || l.follows) {
			t.Errorf("%s: the new way is %+v", c.what, l)
		}
	}
	if n.setMemberLinks(list[1:]); len(n.links) != 1 || n.links[0] != n.at[1] {
		t.Errorf("there are %d ways to one", len(n.links))
	}
}

// A newcomer that continues by itself knows from the log who plays. A host's member list then only tells it
// where they are, and changes neither the links nor the members with which the log began.
func TestANewcomerThatGoesOnByItselfIsToldNoMembers(t *testing.T) {
	m, n := arriving(t)
	m.until("that it goes on", 5*time.Second, func() bool { return n.lateJoin != nil && n.lateJoin.direct })
	host := m.nodes[0]
	told := rollOf(host)
	for _, l := range n.links {
		l.state = gone // so that it would look for it anew
	}
	before, ways := n.lateJoin.told, append([]*link(nil), n.links...)
	n.match.Log().State().IDs = [MaxPlayers]uint64{1, 1} // and none of them is who the log has there
	n.lateJoin.told.Slot += 7
	before.Slot += 7
	if n.receiveMemberList(told); n.lateJoin.told != before || !slices.Equal(n.links, ways) {
		t.Errorf("it was told %+v, and has %d ways", n.lateJoin.told, len(n.links))
	}
}

// A newcomer can leave even while its host still sends a match.
func TestANewcomerThatLeavesIsSentAMatch(t *testing.T) {
	m, n := arriving(t)
	m.until("a way", 5*time.Second, func() bool {
		return slices.ContainsFunc(n.links, func(l *link) bool { return l.state == connected })
	})
	offer := n.lobby.At().Offer
	offer.Match++
	if n.Leave("enough"); n.Phase() != Ending {
		t.Fatalf("it is %v", n.Phase())
	}
	err := n.take(&spectate.Item{Begin: &offer})
	if leaving, _ := n.match.End().Leaving(); err != nil || leaving != match.LeavingNow {
		t.Errorf("%v, and it leaves: %v", err, leaving)
	}
	m.until("its end", 5*time.Second, func() bool { return n.Phase() == Over })
	if n.Err() != ErrClosed {
		t.Errorf("it ends with %v", n.Err())
	}
}
