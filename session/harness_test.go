package session

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// sum is the smallest game: it adds up all inputs.
type sum struct{ Frame, Total uint64 }

func sumGame() rollback.Game[sum, uint16] {
	return rollback.Game[sum, uint16]{Step: func(s *sum, t *rollback.Tick[uint16]) {
		s.Frame++
		for p := range t.Players() {
			s.Total = s.Total*31 + uint64(t.Input(p)) + uint64(len(t.Orders(p)))
		}
	}}
}

// addrOf is the address of a peer of a trio.
func addrOf(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(i + 1)}), 7000)
}

// trio is two or three machines connected by a wire without delay.
type trio struct {
	testing.TB
	peers []*Session[sum, uint16]
	now   time.Duration
	deaf  bool          // nothing is carried
	step  time.Duration // of the time; 0 is 4 ms
	seen  [][]Event
	hold  []invariants
	// abused says that a test has changed the machines from outside, so that no
	// promises hold.
	abused bool
	// forge, if given, changes what a peer has sent; nil drops it.
	forge func(from, to int, b []byte) []byte
}

func newTrio(tb testing.TB, players int, change func(c *Config)) *trio {
	tb.Helper()
	tr := &trio{TB: tb, seen: make([][]Event, players), hold: make([]invariants, players)}
	for i := range players {
		n := uint64(i + 1)
		c := Config{GameID: "sum", Players: players, Local: rollback.SetOf(Player(i)), MaxOrders: 300, Random: func() uint64 {
			n = n*6364136223846793005 + 1442695040888963407
			return n
		}}
		for j := range players {
			if j != i {
				c.Peers = append(c.Peers, Peer{rollback.SetOf(Player(j)), addrOf(j)})
			}
		}
		if change != nil {
			change(&c)
		}
		samples := uint16(0)
		s, err := New(sumGame(), c, Hooks[sum, uint16]{
			Sample: func(Player) uint16 { samples++; return samples },
			Orders: func(Player) []byte { return make([]byte, int(samples%50)/45*200) },
		})
		if err != nil {
			tb.Fatal(err)
		}
		tr.peers = append(tr.peers, s)
	}
	return tr
}

// run lets time pass, in steps of 4 ms unless step says otherwise.
func (tr *trio) run(d time.Duration) {
	step := tr.step
	setDefault(&step, 4*time.Millisecond)
	for end := tr.now + d; tr.now < end; tr.now += step {
		for _, p := range tr.peers {
			p.Update(tr.now)
			p.settled(tr)
		}
		tr.carry()
		for i, p := range tr.peers {
			news := p.Events()
			tr.seen[i] = append(tr.seen[i], news...)
			if !tr.abused {
				tr.hold[i].see(tr, p.Machine, news)
			}
			p.Effects()
		}
	}
}

// carry delivers everything that the machines send to each other.
func (tr *trio) carry() {
	for i, p := range tr.peers {
		for to, b := range p.Outgoing() {
			if len(b) > 1200 {
				tr.Fatalf("a datagram of %d bytes", len(b))
			}
			if j := int(to.Addr().As4()[3]) - 1; j >= 0 && j < len(tr.peers) && to == addrOf(j) && !tr.deaf {
				b = append([]byte(nil), b...)
				if tr.forge != nil {
					b = tr.forge(i, j, b)
				}
				if b != nil {
					tr.peers[j].Receive(tr.now, addrOf(i), b)
					tr.peers[j].settled(tr)
				}
			}
		}
	}
}

// lie makes a peer send a message that it would not send by itself.
func (tr *trio) lie(from, to int, b []byte) {
	tr.Helper()
	if err := tr.way(from, to).Channel.Send(b); err != nil {
		tr.Fatal(err)
	}
	tr.peers[from].sendTo(tr.way(from, to))
	tr.carry()
}

// way returns a peer's link to another one.
func (tr *trio) way(from, to int) *link { return tr.peers[from].at[to] }

// count returns how many events of a kind a peer has had.
func (tr *trio) count(peer int, w What) (n int) {
	for _, e := range tr.seen[peer] {
		if e.What == w {
			n++
		}
	}
	return n
}

// reach brings all to a phase.
func (tr *trio) reach(phase Phase) {
	tr.Helper()
	switch phase {
	case Lobby:
		tr.run(200 * time.Millisecond)
	case Starting:
		tr.run(200 * time.Millisecond)
		if err := tr.peers[0].Propose(Parameters{Frames: 100}); err != nil {
			tr.Fatal(err)
		}
		tr.run(100 * time.Millisecond)
	case Playing:
		tr.reach(Starting)
		for _, p := range tr.peers[1:] {
			if err := p.Accept(); err != nil {
				tr.Fatal(err)
			}
			if err := p.Ready(); err != nil {
				tr.Fatal(err)
			}
		}
		tr.run(500 * time.Millisecond)
	case Ending:
		tr.reach(Playing)
		for range 400 { // one after the other: the first one waits for the others
			if tr.peers[0].Phase() == Ending {
				break
			}
			tr.run(4 * time.Millisecond)
		}
	case Over:
		tr.reach(Playing)
		tr.peers[0].Leave("")
		tr.run(time.Second)
	}
}
