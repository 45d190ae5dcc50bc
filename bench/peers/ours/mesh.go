package main

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/tickback/tickback/bench/peers/air"
	"github.com/tickback/tickback/bench/peers/game"
	"github.com/tickback/tickback/bench/peers/held"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// tableFrames is how many frames of inputs a table has: 18 minutes.
const tableFrames = 1 << 16

// mesh is a match in virtual time, all peers of which are here.
type mesh[S any] struct {
	net    *air.Air
	now    time.Duration
	peers  []*peer[S]
	stalls int // ticks of a peer without a new frame
	frames int // that were run
}

// peer is one of its machines.
type peer[S any] struct {
	*session.Session[S, game.Input]
	sampled int
	seen    session.Frame
	hashes  map[session.Frame]uint64 // of agreed states, if somebody wants them
}

// addr is where a peer is.
func addr(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}), 7000)
}

// newMesh returns a match that connects. With hashes, peers keep the hashes of agreed states.
func newMesh[S any](g rollback.Game[S, game.Input], players int, w air.Weather, in *held.Table, hashes bool) (*mesh[S], error) {
	m := &mesh[S]{net: air.New(w, players)}
	for i := range players {
		p := new(peer[S])
		cfg := session.Config{Players: players, Random: rand.New(rand.NewPCG(w.Seed, uint64(i))).Uint64}
		for j := range players {
			if i != j {
				cfg.Peers = append(cfg.Peers, session.Peer{Players: rollback.SetOf(rollback.Player(j)), Addr: addr(j)})
			}
		}
		hooks := session.Hooks[S, game.Input]{Sample: func(player rollback.Player) game.Input {
			p.sampled++
			return game.Input(in.At(int(player), p.sampled-1))
		}}
		if hashes {
			p.hashes = map[session.Frame]uint64{}
			hooks.Agreed = func(a *rollback.Agreed[game.Input]) {
				if a.Hashed {
					p.hashes[a.Frame+1] = a.Hash
				}
			}
		}
		s, err := session.New(g, cfg, hooks)
		if err != nil {
			return nil, fmt.Errorf("peer %d: %w", i, err)
		}
		p.Session = s
		m.peers = append(m.peers, p)
	}
	return m, nil
}

// tick lets each peer read, run a frame if one is due, and send.
func (m *mesh[S]) tick() {
	m.now = time.Duration(m.net.Tick()) * time.Second / air.Rate
	for i, p := range m.peers {
		m.net.Receive(i, func(from int, b []byte) { p.Receive(m.now, addr(from), b) })
		p.Update(m.now)
		for to, b := range p.Outgoing() {
			a := to.Addr().As4()
			m.net.Send(i, int(a[3]), b)
		}
		switch f := p.Frame(); f {
		case p.seen:
			m.stalls++
		default:
			m.frames += int(f - p.seen)
			p.seen = f
		}
	}
}

// playing reports whether all peers play.
func (m *mesh[S]) playing() bool {
	for _, p := range m.peers {
		if p.Phase() != session.Playing {
			return false
		}
	}
	return true
}

// connect runs until all peers play.
func (m *mesh[S]) connect(seconds int) error {
	for range seconds * air.Rate {
		m.tick()
		if m.playing() {
			m.stalls, m.frames = 0, 0
			return nil
		}
	}
	return fmt.Errorf("the match has not begun after %d seconds: %v", seconds, m.failure())
}

// failure says why a match is not running.
func (m *mesh[S]) failure() error {
	for i, p := range m.peers {
		if p.Phase() != session.Playing {
			return fmt.Errorf("peer %d is %v: %w", i, p.Phase(), p.Err())
		}
	}
	return nil
}
