package spectate

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/pipe"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

var (
	hostAddr  = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 1}), 7000)
	hallToken = []byte("sixteen bytes or")
	hallShape = agreed.Shape{Players: 4, InputSize: 2}
)

const hallPeriod = time.Second / 60

// admitted is a question that a hall's source was asked.
type admitted struct {
	players byte
	id      uint64
	from    netip.AddrPort
}

// hall is a host with a match that goes on by itself, and those who watch it, in
// virtual time. It is the source of its audience.
type hall struct {
	testing.TB
	now      time.Duration
	out      pipe.Outbox
	audience *Audience
	frame    uint32
	playing  bool
	visitors []*visitor
	news     []News
	heard    map[uint64][]string // messages of newcomers

	asked []admitted
	admit func(players byte, id uint64) string // nil: all
	state int                                  // bytes
	// tap, if given, may take away datagrams.
	tap func(from, to netip.AddrPort, b []byte) bool
}

func (h *hall) Items() datagram.Items { return datagram.Items{Game: "hall", Players: 4, InputSize: 2} }
func (h *hall) Marshals() bool        { return h.state > 0 }

func (h *hall) Marshal(b []byte) ([]byte, uint32, error) {
	return append(b, bytes.Repeat([]byte{byte(h.frame)}, h.state)...), h.frame, nil
}

func (h *hall) Admit(players byte, id uint64, from netip.AddrPort) string {
	h.asked = append(h.asked, admitted{players, id, from})
	if h.admit == nil {
		return ""
	}
	return h.admit(players, id)
}

func (h *hall) Joined(byte, uint64) bool { return false }

// newHall makes a host.
func newHall(tb testing.TB, cfg Config) *hall {
	tb.Helper()
	if err := cfg.Complete(); err != nil {
		tb.Fatal(err)
	}
	h := &hall{TB: tb, playing: true, state: 100, heard: map[uint64][]string{}}
	h.out.Most = MaxOutgoing
	h.audience = NewAudience(cfg, h, hallShape, hallPeriod, counting(99), &h.out)
	if err := h.audience.Begin(&datagram.Offer{Match: 1}); err != nil {
		tb.Fatal(err)
	}
	return h
}

// counting is a source of numbers that are all different.
func counting(n uint64) func() uint64 { return func() uint64 { n++; return n } }

// visitor is a spectator, or a newcomer.
type visitor struct {
	*Viewer
	addr   netip.AddrPort
	states []uint32 // frames of those that have come
	frames int
	told   []string // by the host, with how many frames it had then
	deaf   bool     // it takes no messages
	away   bool     // it is cut off
	lost   []error
}

// enter brings a visitor in, who may ask for a seat.
func (h *hall) enter(n byte, seat *Seat) *visitor {
	random := uint64(n) << 32
	v := &visitor{addr: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 1, n}), 9000)}
	v.Viewer = NewViewer(ViewerConfig{
		Hosts: []netip.AddrPort{hostAddr}, Period: hallPeriod, Timeout: 3 * time.Second, Drop: 2 * time.Second, Seat: seat,
		Random:  func() uint64 { random++; return random },
		Compare: func(netip.AddrPort, byte, *datagram.Items) error { return nil },
	})
	h.visitors = append(h.visitors, v)
	return v
}

// seat is one for these players, with the right token.
func seat(players byte, id uint64) *Seat { return &Seat{Players: players, ID: id, Token: hallToken} }

// run lets time pass.
func (h *hall) run(span time.Duration) {
	h.Helper()
	for end := h.now + span; h.now < end; h.now += 4 * time.Millisecond {
		for h.playing && time.Duration(h.frame)*hallPeriod < h.now {
			f := agreed.Frame{Number: h.frame, Inputs: binary.LittleEndian.AppendUint64(nil, uint64(h.frame)*0x9E3779B97F4A7C15)}
			f.Marked, f.Mark.Chain = h.frame%60 == 59, uint64(h.frame)
			if err := h.audience.Frame(&f); err != nil {
				h.Fatal(err)
			}
			h.frame++
		}
		h.audience.Update(h.now)
		h.news = append(h.news, h.audience.News()...)
		for id, b := range h.audience.SeatMessages() {
			h.heard[id] = append(h.heard[id], string(b))
		}
		h.carry()
		for _, v := range h.visitors {
			v.watch(h)
		}
	}
}

// carry brings what the host has sent.
func (h *hall) carry() {
	for to, b := range h.out.All() {
		for _, v := range h.visitors {
			if v.addr == to && !v.away && (h.tap == nil || h.tap(hostAddr, to, b)) {
				v.Receive(h.now, hostAddr, bytes.Clone(b))
			}
		}
	}
}

// watch lets a visitor do what is due.
func (v *visitor) watch(h *hall) {
	v.Update(h.now)
	for _, n := range v.News() {
		if !n.Found {
			v.lost = append(v.lost, n.Why)
		}
	}
	for i := v.Front(); i != nil; i = v.Front() {
		if i.State != nil {
			v.states = append(v.states, i.Frame)
		}
		v.frames += i.Count
		v.Pop()
	}
	for !v.deaf {
		b, ok := v.Viewer.Seat()
		if !ok {
			break
		}
		v.told = append(v.told, string(b))
	}
	for to, b := range v.Outgoing() {
		if to == hostAddr && !v.away && (h.tap == nil || h.tap(v.addr, to, b)) {
			h.audience.Receive(h.now, v.addr, bytes.Clone(b))
		}
	}
}

// reason is what a visitor was told at last, or "".
func (v *visitor) reason() string {
	for _, why := range v.search.reasons {
		if e, ok := why.(*ByeError); ok {
			return e.Reason
		}
	}
	return ""
}

// seats are those who are in.
func (h *hall) seats() (list []Seated) {
	for s := range h.audience.Seats() {
		list = append(list, s)
	}
	return list
}

// want compares two values.
func want[T comparable](tb testing.TB, what string, got, wanted T) {
	tb.Helper()
	if got != wanted {
		tb.Errorf("%s: %v, not %v", what, got, wanted)
	}
}
