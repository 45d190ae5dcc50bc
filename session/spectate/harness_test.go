package spectate

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

var (
	hostAddr  = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 1}), 7000)
	hallToken = []byte("sixteen bytes or")
	hallShape = agreed.Shape{Players: 4, InputSize: 2}
)

const hallPeriod = time.Second / 60

// admitted is a query to a hall's source.
type admitted struct {
	players uint16
	id      uint64
	from    netip.AddrPort
}

// hall is a host with a match that goes on by itself, and its spectators and
// newcomers, in virtual time. It is the source of its spectators. It may have other
// hosts beside it.
type hall struct {
	testing.TB
	addr     netip.AddrPort
	others   []*hall
	down     bool // it is cut off
	joined   bool // newcomers have joined
	mayJoin  bool // a decision that has begun may still admit them
	now      time.Duration
	out      peer.Outbox
	audience *Host
	token    []byte
	frame    uint32
	playing  bool
	visitors []*visitor
	news     []News

	asked   []admitted
	admit   func(players uint16, id uint64) string // nil: all
	state   int                                    // bytes, of noise
	plain   bool                                   // three of four bits are zero
	fails   error                                  // to encode it
	ahead   uint32                                 // frames, of what is agreed
	encoded int                                    // how often it was
	hashes  bool                                   // any state has a hash
	// tap, if given, may take away datagrams.
	tap func(from, to netip.AddrPort, b []byte) bool
}

func (h *hall) Items() datagram.Items { return datagram.Items{Game: "hall", Players: 4, InputSize: 2} }

func (h *hall) Marshals() bool { return h.state > 0 }

func (h *hall) Marshal(b []byte) ([]byte, uint32, error) {
	h.encoded++
	f := h.frame + h.ahead
	return append(b, h.encoding(f, h.state)...), f, h.fails
}

// encoding is a state: noise, or a constant if it is plain.
func (h *hall) encoding(f uint32, size int) (b []byte) {
	r := rand.New(rand.NewPCG(uint64(f), 7))
	for len(b) < size {
		v := r.Uint64()
		if h.plain {
			v &= 0x0F0F_0F0F
		}
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b[:size]
}

func (h *hall) Hash(after uint32) (hash uint64, frame uint32, ok bool) {
	f := h.frame + h.ahead
	return hallHash(f), f, h.hashes && f > after
}

func hallHash(state uint32) uint64 { return 1000 + uint64(state) }

func (h *hall) Admit(players uint16, id uint64, from netip.AddrPort) string {
	h.asked = append(h.asked, admitted{players, id, from})
	if h.admit == nil {
		return ""
	}
	return h.admit(players, id)
}

func (h *hall) Joined(uint16, uint64) bool { return h.joined }

func (h *hall) MayJoin(uint16, uint64) bool { return h.mayJoin }

// newHall makes a host, which admits newcomers with the token if one is given.
func newHall(tb testing.TB, cfg Config, token ...[]byte) *hall {
	tb.Helper()
	if err := cfg.Complete(); err != nil {
		tb.Fatal(err)
	}
	h := &hall{TB: tb, addr: hostAddr, playing: true, state: 100, token: slices.Concat(token...)}
	h.out.Most = MaxOutgoing
	h.audience = NewHost(cfg, h.token, h, hallShape, hallPeriod, admission.NewGate(counting(99)), &h.out)
	if err := h.audience.Begin(&datagram.Offer{Match: 1}); err != nil {
		tb.Fatal(err)
	}
	return h
}

// open makes another host of the same match, with the same token.
func (h *hall) open(cfg Config) *hall {
	h.Helper()
	o := newHall(h.TB, cfg, h.token)
	h.others = append(h.others, o)
	o.addr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 1 + byte(len(h.others))}), 7000)
	o.now, o.state = h.now, h.state
	o.play()
	return o
}

// counting is a source of numbers that are all different.
func counting(n uint64) func() uint64 { return func() uint64 { n++; return n } }

// run lets time pass.
func (h *hall) run(span time.Duration) {
	h.Helper()
	for end := h.now + span; h.now < end; h.now += 4 * time.Millisecond {
		for _, o := range h.hosts() {
			o.now = h.now
			o.play()
			o.update()
			h.carry(o)
		}
		for _, v := range h.visitors {
			v.watch(h)
		}
	}
}

// hosts are it and those beside it.
func (h *hall) hosts() []*hall { return append([]*hall{h}, h.others...) }

// update does what is due at a host.
func (h *hall) update() {
	h.audience.Update(h.now)
	h.news = append(h.news, h.audience.News()...)
	h.audit()
}

// play goes on with the match.
func (h *hall) play() {
	for h.playing && time.Duration(h.frame)*hallPeriod < h.now {
		if err := h.audience.Frame(hallFrame(h.frame)); err != nil {
			h.Fatal(err)
		}
		h.frame++
	}
}

// hallFrame is a frame of the match.
func hallFrame(n uint32) *agreed.Frame {
	f := agreed.Frame{Number: n, Inputs: binary.LittleEndian.AppendUint64(nil, uint64(n)*0x9E3779B97F4A7C15)}
	f.Marked, f.Mark.Chain = n%60 == 59, uint64(n)
	return &f
}

// carry brings what a host has sent.
func (h *hall) carry(from *hall) {
	for to, b := range from.out.All() {
		if len(b) > datagram.MaxSize {
			h.Errorf("a datagram of %d bytes", len(b))
		}
		for _, v := range h.visitors {
			if v.addr == to && !v.away && !from.down && (h.tap == nil || h.tap(from.addr, to, b)) {
				v.Receive(h.now, from.addr, bytes.Clone(b))
			}
		}
	}
}

// audit checks what must be true of a host at any time.
func (h *hall) audit() {
	a := h.audience
	if len(a.states.list) > maxStates {
		h.Errorf("%d states are held", len(a.states.list))
	}
	if a.broadcast.log.Size() > a.cfg.LogBytes {
		h.Errorf("%d bytes of frames are held", a.broadcast.log.Size())
	}
	if a.outlet.out.Len() > MaxOutgoing {
		h.Errorf("%d datagrams wait", a.outlet.out.Len())
	}
	for _, g := range a.crowd.list {
		if g.pipe.Channel.Pending() > backlog+maxFrames+64 {
			h.Errorf("%d bytes wait for %v", g.pipe.Channel.Pending(), g.pipe.Addr)
		}
		if late := h.now - g.pipe.Heard; late > a.cfg.Timeout {
			h.Errorf("%v is still there, and silent for %v", g.pipe.Addr, late)
		}
		if g.feed.placed && !g.feed.newcomer && !a.broadcast.ended && a.cfg.Delay > 0 && g.feed.next+uint32(a.cfg.Delay) > h.frame && g.feed.next > 0 && g.feed.request.match == 0 {
			h.Errorf("%v has frame %d, and %d is the newest", g.pipe.Addr, g.feed.next, h.frame)
		}
	}
}

// seats returns the newcomers who are in.
func (h *hall) seats() (list []Newcomer) {
	for s := range h.audience.Newcomers() {
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
