package session

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/session/pipe"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// liar is a host that says whatever the test wants.
type liar struct {
	items datagram.Items
	pipe  *pipe.Pipe
	say   func(l *liar) // once for each spectator who comes
	came  int
	last  uint64 // nonce of the spectator
}

const liarNonce = 77

var liarAddr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 200}), 7000)

// receive returns what the liar answers.
func (l *liar) receive(now time.Duration, b []byte) (answers [][]byte) {
	switch b[0] {
	case datagram.KindWatch:
		h, _ := datagram.ConsumeHello(b)
		w := datagram.Welcome{Version: datagram.Version, Nonce: liarNonce, Attempt: h.Attempt, Items: l.items}
		return [][]byte{datagram.Key(h.Nonce).Seal(w.Append(nil), 0, 0)}
	case datagram.KindAttach:
		h, err := datagram.ConsumeAttach(b)
		if err == nil && (l.pipe == nil || l.last != h.Nonce) {
			p, err := pipe.New(netip.AddrPort{}, liarNonce, h.Nonce, time.Second/60, now)
			if err != nil {
				return nil
			}
			l.pipe, l.last = p, h.Nonce
			l.came++
			l.say(l)
		}
	default:
		if l.pipe != nil {
			_, _ = l.pipe.Receive(now, b)
		}
	}
	return l.flush(now)
}

func (l *liar) flush(now time.Duration) (sent [][]byte) {
	for range 64 {
		if l.pipe == nil || l.pipe.Due(now) > now {
			return sent
		}
		sent = append(sent, l.pipe.Append(nil, now))
	}
	return sent
}

// tell sends a message of a kind.
func (l *liar) tell(kind byte, parts ...any) {
	b := []byte{kind}
	for _, p := range parts {
		b, _ = binary.Append(b, binary.LittleEndian, p)
	}
	_ = l.pipe.Channel.Send(b)
}

// begin says that a match begins.
func (l *liar) begin(match uint32) {
	o := datagram.Offer{Match: match}
	l.tell(1, o.Append(nil))
}

// den is a spectator, a liar, and an honest host who plays alone.
type den struct {
	testing.TB
	liar      *liar
	honest    *Session[sum, uint16]
	spectator *Spectator[sum, uint16]
	now       time.Duration
	events    []Event
}

func newDen(tb testing.TB, honest bool, say func(l *liar)) *den {
	tb.Helper()
	n := uint64(5)
	random := func() uint64 { n = n*6364136223846793005 + 1442695040888963407; return n }
	samples := uint16(0)
	host, err := New(sumGame(), Config{
		GameID: "sum", Players: 1, MaxOrders: 300, Random: random, Spectators: spectate.Config{Max: 4},
	}, Hooks[sum, uint16]{Sample: func(Player) uint16 { samples++; return samples }})
	if err != nil {
		tb.Fatal(err)
	}
	c := SpectatorConfig{GameID: "sum", MaxOrders: 300, Random: random, Hosts: []netip.AddrPort{liarAddr}}
	if honest {
		c.Hosts = append(c.Hosts, addrOf(0))
	}
	s, err := NewSpectator(sumGame(), c, SpectatorHooks[sum, uint16]{})
	if err != nil {
		tb.Fatal(err)
	}
	return &den{TB: tb, liar: &liar{items: host.items(), say: say}, honest: host, spectator: s}
}

var spectatorAddr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 99}), 7000)

func (d *den) run(span time.Duration) {
	for end := d.now + span; d.now < end; d.now += 4 * time.Millisecond {
		d.honest.Update(d.now)
		d.honest.Events()
		for to, b := range d.honest.Outgoing() {
			if to == spectatorAddr {
				d.spectator.Receive(d.now, addrOf(0), b)
			}
		}
		for _, b := range d.liar.flush(d.now) {
			d.spectator.Receive(d.now, liarAddr, b)
		}
		d.spectator.Update(d.now)
		d.events = append(d.events, d.spectator.Events()...)
		d.carry()
	}
}

func (d *den) carry() {
	var answers [][]byte
	for to, b := range d.spectator.Outgoing() {
		if to == liarAddr {
			answers = append(answers, d.liar.receive(d.now, b)...)
		} else if to == addrOf(0) {
			d.honest.Receive(d.now, spectatorAddr, b)
		}
	}
	for _, b := range answers {
		d.spectator.Receive(d.now, liarAddr, b)
	}
}

// frames tells of so many frames without inputs.
func (l *liar) frames(count int) {
	l.tell(5, uint32(count), uint16(count), make([]byte, count))
}

