package capture_test

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/desync"
)

type gameState struct {
	Sum  uint64
	Peer uint8 `canon:"-"` // which peer this is, for a game that goes wrong at one of them
	Rest [20]uint64
}

func (s *gameState) add(b []byte) { s.Sum = s.Sum*31 + xxh3.Hash(b) }

func stepOf[I comparable](encode func([]byte, I) []byte) func(*gameState, *rollback.Tick[I]) {
	return func(s *gameState, t *rollback.Tick[I]) {
		for p := range t.Players() {
			s.add(encode(nil, t.Input(p)))
			s.add(t.Orders(p))
		}
	}
}

func appendNumber(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }

// wideInput is an input of 12 bytes.
type wideInput [12]byte

func appendWide(b []byte, v wideInput) []byte { return append(b, v[:]...) }

// randomOf returns a number that depends only on a player and a count.
func randomOf(p rollback.Player, n int) uint64 {
	return xxh3.HashSeed([]byte{byte(n), byte(n >> 8)}, uint64(p))
}

var lossy = netem.Link{Delay: 30 * time.Millisecond, Jitter: 10 * time.Millisecond, Distribution: netem.Uniform, Reorder: true, Loss: 8 * netem.Percent}

// recordTwo records two peers in a lobby: a proposal that is refused, messages short and long, orders in the datagrams
// and on the control stream, and two matches.
func recordTwo(t *testing.T) *recording {
	s := fleet.Setup[gameState, uint32]{
		Game: rollback.Game[gameState, uint32]{Step: stepOf(appendNumber)}, Players: 2, Seats: []rollback.PlayerSet{1, 2}, Seed: 3, Link: lossy,
		Input: func(p rollback.Player, n int) uint32 {
			return uint32(randomOf(p, n/7)) >> (8 * (n / 7 % 4)) * uint32(n/40%2)
		},
		Orders: func(p rollback.Player, n int) []byte {
			if n%5 != 0 {
				return nil
			}
			return bytes.Repeat([]byte{byte(n)}, int(randomOf(p, n)%300))
		},
		Configure: func(_ int, c *session.Config) {
			c.Lobby, c.Build, c.Platform, c.MaxOrders = true, "7", "any", 300
		},
	}
	return record(t, s, 4, appendNumber, func(f *fleet.Fleet[gameState, uint32]) {
		host, guest := f.Peers[0], f.Peers[1]
		check := func(err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		until := func(p *fleet.Peer[gameState, uint32], phase session.Phase) {
			if !f.RunUntil(f.Now+20*time.Second, func() bool { return p.Phase() == phase }) {
				t.Fatalf("peer %d is %v, not %v: %v", p.Index, p.Phase(), phase, p.Err())
			}
		}
		until(host, session.Lobby)
		until(guest, session.Lobby)
		check(host.Send(2, bytes.Repeat([]byte("long"), 2000)))
		bad := lossy
		bad.Loss = 40 * netem.Percent
		check(f.Net.SetLink(1, 0, bad)) // so that fragments with gaps between them are sent again
		for range 5 {
			for i := range 40 {
				check(guest.Send(1, bytes.Repeat([]byte{byte(i)}, 300)))
			}
			f.Run(time.Second)
		}
		check(f.Net.SetLink(1, 0, lossy))
		check(host.Propose(session.Parameters{Frames: 1}))
		until(guest, session.Starting)
		check(guest.Refuse("too short"))
		until(host, session.Lobby)
		for range 2 {
			check(host.Propose(session.Parameters{Frames: 200, Seed: 5, Content: 6, Data: []byte("stage")}))
			until(guest, session.Starting)
			check(guest.Accept())
			f.Run(100 * time.Millisecond)
			check(guest.Ready())
			until(host, session.Playing)
			until(host, session.Lobby)
			until(guest, session.Lobby)
			f.Run(time.Second)
		}
		f.Net.Cut(1, 0, true) // the host gives up the guest, who is notified
		f.Run(7 * time.Second)
	})
}

// recordThree records three peers with four players, two of them on one machine, with wide inputs. One leaves, and the
// match ends.
func recordThree(t *testing.T) *recording {
	s := fleet.Setup[gameState, wideInput]{
		Game: rollback.Game[gameState, wideInput]{Step: stepOf(appendWide)}, Players: 4, Seats: []rollback.PlayerSet{2, 5, 8}, Seed: 4, Link: lossy,
		Input: func(p rollback.Player, n int) (w wideInput) {
			w[n/9%12] = byte(randomOf(p, n/3))
			return w
		},
		Orders: func(p rollback.Player, n int) []byte { return []byte("go")[:n/8%3] },
		Configure: func(_ int, c *session.Config) {
			c.MaxOrders, c.Match = 8, session.Parameters{Seed: 1, Content: 2, Data: []byte("all")}
			c.Rate = session.Rate{Frames: 39375000, Seconds: 655171}
		},
	}
	return record(t, s, 12, appendWide, func(f *fleet.Fleet[gameState, wideInput]) {
		f.Run(4 * time.Second)
		f.Peers[2].Leave("tired")
		f.Run(4 * time.Second)
	})
}

// recordSixteen records sixteen players on five machines. One machine leaves, another one falls silent, and the match
// continues.
func recordSixteen(t *testing.T) *recording {
	s := fleet.Setup[gameState, uint32]{
		Game: rollback.Game[gameState, uint32]{Step: stepOf(appendNumber)}, Players: 16,
		Seats: []rollback.PlayerSet{0x1111, 0x0222, 0x4444, 0x8888, 0x2000}, Seed: 8, Link: lossy,
		Input:     func(p rollback.Player, n int) uint32 { return uint32(randomOf(p, n/9)) },
		Configure: func(_ int, c *session.Config) { c.OnLeave = session.Continue },
	}
	trace := record(t, s, 4, appendNumber, func(f *fleet.Fleet[gameState, uint32]) {
		f.Run(2 * time.Second)
		f.Peers[3].Leave("tired")
		f.Run(2 * time.Second)
		f.Net.Cut(4, 0, true)
		for i := range 4 {
			f.Net.Cut(4, i, true)
			f.Net.Cut(i, 4, true)
		}
		f.Run(8 * time.Second)
		if gone := f.Peers[0].Stats(nil); f.Peers[0].Phase() != session.Playing || gone.Frame < 400 {
			t.Errorf("%v at frame %d", f.Peers[0].Phase(), gone.Frame)
		}
	})
	trace.parted = true
	return trace
}

// recordMoved records two peers, one of which changes its address, while the other leaves; the match continues.
func recordMoved(t *testing.T) *recording {
	s := fleet.Setup[gameState, uint32]{
		Game: rollback.Game[gameState, uint32]{Step: stepOf(appendNumber)}, Players: 3, Seats: []rollback.PlayerSet{1, 2, 4}, Seed: 5, Link: lossy,
		Input:     func(p rollback.Player, n int) uint32 { return uint32(n / 3 * int(p+1)) },
		Configure: func(_ int, c *session.Config) { c.OnLeave = session.Continue },
	}
	trace := record(t, s, 4, appendNumber, func(f *fleet.Fleet[gameState, uint32]) {
		f.Run(3 * time.Second)
		f.Move(1, fleet.Addr(77))
		f.Run(2 * time.Second)
		f.Peers[0].Leave("")
		f.Run(3 * time.Second)
	})
	trace.parted = true
	return trace
}

// recordDesync records three peers, one of which goes wrong, and one of which has kept no evidence.
func recordDesync(t *testing.T) *recording {
	step := stepOf(appendNumber)
	s := fleet.Setup[gameState, uint32]{
		Game: rollback.Game[gameState, uint32]{Step: func(s *gameState, t *rollback.Tick[uint32]) {
			if step(s, t); s.Peer == 1 && t.Frame() == 70 {
				s.Sum++
			}
		}},
		Players: 3, Seats: []rollback.PlayerSet{1, 2, 4}, Seed: 6, Link: lossy,
		Input: func(p rollback.Player, n int) uint32 { return uint32(n / 3 * int(p+1)) },
		Configure: func(peer int, c *session.Config) {
			c.Machine, c.Match.Frames = "a machine", 200
			if peer == 2 {
				c.Evidence = 1
			}
		},
	}
	trace := record(t, s, 4, appendNumber, func(f *fleet.Fleet[gameState, uint32]) {
		f.Run(6 * time.Second)
		for i, p := range f.Peers {
			if r, err := desync.Decode(p.Report()); err != nil || r.State != 71 || len(r.Fields) != 1 {
				t.Errorf("peer %d: %v, %+v", i, err, r)
			}
		}
	})
	trace.desynced = true
	return trace
}
