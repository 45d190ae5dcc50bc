package session

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// maxLies bounds the number of lies in one run of FuzzLiar.
const maxLies = 40

// One of three peers lies, in any phase: about inputs, positions, acknowledgements, frames, chains, ends and who is gone;
// it floods, sends damaged fragments, repeats what it has heard from others, sends in their names, and falls silent. The
// other two do not panic or hang, send little in answer, and agree on the same frames; and errors are of a known kind.
//
// The first byte says who lies, whether there is a lobby, whether the liar behaves in the end, and whether the match goes
// on when somebody is gone; then come three bytes for each action: its kind, and two arguments. Some actions use further
// bytes.
func FuzzLiar(f *testing.F) {
	times := byte(3)
	if testing.Short() {
		times = 1
	}
	for _, how := range []byte{0, 1, 2, 3, goesOn, goesOn | 1, goesOn | 2} {
		f.Add([]byte{how, 0, 50, 0, 1, 0, 0, 0, 100, 0, 0, 200, 0})
		for what := range byte(lies) {
			for k := range times {
				if how&goesOn != 0 && what > 4 && k > 0 {
					continue
				}
				// Connecting, the lobby or the start, playing, later.
				f.Add([]byte{how, what, k, 0, 0, 9, 0, what, k, 1, 0, 60, 0, what, k, 2, 0, 60, 0, what, k + 3, 3, 0, 200, 0})
			}
		}
		for k := range byte(len(lieKinds)) {
			f.Add([]byte{how, 0, 40, 0, 2, k, 0, 0, 40, 0, 2, k, 1, 0, 100, 0, 4, k, 0, 0, 50, 0})
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 1 {
			return
		}
		liar := []int{2, 0}[data[0]&1]
		c := newCourt(newTrio(t, 3, func(c *Config) {
			shortWaits(c)
			c.MaxPause = 500 * time.Millisecond // also of who is gone
			if c.Lobby = data[0]&2 != 0; data[0]&goesOn != 0 {
				c.OnLeave = Continue
			}
		}), liar)
		rest := data[1:]
		for n := 0; n < maxLies && len(rest) >= 3; n++ {
			op := [3]byte(rest)
			rest = c.act(op, rest[3:])
		}
		if data[0]&4 != 0 {
			c.lie = nil
			c.run(time.Second) // it behaves again
		}
		c.judge()
	})
}

// goesOn is the bit of the first byte for a match that goes on when somebody is gone.
const goesOn = 8

// lies is how many things can happen.
const lies = 14

// act performs one action. It returns the bytes that it has not used.
func (c *court) act(op [3]byte, rest []byte) []byte {
	a, b := int(op[1]), int(op[2])
	to := (c.liar + 1 + b%2) % 3
	liar, l := c.peers[c.liar], c.way(c.liar, to)
	victim := c.way(to, c.liar)
	bytes := func(n int) (taken []byte) {
		n = min(n, len(rest))
		taken, rest = append([]byte(nil), rest[:n]...), rest[n:]
		return taken
	}
	switch op[0] % lies {
	case 0:
		c.run(time.Duration(a) * 4 * time.Millisecond)
		c.obey()
	case 1: // it takes part
		if liar.cfg.host() {
			_ = liar.Propose(Parameters{Frames: Frame(a), Data: make([]byte, b*64)})
		} else {
			_ = liar.Accept()
			_ = liar.Ready()
		}
	case 2:
		c.say(to, lieKinds[a%len(lieKinds)].make(c.peers[to].Machine, victim))
	case 3:
		c.say(to, append(about(byte(a%(messageNewcomer+1)), liar.lobby.Number()+uint32(a/200)), bytes(b/2)...))
	case 4: // a flood of a message, many to a datagram
		m := lieKinds[a%len(lieKinds)].make(c.peers[to].Machine, victim)
		for range 100 {
			c.say(to, m)
		}
		liar.sendTo(l)
	case 5, 6:
		c.lie = c.falsify(op[0]%lies == 6, a, b)
	case 7: // what was heard, again
		if h := &c.heard[a%len(c.heard)]; h.bytes != nil && datagram.IsSession(h.bytes) {
			from := []netip.AddrPort{addrOf(h.from), addrOf(c.liar), nobody}[b/2%3]
			c.hand(to, from, append([]byte(nil), h.bytes...))
		}
	case 8: // Hellos in the names of all
		for range a {
			hello := datagram.Hello{Version: byte(b % 3), Nonce: uint64(a)<<8 | uint64(b), Attempt: byte(a)}.Append(nil)
			c.hand(to, []netip.AddrPort{addrOf(c.liar), addrOf(3 - c.liar - to), nobody}[b%3], hello)
			c.carry()
		}
	case 9:
		c.doubles = true
		c.whisper(to, []netip.AddrPort{addrOf(c.liar), nobody}[a%2], append([]byte{byte(a) | 0x80, 0, 0}, bytes(b)...), uint64(a/16))
	case 10: // fragments of any form
		c.whisper(to, addrOf(c.liar), append([]byte{0x90 | byte(a%4), 0, 0}, bytes(b)...), 0)
	case 11:
		switch a % 4 {
		case 0:
			liar.Leave("fuzz")
		case 1:
			_ = liar.Refuse("fuzz")
		case 2:
			_ = liar.SetDelay(liar.local[0], b%30)
		case 3:
			_ = liar.Send(0b111, make([]byte, 1+b*200))
		}
	case 12:
		c.down = !c.down
	case 13: // the honest machines do not hear each other for a while
		c.judgeCut(time.Duration(a)*4*time.Millisecond, to)
	}
	return rest
}

