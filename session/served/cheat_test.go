package served

import (
	"bytes"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// cheat is something that a modified client, or an attacker beside it, does in every millisecond.
type cheat struct {
	name string
	// begin returns the function that is called in every millisecond.
	begin func(f *fixture) func()
	mute  bool // its own client says nothing
	// counted is the figure that shows it, and least how much it shows after 4 s.
	counted func(n *ServerCounts) uint64
	least   uint64
	out     bool // it loses its place
}

var strangerAddr = netip.MustParseAddrPort("203.0.113.9:9")

// as sends a body as the other client.
func (f *fixture) as(body []byte) { f.server.Receive(f.now, otherAddr, f.seal(body)) }

func (f *fixture) seal(body []byte) []byte {
	return f.other.server.pipe.AppendBody(nil, f.now, body)
}

// hears records what an address sends to the server, and returns where it is recorded.
func (f *fixture) hears(from netip.AddrPort) *[][]byte {
	list := new([][]byte)
	before := f.tap
	f.tap = func(by, to netip.AddrPort, b []byte) {
		if before != nil {
			before(by, to, b)
		}
		if by == from && to == serverAddr {
			*list = append(*list, bytes.Clone(b))
		}
	}
	return list
}

// sequel is a history that continues from what the server has of the other client.
func (f *fixture) sequel() (h datagram.History) {
	p, _ := f.other.Player()
	c := f.server.clients.of[p]
	h.Start(2, c.inputs.Next(), c.inputs.At(c.inputs.Next()-1))
	return h
}

// give sends inputs from a history.
func (f *fixture) give(h *datagram.History, from, to uint32) {
	block, end := h.AppendBlock(nil, from, to, 300)
	u := clientBody{next: end, count: end - from}
	f.as(append(u.append(nil), block...))
}

var press = []byte{1, 0}

var cheats = []cheat{
	{
		name: "inputs for more ticks than pass", mute: true, least: 1000,
		begin: func(f *fixture) func() {
			h := f.sequel()
			p, _ := f.other.Player()
			return func() {
				from := f.server.clients.of[p].inputs.Next()
				for h.Next() < from+300 {
					h.Push(press)
				}
				f.give(&h, from, h.Next())
			}
		},
		counted: func(n *ServerCounts) uint64 { return n.Early },
	},
	{
		name: "two inputs for one tick", mute: true, out: true, least: 1,
		begin: func(f *fixture) func() {
			p, _ := f.other.Player()
			return func() {
				if f.server.clients.of[p] == nil {
					return // it was removed
				}
				h := f.sequel()
				h.Push(press)
				f.give(&h, h.Next()-1, h.Next())
				h = f.sequel()
				other := h
				other.Start(2, h.Next()-1, h.At(h.Next()-2))
				other.Push([]byte{9, 9})
				other.Push(press)
				f.give(&other, other.Next()-2, other.Next())
			}
		},
		counted: func(n *ServerCounts) uint64 { return n.Broken },
	},
	{
		name: "a flood of datagrams", least: 100_000,
		begin: func(f *fixture) func() {
			return func() {
				for range 60 {
					f.as((&clientBody{next: uint32(f.server.Frame())}).append(nil))
				}
			}
		},
		counted: func(n *ServerCounts) uint64 { return n.Flooded },
	},
	{
		name: "a flood of orders", least: 100,
		begin: func(f *fixture) func() {
			return func() {
				if c := f.other.server.pipe.Channel; c.Pending() < 4<<10 {
					_ = c.Send(appendOrders(nil, 0, []byte{1, 2, 3, 4}))
				}
			}
		},
		counted: func(n *ServerCounts) uint64 { return n.Orders },
	},
	{
		name: "orders for ticks that are far away", least: 100,
		begin: func(f *fixture) func() {
			return func() {
				_ = f.other.server.pipe.Channel.Send(appendOrders(nil, f.server.Frame()+maxAhead+9, press))
			}
		},
		counted: func(n *ServerCounts) uint64 { return n.Orders },
	},
	{
		name: "orders that are too long", out: true, least: 1,
		begin: func(f *fixture) func() {
			return func() {
				_ = f.other.server.pipe.Channel.Send(appendOrders(nil, f.server.Frame(), []byte{1, 2, 3, 4, 5}))
			}
		},
		counted: func(n *ServerCounts) uint64 { return n.Broken },
	},
	{
		name: "its own datagrams again, from its address and another one", least: 200,
		begin: func(f *fixture) func() {
			list := f.hears(otherAddr)
			return func() {
				for i, b := range *list {
					f.server.Receive(f.now, []netip.AddrPort{otherAddr, strangerAddr}[i%2], b)
				}
				*list = (*list)[:0]
			}
		},
		counted: func(n *ServerCounts) uint64 { return n.Repeated },
	},
	{
		name: "another one's datagrams again, as if from it, from here and from elsewhere", least: 200,
		begin: func(f *fixture) func() {
			list := f.hears(honestAddr)
			return func() {
				for _, b := range *list {
					for _, from := range []netip.AddrPort{honestAddr, otherAddr, strangerAddr} {
						f.server.Receive(f.now, from, b)
					}
				}
				*list = (*list)[:0]
			}
		},
		counted: func(n *ServerCounts) uint64 { return min(n.Repeated, n.Forged) },
	},
	{
		name: "another one's datagrams with a bit changed", least: 200,
		begin: func(f *fixture) func() {
			list, n := f.hears(honestAddr), 0
			return func() {
				for _, b := range *list {
					n++
					b[n%len(b)] ^= 1 << (n % 8)
					f.server.Receive(f.now, honestAddr, b)
				}
				*list = (*list)[:0]
			}
		},
		counted: func(n *ServerCounts) uint64 { return n.Forged },
	},
	{
		name: "acknowledgements of states of the future", least: 1000,
		begin: func(f *fixture) func() {
			return func() {
				n := uint32(f.server.Frame())
				f.as((&clientBody{next: n, any: true, state: n + 1}).append(nil))
				f.as((&clientBody{next: n, any: true, state: n + 1<<20}).append(nil))
			}
		},
		counted: func(n *ServerCounts) uint64 { return n.Unsent },
	},
	{
		name: "inputs that the game refuses", mute: true, least: 100,
		begin: func(f *fixture) func() {
			h := f.sequel()
			return func() {
				if f.now%(20*time.Millisecond) == 0 {
					from := h.Next()
					h.Push([]byte{0xFF, 0xFF})
					f.give(&h, from, h.Next())
				}
			}
		},
		counted: func(n *ServerCounts) uint64 { return n.Illegal },
	},
	{
		name: "inputs after their ticks", mute: true, least: 100,
		begin: func(f *fixture) func() {
			h := f.sequel()
			from := h.Next()
			return func() {
				for h.Next()+5 < uint32(f.server.Frame()) {
					h.Push(press)
				}
				if h.Next() > from {
					f.give(&h, from, h.Next())
					from = h.Next()
				}
			}
		},
		counted: func(n *ServerCounts) uint64 { return n.Late },
	},
	{
		name: "strangers, and noise", least: 3000,
		begin: func(f *fixture) func() {
			n := byte(0)
			return func() {
				n++
				f.server.Receive(f.now, strangerAddr, []byte{n, n * 3, n * 7, 9, 0, 0, 0, 1, 4, 2, 1, 5, 8})
			}
		},
		counted: func(n *ServerCounts) uint64 { return n.Strangers },
	},
}

// fair is a match in which inputs are at most 1.
func fair(t *testing.T) *fixture {
	return newFixtureOf(t, countGame(), func(_ *ServerConfig, h *ServerHooks[count, uint16]) {
		h.Check = func(_ *count, _ Player, in uint16) bool { return in <= 1 }
	})
}

// Rule: nothing that a modified client does gains it anything or takes anything from others, and it
// is counted. The server's truth is compared with that of a match in which all are honest.
func TestModifiedClientsGainNothingAndAreCounted(t *testing.T) {
	const length = 4 * time.Second
	twin := fair(t)
	twin.run(length)
	p, _ := twin.honest.Player()
	q, _ := twin.other.Player()
	want := *twin.server.State()
	if n := twin.server.Counts(); n.Faults != (Faults{}) || n.Broken+n.Strangers+n.Refused+n.Late > 0 {
		t.Errorf("honest clients are blamed: %+v", n)
	}
	for _, c := range cheats {
		t.Run(c.name, func(t *testing.T) {
			f := fair(t)
			f.mute, f.each = c.mute, c.begin(f)
			f.run(length)
			got := *f.server.State()
			if f.server.Frame() != twin.server.Frame() {
				t.Errorf("frame %d, want %d", f.server.Frame(), twin.server.Frame())
			}
			if got.Sum[p] != want.Sum[p] || got.Ticks[p] != want.Ticks[p] || f.honest.Err() != nil {
				t.Errorf("the honest player has %d of %d, in %d of %d ticks: %v", got.Sum[p], want.Sum[p], got.Ticks[p], want.Ticks[p], f.honest.Err())
			}
			if got.Sum[q] > want.Sum[q] || got.Ticks[q] > want.Ticks[q] {
				t.Errorf("the other one has %d, honestly it would be %d, in %d of %d ticks", got.Sum[q], want.Sum[q], got.Ticks[q], want.Ticks[q])
			}
			if out := got.Ticks[q] < want.Ticks[q]; out != c.out {
				t.Errorf("it is out: %v; %v", out, f.server.Events())
			}
			n := f.server.Counts()
			if counted := c.counted(&n); counted < c.least || counted > 1<<32 {
				t.Errorf("%d are counted: %+v", counted, n)
			}
			t.Logf("%+v", n)
		})
	}
}
