package session

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/wire/agreed"
)

// explained returns how many events report an explanation, and how many report that there
// is none.
func (tr *trio) explained(peer int) (with, without int) {
	for _, e := range tr.seen[peer] {
		if e.What == Reported && e.Data != nil {
			with++
		} else if e.What == Reported {
			without++
		}
	}
	return with, without
}

// An unfounded suspicion makes all peers search, once, and nobody is accused.
func TestAFalseSuspicionIsNothing(t *testing.T) {
	for to := range 2 {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.ChainEvery = true, 10 })
		tr.reach(Playing)
		for range 3 {
			tr.lie(2, to, about(messageDesync, 1, Frame(20)))
			tr.run(100 * time.Millisecond)
		}
		tr.undisturbed()
		for i, m := range tr.peers {
			if with, without := tr.explained(i); with+without > 0 || m.Report() != nil || m.inquiry.busy() || m.inquiry.quiet() {
				t.Errorf("peer %d has %d and %d reports", i, with, without)
			}
		}
	}
}

// A search that has not ended when the session is over ends with it, so that no simulation is left that waits to go on.
func TestASearchEndsWithTheSession(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.ChainEvery = true, 10 })
	tr.reach(Playing)
	tr.lie(2, 0, about(messageDesync, 1, Frame(1<<20)))
	tr.run(100 * time.Millisecond)
	m := tr.peers[0]
	if !m.inquiry.busy() {
		t.Fatal("nothing is searched")
	}
	m.Leave("enough")
	for range 100 {
		tr.run(100 * time.Millisecond)
	}
	if with, without := tr.explained(0); m.Phase() != Over || m.inquiry.busy() || with+without > 0 {
		t.Errorf("%v, busy: %v, %d and %d reports", m.Phase(), m.inquiry.busy(), with, without)
	}
}

// forged is a report that claims that peer 0 had a certain hash.
func forged(m *Machine, state Frame, hash uint64, change func(r *desync.Report)) []byte {
	shape := agreed.Shape{Players: 3, InputSize: m.sim.InputSize(), MaxOrders: m.cfg.MaxOrders}
	r := desync.Report{
		Game: m.cfg.GameID, Match: 1, Shape: shape, TickRate: 60, HashEvery: 1, Every: 10,
		State: uint32(state), Noticed: uint32(state), First: uint32(state), Groups: []uint64{hash, hash + 1},
		Peers: []desync.Peer{{Players: 1, Origin: desync.Original}, {Players: 2, Group: 1, Origin: desync.Original}, {Players: 4, Group: 1, Origin: desync.Original}},
	}
	if change != nil {
		change(&r)
	}
	b := r.Append(nil)
	message := about(messageDesync+3, 1, Frame(len(b)), Frame(0))
	return append(message, b...)
}

// A report that is wrong about the reader, or not about its match, is a lie; any other is
// accepted from any peer that has it.
func TestForgedReportsAreLies(t *testing.T) {
	for name, change := range map[string]func(r *desync.Report){
		"the truth":            nil,
		"another hash":         func(r *desync.Report) { r.Groups[0] += 5 },
		"another match":        func(r *desync.Report) { r.Match = 7 },
		"another game":         func(r *desync.Report) { r.Game = "chess" },
		"another shape":        func(r *desync.Report) { r.Shape.MaxOrders++ },
		"without us":           func(r *desync.Report) { r.Peers = r.Peers[1:] },
		"with us and somebody": func(r *desync.Report) { r.Peers[0].Players, r.Peers[1].Players = 3, 4; r.Peers = r.Peers[:2] },
	} {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.ChainEvery = true, 10 })
		tr.reach(Playing)
		m := tr.peers[0]
		tr.deaf = true // so that the others do not answer
		m.inquiry.suspect(10, m.now)
		hash, ok := m.inquiry.evidence.HashOf(10)
		if !ok {
			t.Fatal("no hash")
		}
		err := m.receiveMessage(tr.way(0, 2), forged(m.Machine, 10, hash, change))
		if (err == nil) != (change == nil) || (m.Report() != nil) != (change == nil) {
			t.Errorf("%s: %v, and a report of %d bytes", name, err, len(m.Report()))
		}
	}
}

