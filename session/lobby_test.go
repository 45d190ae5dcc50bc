package session

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// inLobby is a trio whose applications decide which matches are played.
func inLobby(t *testing.T, players int) *trio {
	tr := newTrio(t, players, func(c *Config) { c.Lobby = true })
	tr.reach(Lobby)
	return tr
}

// proposal returns the number of the match that is proposed at a peer.
func (tr *trio) proposal(peer int) uint32 {
	_, n := tr.peers[peer].Proposal()
	return n
}

// Only the host proposes, only in the lobby, and only parameters that can be sent to all
// machines.
func TestWhoMayPropose(t *testing.T) {
	early := newTrio(t, 2, func(c *Config) { c.Lobby = true })
	if err := early.peers[0].Propose(Parameters{}); !errors.Is(err, ErrPhase) || !strings.Contains(err.Error(), "this is connecting") {
		t.Errorf("before all are connected: %v", err)
	}
	tr := inLobby(t, 2)
	if err := tr.peers[1].Propose(Parameters{}); !errors.Is(err, ErrNotHost) {
		t.Errorf("a guest: %v", err)
	}
	if err := tr.peers[0].Propose(Parameters{Data: make([]byte, MaxData+1)}); err == nil || !strings.Contains(err.Error(), "65537 bytes") {
		t.Errorf("too much data: %v", err)
	}
	data := bytes.Repeat([]byte("level"), MaxData/5)
	if err := tr.peers[0].Propose(Parameters{Seed: 3, Frames: 100, Content: 9, Data: data}); err != nil {
		t.Fatal(err)
	}
	clear(data) // it is the caller's
	if err := tr.peers[0].Propose(Parameters{}); !errors.Is(err, ErrPhase) || !strings.Contains(err.Error(), "this is starting") {
		t.Errorf("a second one: %v", err)
	}
	tr.run(2 * time.Second)
	for i := range tr.peers {
		p, n := tr.peers[i].Proposal()
		if n != 1 || p.Seed != 3 || p.Frames != 100 || p.Content != 9 || !bytes.HasPrefix(p.Data, []byte("levellevel")) || len(p.Data) != len(data) {
			t.Errorf("peer %d is to play match %d: %d %d %d %.10q", i, n, p.Seed, p.Frames, p.Content, p.Data)
		}
	}
}

// If the game cannot set up a match, the error of its hook is returned. At the host nothing has
// happened then, and nobody hears of it; if it is another machine, all hear why, and are back
// in the lobby.
func TestWhatTheGameCannotSetUp(t *testing.T) {
	unknown := errors.New("the level is not installed")
	for who := range 2 {
		tr := inLobby(t, 3)
		tr.peers[who].sim.hooks.Start = func(p Parameters) (func(*sum), error) {
			if p.Content == 1 {
				return nil, unknown
			}
			return nil, nil
		}
		err := tr.peers[0].Propose(Parameters{Content: 1})
		tr.run(100 * time.Millisecond)
		if who == 0 {
			if !errors.Is(err, unknown) || tr.peers[0].Phase() != Lobby || tr.proposal(0) != 0 || tr.count(1, Proposed) != 0 {
				t.Errorf("the host: %v, then %v; events of the others %v", err, tr.peers[0].Phase(), tr.seen[1])
			}
		} else {
			if err != nil {
				t.Fatal(err)
			}
			if err := tr.peers[who].Accept(); !errors.Is(err, unknown) || tr.peers[who].Phase() != Lobby {
				t.Errorf("the guest: %v, then %v", err, tr.peers[who].Phase())
			}
			tr.run(100 * time.Millisecond)
			for _, other := range []int{0, 2} {
				e := tr.seen[other][len(tr.seen[other])-1]
				if e.What != Refused || e.Players != 0b10 || e.Text != unknown.Error() || tr.peers[other].Phase() != Lobby || tr.proposal(other) != 0 {
					t.Errorf("peer %d hears %v, and is %v", other, e, tr.peers[other].Phase())
				}
			}
		}
		if err := tr.peers[0].Propose(Parameters{Content: 2}); err != nil || tr.proposal(0) != uint32(1+who) {
			t.Errorf("what can be played: %v, match %d", err, tr.proposal(0))
		}
	}
}

