package spectate

import (
	"bytes"
	"encoding/binary"
	"fmt"
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
// virtual time. It is the source of its audience. It may have other hosts beside it.
type hall struct {
	testing.TB
	addr     netip.AddrPort
	others   []*hall
	down     bool // it is cut off
	joined   bool // newcomers have joined
	now      time.Duration
	out      pipe.Outbox
	audience *Audience
	frame    uint32
	playing  bool
	visitors []*visitor
	news     []News
	heard    map[uint64][]string // messages of newcomers

	asked   []admitted
	admit   func(players byte, id uint64) string // nil: all
	state   int                                  // bytes
	fails   error                                // to encode it
	ahead   uint32                               // frames, of what is agreed
	encoded int                                  // how often it was
	// tap, if given, may take away datagrams.
	tap func(from, to netip.AddrPort, b []byte) bool
}

func (h *hall) Items() datagram.Items { return datagram.Items{Game: "hall", Players: 4, InputSize: 2} }
func (h *hall) Marshals() bool        { return h.state > 0 }

func (h *hall) Marshal(b []byte) ([]byte, uint32, error) {
	h.encoded++
	return append(b, bytes.Repeat([]byte{byte(h.frame + h.ahead)}, h.state)...), h.frame + h.ahead, h.fails
}

func (h *hall) Admit(players byte, id uint64, from netip.AddrPort) string {
	h.asked = append(h.asked, admitted{players, id, from})
	if h.admit == nil {
		return ""
	}
	return h.admit(players, id)
}

func (h *hall) Joined(byte, uint64) bool { return h.joined }

// newHall makes a host.
func newHall(tb testing.TB, cfg Config) *hall {
	tb.Helper()
	if err := cfg.Complete(); err != nil {
		tb.Fatal(err)
	}
	h := &hall{TB: tb, addr: hostAddr, playing: true, state: 100, heard: map[uint64][]string{}}
	h.out.Most = MaxOutgoing
	h.audience = NewAudience(cfg, h, hallShape, hallPeriod, counting(99), &h.out)
	if err := h.audience.Begin(&datagram.Offer{Match: 1}); err != nil {
		tb.Fatal(err)
	}
	return h
}

// open makes another host of the same match beside it.
func (h *hall) open(cfg Config) *hall {
	h.Helper()
	o := newHall(h.TB, cfg)
	h.others = append(h.others, o)
	o.addr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 1 + byte(len(h.others))}), 7000)
	o.now, o.state = h.now, h.state
	o.play()
	return o
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
	found  int // hosts

	reads  uint32   // the match whose items come
	items  []string // what has come, but for frames
	at     uint32   // the frame that it needs next
	reader agreed.Reader
	began  bool // the reader knows where it is
	end    *End
}

// enter brings a visitor in, who may ask for a seat.
func (h *hall) enter(n byte, seat *Seat) *visitor {
	c := visitorConfig(n)
	c.Seat = seat
	return h.bring(n, c)
}

// visitorConfig is the configuration of a visitor who knows of one host.
func visitorConfig(n byte) ViewerConfig {
	random := uint64(n) << 32
	return ViewerConfig{
		Hosts: []netip.AddrPort{hostAddr}, Period: hallPeriod, Timeout: 3 * time.Second, Drop: 2 * time.Second,
		Random:  func() uint64 { random++; return random },
		Compare: func(netip.AddrPort, byte, *datagram.Items) error { return nil },
	}
}

// bring brings a visitor in.
func (h *hall) bring(n byte, c ViewerConfig) *visitor {
	v := &visitor{Viewer: NewViewer(c), addr: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 1, n}), 9000)}
	h.visitors = append(h.visitors, v)
	return v
}

// seat is one for these players, with the right token.
func seat(players byte, id uint64) *Seat { return &Seat{Players: players, ID: id, Token: hallToken} }

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
	for id, b := range h.audience.SeatMessages() {
		h.heard[id] = append(h.heard[id], string(b))
	}
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
	if f.Marked = n%60 == 59; f.Marked {
		f.Mark.Chain = uint64(n)
	}
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

