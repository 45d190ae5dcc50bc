package served

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/event"
)

// Rule: a client that sends a message that no honest client sends loses its place, and is forgotten at once:
// nothing more is sent to it.
func TestAClientThatBreaksTheProtocolIsForgotten(t *testing.T) {
	for name, m := range map[string][]byte{
		"what there is not":  {99},
		"of a server":        {messageEnd, 1},
		"half a question":    {messageDiffers, 1, 2, 3},
		"no orders":          {messageOrders, 0, 0, 0, 0},
		"orders of too many": {messageOrders, 0, 0, 0, 0, 1, 2, 3, 4, 5},
	} {
		f := newFixture(t)
		p, _ := f.other.Player()
		f.server.Events()
		if err := f.other.server.pipe.Channel.Send(m); err != nil {
			t.Fatal(err)
		}
		f.mute = true
		f.say((&clientBody{next: uint32(f.server.Frame())}).append(nil))
		lost := 0
		for _, e := range f.server.Events() {
			if e.What == event.Lost && e.Players.Has(p) {
				lost++
			}
		}
		f.tap = func(_, to netip.AddrPort, _ []byte) {
			if to == otherAddr {
				t.Errorf("%s: something is sent to it", name)
			}
		}
		f.run(10 * time.Millisecond)
		if n := f.server.Counts(); n.Broken != 1 || lost != 1 || f.server.Members().Has(p) || f.server.clients.len() != 1 {
			t.Errorf("%s: lost %d times, %v play, %+v", name, lost, f.server.Members(), n)
		}
		f.run(2 * time.Second)
		f.unharmed()
	}
}

// Rule: a client that leaves while the server tells it that there is nothing more is forgotten at once: it does
// not hear why.
func TestFarewellsThatCross(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	if err := f.server.Kick(p, "it cheats"); err != nil {
		t.Fatal(err)
	}
	for range f.server.Outgoing() { // it gets lost
	}
	f.other.Leave("")
	f.run(5 * time.Millisecond)
	if f.server.clients.len() != 1 {
		t.Errorf("%d clients are known", f.server.clients.len())
	}
}

// Rule: datagrams beyond what a client may send are counted, and not read.
func TestAFloodIsNotRead(t *testing.T) {
	f := newFixture(t)
	p, _ := f.other.Player()
	c := f.server.clients.of[p]
	const sent = 3000
	before := c.pipe.Counts.Received
	for range sent {
		f.say((&clientBody{next: uint32(f.server.Frame())}).append(nil))
	}
	if read := c.pipe.Counts.Received - before; read > readAtOnce+1 || read == 0 || read+c.faults.Flooded != sent {
		t.Errorf("of %d at once %d are read, and %d counted", sent, read, c.faults.Flooded)
	}
}