// A proposal is accepted or refused, and then the match begins, in this order and once; only
// the machines other than the host do so.
func TestTheOrderOfAStart(t *testing.T) {
	tr := inLobby(t, 2)
	host, guest := tr.peers[0], tr.peers[1]
	no := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, ErrPhase) {
			t.Errorf("%s: %v", what, err)
		}
	}
	no("accept nothing", guest.Accept())
	no("refuse nothing", guest.Refuse("no"))
	no("be ready for nothing", guest.Ready())
	if err := host.Propose(Parameters{Frames: 100}); err != nil {
		t.Fatal(err)
	}
	no("the host accepts", host.Accept())
	no("the host refuses", host.Refuse("no"))
	no("the host is ready", host.Ready())
	tr.run(100 * time.Millisecond)
	no("be ready for what is not accepted", guest.Ready())
	if err := guest.Accept(); err != nil {
		t.Fatal(err)
	}
	no("accept twice", guest.Accept())
	tr.run(100 * time.Millisecond)
	if tr.count(0, Accepted) != 1 || host.Phase() != Starting {
		t.Errorf("the host is %v; %v", host.Phase(), tr.seen[0])
	}
	if err := guest.Ready(); err != nil {
		t.Fatal(err)
	}
	no("be ready twice", guest.Ready())
	tr.run(100 * time.Millisecond)
	no("accept what is played", guest.Accept())
	no("refuse what is played", guest.Refuse("no"))
	no("propose while playing", host.Propose(Parameters{}))
	if host.Phase() != Playing || guest.Phase() != Playing {
		t.Errorf("they are %v and %v", host.Phase(), guest.Phase())
	}
}

// A machine may also refuse after it has accepted. All hear who refused and why, with as much
// of the reason as there is room for.
func TestWhoRefusesIsNamed(t *testing.T) {
	tr := inLobby(t, 3)
	if err := tr.peers[0].Propose(Parameters{}); err != nil {
		t.Fatal(err)
	}
	tr.run(100 * time.Millisecond)
	if err := tr.peers[2].Accept(); err != nil {
		t.Fatal(err)
	}
	reason := strings.Repeat("no", 256)
	if err := tr.peers[2].Refuse(reason); err != nil {
		t.Fatal(err)
	}
	tr.run(100 * time.Millisecond)
	for i := range 2 {
		e := tr.seen[i][len(tr.seen[i])-1]
		if e.What != Refused || e.Players != 0b100 || e.Match != 1 || e.Text != reason[:256] || tr.count(i, Refused) != 1 {
			t.Errorf("peer %d: %v", i, tr.seen[i])
		}
	}
	if tr.count(2, Refused) != 0 || tr.peers[2].Phase() != Lobby {
		t.Errorf("who refuses is %v: %v", tr.peers[2].Phase(), tr.seen[2])
	}
}

// A message arrives complete at the machines of its recipients, and nowhere else. A machine
// that leaves the lobby, or leaves before there is one, says why, and all others hear it.

// A proposal is complete or refused; its parameters are copied, whatever happens to the bytes
// that they arrived in.
func TestWhatAProposalSaysIsKept(t *testing.T) {
	offer := datagram.Offer{Match: 1, Frames: 60, Seed: 9, Data: []byte("parameters")}
	whole := offer.Append([]byte{0b111})
	lobby := func() (*Session[sum, uint16], *link) {
		tr := inLobby(t, 3)
		return tr.peers[1], tr.way(1, 0)
	}
	for n := range len(whole) - len(offer.Data) { // which is as long as it is
		if p, l := lobby(); p.receiveProposal(l, whole[:n:n]) == nil {
			t.Errorf("%d bytes of %d are a proposal", n, len(whole))
		}
	}
	p, l := lobby()
	if err := p.receiveProposal(l, whole); err != nil {
		t.Fatal(err)
	}
	clear(whole)
	if got, match := p.Proposal(); match != 1 || string(got.Data) != "parameters" || got.Seed != 9 {
		t.Errorf("match %d, %+v", match, got)
	}
}