// audit checks what is true of a host at any time.
func (h *hall) audit() {
	a := h.audience
	if len(a.states) > maxStates {
		h.Errorf("%d states are held", len(a.states))
	}
	if a.log.Size() > a.cfg.LogBytes {
		h.Errorf("%d bytes of frames are held", a.log.Size())
	}
	if a.out.Len() > MaxOutgoing {
		h.Errorf("%d datagrams wait", a.out.Len())
	}
	for _, g := range a.guests {
		if g.pipe.Channel.Pending() > backlog+maxFrames+64 {
			h.Errorf("%d bytes wait for %v", g.pipe.Channel.Pending(), g.pipe.Addr)
		}
		if late := h.now - g.pipe.Heard; late > a.cfg.Timeout {
			h.Errorf("%v is still there, and silent for %v", g.pipe.Addr, late)
		}
		if g.placed && !g.seated() && !a.ended && a.cfg.Delay > 0 && g.next+uint32(a.cfg.Delay) > h.frame && g.next > 0 && g.request.match == 0 {
			h.Errorf("%v has frame %d, and %d is the newest", g.pipe.Addr, g.next, h.frame)
		}
	}
}

// watch lets a visitor do what is due.
func (v *visitor) watch(h *hall) {
	v.Update(h.now)
	for _, n := range v.News() {
		if !n.Found {
			v.lost = append(v.lost, n.Why)
		} else {
			v.found++
		}
	}
	frames := 0
	for i := v.Front(); i != nil; i = v.Front() {
		frames += i.Count
		v.item(h, i)
		v.Pop()
	}
	if v.Buffered() != 0 || v.Full() {
		h.Errorf("%d frames wait, when all were taken", v.Buffered())
	}
	v.frames += frames
	for !v.deaf {
		b, ok := v.Viewer.Seat()
		if !ok {
			break
		}
		v.told = append(v.told, string(b))
	}
	for to, b := range v.Outgoing() {
		for _, o := range h.hosts() {
			if to == o.addr && !v.away && !o.down && (h.tap == nil || h.tap(v.addr, to, b)) {
				o.audience.Receive(h.now, v.addr, bytes.Clone(b))
			}
		}
	}
}

// item takes what comes next, and compares it with the match: nothing is missing, and
// nothing is other than it was played.
func (v *visitor) item(h *hall, i *Item) {
	switch {
	case i.Begin != nil:
		v.items = append(v.items, fmt.Sprint("match ", i.Begin.Match))
		v.reads, v.at, v.began, v.end = i.Begin.Match, 0, false, nil
	case i.State != nil:
		v.items = append(v.items, fmt.Sprint("state"))
		if v.states = append(v.states, i.Frame); !bytes.Equal(i.State, bytes.Repeat([]byte{byte(i.Frame)}, len(i.State))) {
			h.Errorf("state %d is %d bytes of %d", i.Frame, len(i.State), i.State[0])
		}
		v.at, v.began = i.Frame, false
	case i.From:
		if i.Frame > v.at {
			h.Errorf("frames are missing: %d is needed, and %d is the first", v.at, i.Frame)
		}
		if v.began = true; v.reader.Init(hallShape, i.Frame) != nil {
			h.Errorf("frames cannot begin at %d", i.Frame)
		}
	case i.End != nil:
		v.items = append(v.items, "end")
		if v.end = i.End; i.End.Frames != v.at {
			h.Errorf("the match ends after %d frames, and %d have come", i.End.Frames, v.at)
		}
	default:
		v.read(h, i)
	}
}

// read takes frames.
func (v *visitor) read(h *hall, i *Item) {
	b := i.Frames
	for range i.Count {
		f, rest, err := v.reader.Read(b)
		if err != nil || !v.began {
			h.Fatalf("the frames cannot be read: %v", err)
		}
		w := hallFrame(f.Number)
		if !bytes.Equal(f.Inputs, w.Inputs) || f.Marked != w.Marked || f.Mark != w.Mark || f.Number > v.at {
			h.Fatalf("frame %d, where %d is needed: %+v", f.Number, v.at, f)
		}
		if f.Number == v.at {
			if v.at++; f.Marked {
				v.Marked(f.Number+1, f.Mark.Chain)
			}
		}
		b = rest
	}
	if len(b) > 0 || v.reads == v.match && v.Live() < v.at {
		h.Errorf("%d bytes are left behind %d frames; it knows of %d", len(b), i.Count, v.Live())
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
