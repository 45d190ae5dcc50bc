package session

import (
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// playOrders is a datagram of the match with the orders of the newest frame.
func playOrders(size int) func(tr *trio) []byte {
	return func(tr *trio) []byte {
		l, m := tr.way(1, 0), tr.peers[0].Machine
		h := datagram.Header{Sequence: uint16(l.Next()), Match: byte(m.match.Number()), HasPlay: true, HasOrders: true}
		p := &h.Play
		p.Ends[0], p.Counts[0], p.Acks[0], p.Confirmed = uint32(m.inputs.Next(1))+1, 1, uint32(m.inputs.Next(0)), uint32(m.confirmed)
		b := datagram.AppendUint(h.Append(nil, l.Peer.Send), 1)
		b = datagram.AppendOrder(b, datagram.Order{Frame: p.Ends[0] - 1, Bytes: make([]byte, size)}, l.Peer.Send, p.Ends[0])
		return l.Out.Seal(b, 0, l.Next()) // the input is the one before
	}
}

// Each invalid datagram is counted once: for strangers, or for the peer from whose
// address it came, and for the session. One that has arrived before is a duplicate.
func TestWhatIsNoGoodIsCounted(t *testing.T) {
	// play is a changed datagram of the match, without inputs.
	play := func(change func(m *Machine, h *datagram.Header), rest ...byte) func(tr *trio) []byte {
		return func(tr *trio) []byte {
			l, m := tr.way(1, 0), tr.peers[0].Machine
			h := datagram.Header{Sequence: uint16(l.Next()), Match: byte(m.match.Number()), HasPlay: true}
			h.Play.Ends[0], h.Play.Acks[0], h.Play.Confirmed = uint32(m.inputs.Next(1)), uint32(m.inputs.Next(0)), uint32(m.confirmed)
			change(m, &h)
			return l.Out.Seal(append(h.Append(nil, l.Peer.Send), rest...), 0, l.Next())
		}
	}
	for _, c := range []struct {
		what                           string
		make                           func(tr *trio) []byte
		stranger                       bool // it comes from elsewhere
		strangers, rejected, duplicate uint64
	}{
		{"nothing", func(*trio) []byte { return nil }, false, 0, 1, 0},
		{"nothing from elsewhere", func(*trio) []byte { return nil }, true, 1, 0, 0},
		{"too much", func(*trio) []byte { return make([]byte, datagram.MaxSize+1) }, false, 0, 1, 0},
		{"an unknown kind", func(*trio) []byte { return make([]byte, 40) }, false, 0, 1, 0},
		{"an unknown kind from elsewhere", func(*trio) []byte { return make([]byte, 40) }, true, 1, 0, 0},
		{"a short Hello", func(*trio) []byte {
			return datagram.Hello{Version: datagram.Version, Nonce: 1}.Append(nil)[:datagram.MinSize-1]
		}, false, 0, 1, 0},
		{"a Hello from elsewhere", func(*trio) []byte { return datagram.Hello{Version: datagram.Version, Nonce: 1}.Append(nil) }, true, 1, 0, 0},
		{"a Hello", func(*trio) []byte { return datagram.Hello{Version: datagram.Version, Nonce: 1}.Append(nil) }, false, 0, 0, 0},
		{"a wrong tag", func(tr *trio) []byte { b := tr.fresh(1, 0); b[len(b)-1]++; return b }, false, 0, 1, 0},
		{"a wrong tag from elsewhere", func(tr *trio) []byte { b := tr.fresh(1, 0); b[len(b)-1]++; return b }, true, 1, 0, 0},
		{"what is good", func(tr *trio) []byte { return tr.fresh(1, 0) }, false, 0, 0, 0},
		{"what came before", func(tr *trio) []byte {
			b := tr.fresh(1, 0)
			tr.peers[0].Receive(tr.now, addrOf(1), slices.Clone(b))
			return b
		}, false, 0, 0, 1},
		{"a body that is cut", func(tr *trio) []byte {
			l := tr.way(1, 0)
			h := datagram.Header{Sequence: uint16(l.Next()), HasPlay: true}
			b := h.Append(nil, l.Peer.Send)
			return l.Out.Seal(b[:4], 0, l.Next())
		}, false, 0, 1, 0},
		{"all that was sent is acknowledged", play(func(*Machine, *datagram.Header) {}), false, 0, 0, 0},
		{"and more than that", play(func(_ *Machine, h *datagram.Header) { h.Play.Acks[0]++ }), false, 0, 1, 0},
		{"inputs as early as they may be", play(func(m *Machine, h *datagram.Header) {
			h.Play.Counts[0] = uint32(m.frame+m.cfg.ahead()) - 1 - h.Play.Ends[0] // each like the one before
			h.Play.Ends[0] += h.Play.Counts[0]
		}), false, 0, 0, 0},
		{"inputs of the far future", play(func(m *Machine, h *datagram.Header) {
			h.Play.Counts[0] = uint32(m.frame+m.cfg.ahead()) - h.Play.Ends[0]
			h.Play.Ends[0] += h.Play.Counts[0]
		}), false, 0, 1, 0},
		{"orders that are cut", play(func(_ *Machine, h *datagram.Header) { h.HasOrders = true }), false, 0, 1, 0},
		{"orders as long as they may be", playOrders(300), false, 0, 0, 0},
		{"longer ones", playOrders(301), false, 0, 1, 0},
		{"an input that is cut", play(func(_ *Machine, h *datagram.Header) { h.Play.Ends[0]++; h.Play.Counts[0] = 1 }, 0xff), false, 0, 1, 0},
		{"an input behind a gap", play(func(_ *Machine, h *datagram.Header) { h.Play.Ends[0] += 2; h.Play.Counts[0] = 1 }), false, 0, 1, 0},
	} {
		tr := moving(t)
		from, before := addrOf(1), tr.stats(0)
		if c.stranger {
			from = elsewhere
		}
		tr.peers[0].Receive(tr.now, from, c.make(tr))
		s, l := tr.stats(0), tr.stats(0).Links[0]
		strangers, rejected, duplicates := s.Strangers-before.Strangers, s.Rejected-before.Rejected, l.Duplicates-before.Links[0].Duplicates
		if strangers != c.strangers || rejected != c.rejected || duplicates != c.duplicate || l.Rejected-before.Links[0].Rejected != rejected {
			t.Errorf("%s: %d of strangers, %d rejected and %d at the link, %d duplicates", c.what, strangers, rejected, l.Rejected, duplicates)
		}
		if tr.peers[0].Phase() != Playing || tr.way(0, 1).state != connected {
			t.Errorf("%s: it is %v", c.what, tr.peers[0].Phase())
		}
	}
}

// The numbers that one machine counts as sent, the other counts as received, byte for
// byte, if nothing is lost; lost datagrams are counted as lost. One that is only late no
// longer counts as lost.
func TestWhatIsSentIsReceived(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Match.Frames = 300 })
	dropped, late := map[[2]int]uint64{}, map[[2]int][]byte{}
	count := 0
	tr.forge = func(from, to int, b []byte) []byte {
		if !datagram.IsSession(b) || tr.now < 500*time.Millisecond || tr.now > 3*time.Second {
			return b
		}
		way := [2]int{from, to}
		switch count++; {
		case count%11 == 0:
			dropped[way]++
			return nil
		case count%13 == 0 && late[way] == nil:
			late[way] = slices.Clone(b)
			return nil
		case late[way] != nil && count%5 == 0:
			tr.peers[to].Receive(tr.now, addrOf(from), late[way])
			delete(late, way)
		}
		return b
	}
	tr.run(4 * time.Second)
	for from, p := range tr.peers {
		for to := range tr.peers {
			if to == from {
				continue
			}
			index := func(self, other int) int { // of the link
				if other > self {
					return other - 1
				}
				return other
			}
			there, here := p.Stats(nil).Links[index(from, to)], tr.stats(to).Links[index(to, from)]
			lost := dropped[[2]int{from, to}]
			if late[[2]int{from, to}] != nil {
				lost++
			}
			waits := there.Sent - here.Received - lost
			if here.Lost != lost || waits > 2 || lost < 5 || waits == 0 && lost == 0 && there.SentBytes != here.ReceivedBytes {
				t.Errorf("from %d to %d: %d sent, %d received, %d lost; it counts %d", from, to, there.Sent, here.Received, lost, here.Lost)
			}
			if here.ControlDuplicates > there.ControlResent || here.Duplicates != 0 {
				t.Errorf("from %d to %d: %d fragments were resent, and %d came again; %d duplicates", from, to, there.ControlResent, here.ControlDuplicates, here.Duplicates)
			}
		}
		if o, over := p.Outcome(); over && o.Frames != 300 {
			t.Errorf("peer %d: %+v", from, o)
		}
	}
}
