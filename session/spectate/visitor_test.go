package spectate

import (
	"bytes"
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// visitor is a spectator, or a newcomer.
type visitor struct {
	proves bool // it takes the chain of a state
	*Follower
	addr   netip.AddrPort
	states []uint32 // frames of those that have come
	hashed []uint32 // those whose hash has come
	frames int
	rolls  []string // of the host
	deaf   bool     // it takes no member lists
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

// enter adds a visitor, which may ask for a place. One that only watches knows the
// token.
func (h *hall) enter(n byte, seat *JoinRequest) *visitor {
	c := visitorConfig(n)
	if c.Join = seat; seat == nil {
		c.Token = h.token
	}
	return h.bring(n, c)
}

// visitorConfig is the configuration of a visitor that knows one host.
func visitorConfig(n byte) FollowerConfig {
	random := uint64(n) << 32
	return FollowerConfig{
		Hosts: []netip.AddrPort{hostAddr}, Period: hallPeriod, Timeout: 3 * time.Second, Drop: 2 * time.Second,
		Random:  func() uint64 { random++; return random },
		Compare: func(netip.AddrPort, byte, *datagram.Items) error { return nil },
	}
}

// bring brings a visitor in.
func (h *hall) bring(n byte, c FollowerConfig) *visitor {
	v := &visitor{Follower: NewFollower(c), addr: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 1, n}), 9000)}
	h.visitors = append(h.visitors, v)
	return v
}

// seat returns a request for these players, with the right token.
func seat(players uint16, id uint64) *JoinRequest {
	return &JoinRequest{Players: players, Sets: datagram.SetsOf(4), ID: id, Token: hallToken}
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
		b, ok := v.MemberList()
		if !ok {
			break
		}
		v.rolls = append(v.rolls, string(b))
	}
	for to, b := range v.Outgoing() {
		for _, o := range h.hosts() {
			if to == o.addr && !v.away && !o.down && (h.tap == nil || h.tap(v.addr, to, b)) {
				o.audience.Receive(h.now, v.addr, bytes.Clone(b))
			}
		}
	}
}

// item takes the next item, and compares it with the match: nothing may be missing, or
// differ from what was played.
func (v *visitor) item(h *hall, i *Item) {
	switch {
	case i.Begin != nil:
		v.items = append(v.items, fmt.Sprint("match ", i.Begin.Match))
		v.reads, v.at, v.began, v.end = i.Begin.Match, 0, false, nil
	case i.State != nil:
		v.items = append(v.items, "state")
		if v.states = append(v.states, i.Frame); !bytes.Equal(i.State, h.encoding(i.Frame, len(i.State))) {
			h.Errorf("state %d is %d bytes of something else", i.Frame, len(i.State))
		}
		if v.at, v.began = i.Frame, false; i.Chained && i.Chain != uint64(i.Frame)-1 {
			h.Errorf("state %d has chain %d", i.Frame, i.Chain)
		}
		if v.proves {
			v.Marked(i.Frame, i.Chain)
		}
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
		if state := f.Number + 1; h.hashes && f.Marked && f.Mark.Hash == hallHash(state) {
			v.hashed = append(v.hashed, state)
			w.Marked, w.Mark.Hash = true, f.Mark.Hash
		}
		if !bytes.Equal(f.Inputs, w.Inputs) || f.Marked != w.Marked || f.Marked && f.Mark != w.Mark || f.Number > v.at {
			h.Fatalf("frame %d, where %d is needed: %+v", f.Number, v.at, f)
		}
		if f.Number == v.at {
			if v.at++; f.Marked {
				v.Marked(f.Number+1, f.Mark.Chain)
			}
		}
		b = rest
	}
	if len(b) > 0 || v.reads == v.received.match && v.Live() < v.at {
		h.Errorf("%d bytes are left behind %d frames; it knows of %d", len(b), i.Count, v.Live())
	}
}

// reason returns the last reason that a visitor was given, or "".
func (v *visitor) reason() string {
	for _, known := range v.search.hosts {
		switch e := known.reason.(type) {
		case *ByeError:
			return e.Reason
		case *admission.TokenError:
			return e.Reason
		}
	}
	return ""
}