// Whatever a host says, the spectator ends up at the one that tells the truth, at its
// state.
func TestALyingHostIsLeft(t *testing.T) {
	for name, say := range map[string]func(l *liar){
		"nothing":                nil,
		"that it is full":        func(l *liar) { l.tell(7, []byte("full")) },
		"an unknown message":     func(l *liar) { l.tell(99) },
		"frames without a match": func(l *liar) { l.frames(5) },
		"a later match":          func(l *liar) { l.begin(1<<32 - 1); l.tell(4, uint32(0)); l.frames(100); l.tell(99) },
		"a later match, and then nothing": func(l *liar) {
			l.begin(1<<32 - 1)
			l.tell(4, uint32(0))
			l.frames(100)
		},
		"other frames": func(l *liar) {
			l.begin(1)
			l.tell(4, uint32(0))
			l.frames(3000)
			l.tell(99)
		},
		"frames that are none": func(l *liar) {
			l.begin(1)
			l.tell(4, uint32(0))
			l.tell(5, uint32(100), uint16(100), make([]byte, 20), []byte{0xFF}, make([]byte, 79))
		},
		"frames that are none, and that it goes": func(l *liar) {
			l.begin(1)
			l.tell(4, uint32(0))
			l.tell(5, uint32(100), uint16(100), make([]byte, 20), []byte{0xFF}, make([]byte, 79))
			l.tell(7, []byte("good bye"))
		},
		"too many bytes": func(l *liar) {
			l.begin(1)
			l.tell(4, uint32(0))
			l.tell(5, uint32(50), uint16(50), make([]byte, 70))
		},
		"that somebody goes and comes": func(l *liar) {
			l.begin(1)
			l.tell(4, uint32(0))
			var b []byte
			for f := range 60 {
				b = append(b, 2, byte(1-f%2))
			}
			l.tell(5, uint32(60), uint16(60), b)
		},
		"a state that is none": func(l *liar) {
			l.begin(1)
			b := []byte("no state")
			l.tell(2, uint32(4_000_000_000), uint32(len(b)), canon.HashBytes(b), uint32(0))
			l.tell(3, b)
			l.tell(4, uint32(4_000_000_000-4_000_000_000%agreed.BlockFrames))
			l.frames(10)
		},
		"a state of the far future": func(l *liar) {
			l.begin(1)
			b := make([]byte, 16)
			l.tell(2, uint32(4_000_000_000), uint32(len(b)), canon.HashBytes(b), uint32(0))
			l.tell(3, b)
			l.tell(4, uint32(4_000_000_000-4_000_000_000%agreed.BlockFrames))
			l.frames(100)
			l.tell(99)
		},
		"a state of 4 GB": func(l *liar) { l.begin(1); l.tell(2, uint32(9), uint32(1<<32-1), uint64(1), uint32(0)) },
		"an end too soon": func(l *liar) { l.begin(1); l.tell(6, uint32(77), make([]byte, 26)) },
		"match after match": func(l *liar) {
			for i := range uint32(200) {
				l.begin(i + 1)
			}
			l.tell(99)
		},
		"an unfinished match": func(l *liar) { l.begin(1); l.tell(4, uint32(0)) },
		"an unfinished state": func(l *liar) {
			l.begin(1)
			l.tell(2, uint32(9), uint32(1000), uint64(1), uint32(0))
			l.tell(3, make([]byte, 999))
		},
		"where frames are not": func(l *liar) { l.begin(1); l.tell(4, uint32(640)) },
	} {
		t.Run(name, func(t *testing.T) {
			if say == nil {
				say = func(*liar) {}
			}
			d := newDen(t, true, say)
			d.run(100 * time.Second)
			s := d.spectator
			if d.liar.came == 0 {
				t.Fatal("nobody asked the liar")
			}
			behind := int64(d.honest.Frame()) - int64(s.Frame())
			if s.Phase() != Playing || s.viewer.Host() != addrOf(0) || s.Health() != Healthy || behind < 0 || behind > 60 {
				for _, e := range d.events[:min(len(d.events), 40)] {
					t.Log(e)
				}
				t.Errorf("it is %v at %v, %v, frame %d of %d; %v", s.Phase(), s.viewer.Host(), s.Health(), s.Frame(), d.honest.Frame(), s.Err())
			}
		})
	}
}

// A liar with other players than the match has.
func TestAHostWithOtherPlayersIsLeft(t *testing.T) {
	d := newDen(t, true, func(l *liar) { l.begin(1); l.tell(4, uint32(0)); l.frames(100); l.tell(7) })
	d.liar.items.Players = 5
	d.run(20 * time.Second)
	if s := d.spectator; s.Engine().Players() != 1 || s.Health() != Healthy || s.Phase() != Playing {
		t.Errorf("it is %v, %v, with %d players: %v", s.Phase(), s.Health(), s.Engine().Players(), s.Err())
	}
}