// nobody is an address without a machine.
var nobody = netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 1}), 1)

// judgeCut lets time pass while only one of the others hears the liar.
func (c *court) judgeCut(d time.Duration, to int) {
	before := c.lie
	c.lie = func(receiver int, b []byte) []byte {
		switch {
		case receiver != to:
			return nil
		case before == nil:
			return b
		}
		return before(receiver, b)
	}
	c.run(d)
	c.lie = before
}

// falsify returns a function that changes the liar's datagrams of the match: their positions and samples, or, if inputs
// is set, their bytes as well.
func (c *court) falsify(inputs bool, how, much int) func(to int, b []byte) []byte {
	if how == 0 {
		return nil
	}
	c.doubles = c.doubles || inputs
	return func(to int, b []byte) []byte {
		l := c.way(c.liar, to)
		if !datagram.IsSession(b) {
			return b
		}
		sequence, _ := datagram.SequenceOf(b, l.Next())
		body, ok := l.Out.Open(b, sequence)
		if !ok {
			return b
		}
		if inputs {
			body = append([]byte(nil), body...)
			body[3%len(body)+(much%max(len(body)-3, 1))] ^= 1 << (how % 8)
			return l.Out.Seal(body, 0, sequence)
		}
		var h datagram.Header
		rest, err := h.Consume(body, l.Peer.Send, uint32(c.peers[c.liar].inputs.Sampled()))
		if err != nil || !h.HasPlay {
			return b
		}
		switch p, d := &h.Play, uint32(much); how % 8 {
		case 0:
			p.Acks[0] += d
		case 1:
			p.Acks[0] -= min(p.Acks[0], d)
		case 2:
			p.Confirmed -= min(p.Confirmed, d)
		case 3:
			p.Confirmed = min(p.Ends[0], p.Acks[0]) // it has everything, also of the third
		case 4:
			h.HasSample, h.Sample = true, datagram.Sample{Echo: uint16(sequence) - uint16(d), Hold: byte(d), Lag: int32(d)<<24 | -1<<31}
		case 5:
			p.Acks[0], p.Confirmed = 1<<32-1, 0
		case 6:
			h.Match ^= byte(d)
		case 7:
			h.HasSample, h.Sample = true, datagram.Sample{Hold: 254, Lag: 1<<31 - 1}
		}
		out := h.Append(nil, l.Peer.Send)
		if h.HasControl {
			datagram.MarkControl(out)
		}
		return l.Out.Seal(append(out, rest...), 0, sequence)
	}
}

// A negative control: without a lie the honest machines agree on matches, and play on with the liar, in both kinds of
// lobbies; different inputs for each of them are noticed.
func TestTheCourtPlays(t *testing.T) {
	for _, lobby := range []bool{false, true} {
		c := newCourt(newTrio(t, 3, func(c *Config) { shortWaits(c); c.Lobby = lobby }), 2)
		for range 20 {
			c.run(200 * time.Millisecond)
			c.obey()
			c.act([3]byte{1}, nil)
		}
		for i := range 2 {
			if n := len(c.agreed[i][1]); n < 40 {
				t.Errorf("lobby %v: peer %d has agreed on %d frames, %v, %v; events %v", lobby, i, n, c.peers[i].Phase(), c.peers[i].Err(), c.seen[i])
			}
		}
		c.judge()
	}
	c := newCourt(newTrio(t, 3, shortWaits), 2)
	c.peers[2].sim.hooks.Sample = func(Player) uint16 { return 7 }
	c.lie = func(to int, b []byte) []byte {
		if to == 0 || !datagram.IsSession(b) {
			return b
		}
		l := c.way(2, to) // for peer 1 the inputs are 6
		sequence, _ := datagram.SequenceOf(b, l.Next())
		body, _ := l.Out.Open(b, sequence)
		body = append([]byte(nil), body...)
		for i := 3; i+1 < len(body); i++ {
			if body[i] == 0x01 && body[i+1] == 7 {
				body[i+1] = 6
			}
		}
		return l.Out.Seal(body, 0, sequence)
	}
	c.doubles = true
	c.run(3 * time.Second)
	if c.peers[0].Health() != Desynced || c.peers[1].Health() != Desynced {
		t.Errorf("two were told different inputs: %v and %v; %q and %q", c.peers[0].Health(), c.peers[1].Health(), c.agreed[0][1][:3], c.agreed[1][1][:3])
	}
	c.judge()
}