// Pieces that are out of order, or larger than a report, violate the protocol; before
// anything is suspected they are ignored.
func TestPiecesComeInOrder(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.ChainEvery = true, 10 })
	tr.reach(Playing)
	m, l := tr.peers[0], tr.way(0, 2)
	piece := func(size, offset Frame) error {
		return m.receiveMessage(l, about(messageDesync+3, 1, size, offset, byte(1)))
	}
	if err := piece(100, 50); err != nil {
		t.Error(err)
	}
	tr.deaf = true
	m.inquiry.suspect(10, m.now)
	if err := piece(100, 50); err == nil {
		t.Error("the middle of a report was taken for its beginning")
	}
	if err := piece(100, 0); err != nil {
		t.Error(err)
	}
	if err := piece(100, 0); err == nil {
		t.Error("the beginning was taken twice")
	}
	if err := piece(desync.MaxReport+1, 1); err == nil {
		t.Error("it is longer than a report can be")
	}
}

// A match is played with any budget.
func TestAnyBudgetWillDo(t *testing.T) {
	for _, budget := range []int{1, 100, 4000, 0} {
		tr := newTrio(t, 2, func(c *Config) { c.Lobby, c.ChainEvery, c.Evidence = true, 10, budget })
		tr.reach(Playing)
		tr.undisturbed()
	}
}

// A desync in the first frames of a match is explained, too: all get the same report, with
// the first state that differs, and the inputs before it.
func TestADesyncAtTheBeginningIsExplained(t *testing.T) {
	for _, wrong := range []uint64{1, 4, 25} { // the first state that differs
		m := newMesh(t, 0, 0, func(_ int, c *Config) { c.Match.Frames, c.ChainEvery = 120, 10 })
		for i := range 2 {
			good := sumGame()
			m.game = rollback.Game[sum, uint16]{Step: func(s *sum, t *rollback.Tick[uint16]) {
				if good.Step(s, t); i == 1 && s.Frame == wrong {
					s.Total++
				}
			}}
			m.add(addrOf(i), i, Config{Players: 2, Peers: []Peer{{PlayerSet(1) << (1 - i), addrOf(1 - i)}}})
		}
		m.playing()
		m.until("the end", 20*time.Second, func() bool {
			_, a := m.nodes[0].Outcome()
			_, b := m.nodes[1].Outcome()
			return a && b
		})
		for i, n := range m.nodes {
			e, c := n.saw(Reported)
			d, noticed := n.saw(Desync)
			if c != 1 || noticed != 1 || d.Players != 1<<(1-i) || d.Frame != Frame((wrong+9)/10*10) || e.Match != 1 || e.Text != "" {
				t.Fatalf("state %d: peer %d hears %v", wrong, i, n.seen)
			}
			if string(e.Data) != string(n.Report()) || string(e.Data) != string(m.nodes[0].Report()) {
				t.Errorf("state %d: the reports differ", wrong)
			}
			r, err := desync.Decode(e.Data)
			if err != nil || uint64(r.State) != wrong || len(r.Peers) != 2 || uint64(r.First) >= wrong || len(r.Begin) != 16 || r.Total != 1 {
				t.Fatalf("state %d: it is explained by state %d, from state %d on: %v", wrong, r.State, r.First, err)
			}
			if wrong == 1 && string(r.Begin) != string(make([]byte, 16)) {
				t.Errorf("it begins with % x", r.Begin)
			}
			if o, _ := n.Outcome(); o.Health != Desynced || n.Health() != Desynced {
				t.Errorf("state %d: peer %d is %v", wrong, i, o.Health)
			}
		}
	}
}

// A machine that began without peers explains nothing; an inquiry without peers says so.
func TestAnInquiryWithoutPeers(t *testing.T) {
	var q inquiry
	q.begin(desync.Report{})
	q.capture()
	q.suspect(10, time.Second)
	if err := q.receive(0, desync.Suspect, nil, 0); err != nil || !q.quiet() || q.busy() {
		t.Errorf("%v, quiet %v, busy %v", err, q.quiet(), q.busy())
	}
}
