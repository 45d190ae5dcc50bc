package fleet

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
)

// done is a network that writes down what is done to it.
type done []string

func (d *done) add(format string, args ...any) { *d = append(*d, fmt.Sprintf(format, args...)) }
func (d *done) Hang(node int, hung bool)       { d.add("hang %d %v", node, hung) }
func (d *done) Stop(node int)                  { d.add("stop %d", node) }
func (d *done) Cut(from, to int, cut bool)     { d.add("cut %d-%d %v", from, to, cut) }
func (d *done) SetLink(a, b int, l netem.Link) error {
	d.add("link %d-%d %v", a, b, l.Delay)
	return nil
}

// expect compares what has been done since the last call.
func (d *done) expect(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(*d, want) {
		t.Errorf("done was %q, want %q", *d, want)
	}
	*d = nil
}

// Faults of a node overlap: it goes on when the last one has ended, or when it is another process. The end of a fault
// that began before that changes nothing.
func TestDisturbancesOfANodeOverlap(t *testing.T) {
	d, net := newDisturbances(3), done{}
	for i, change := range []int{1, 1, -1, -1} {
		if silent := d.silence(1, change); silent != (i < 3) || d.acts(1) == silent || !d.acts(0) {
			t.Errorf("a node that is silenced twice is silent after change %d: %v", i, silent)
		}
	}
	d.hang(&net, 2, 1)
	d.suspend(&net, 2, 1)
	d.hang(&net, 2, -1)
	if d.acts(2) {
		t.Error("a suspended node acts")
	}
	d.suspend(&net, 2, -1)
	if !d.acts(2) {
		t.Error("the node does not go on")
	}
	net.expect(t, "hang 2 true", "stop 2", "hang 2 true", "hang 2 false")

	d.silence(0, 1)
	d.hang(&net, 0, 1)
	if d.recovers(0); !d.acts(0) {
		t.Error("a new process does not act")
	}
	d.hang(&net, 0, -1)
	if d.silence(0, -1) || !d.silence(0, 1) || d.acts(0) {
		t.Error("a fault of the process before counts")
	}
	net.expect(t, "hang 0 true", "hang 0 false")
}

// A path works when it is not cut by any fault; two nodes are connected if both directions work.
func TestDisturbancesOfPathsOverlap(t *testing.T) {
	d, net := newDisturbances(3), done{}
	oneWay := Fault{Kind: OneWay, Machine: 0, Other: 1}
	both := Fault{Kind: Partition, Side: 0b001}
	d.cut(&net, oneWay, 1)
	net.expect(t, "cut 0-1 true")
	if d.connected(0, 1) || d.connected(1, 0) || !d.connected(0, 2) {
		t.Error("a path in one direction is not enough, and others are not concerned")
	}
	d.cut(&net, both, 1)
	net.expect(t, "cut 0-1 true", "cut 0-2 true", "cut 1-0 true", "cut 2-0 true")
	d.cut(&net, oneWay, -1)
	net.expect(t, "cut 0-1 true")
	d.cut(&net, both, -1)
	net.expect(t, "cut 0-1 false", "cut 0-2 false", "cut 1-0 false", "cut 2-0 false")
	if !d.connected(0, 1) || !d.connected(0, 2) || !d.connected(1, 2) {
		t.Error("all faults have ended")
	}
}

// Detours of a node add up, on all its paths, to what each link has without them.
func TestDetoursAddUp(t *testing.T) {
	d, net := newDisturbances(3), done{}
	way := func(_, to int) netem.Link { return netem.Link{Delay: time.Duration(to) * time.Second} }
	d.detour(&net, 1, 20*time.Millisecond, way)
	net.expect(t, "link 1-0 20ms", "link 1-2 2.02s")
	d.detour(&net, 1, 30*time.Millisecond, way)
	net.expect(t, "link 1-0 50ms", "link 1-2 2.05s")
	d.detour(&net, 1, -20*time.Millisecond, way)
	net.expect(t, "link 1-0 30ms", "link 1-2 2.03s")
	d.detour(&net, 2, 0, way)
	net.expect(t, "link 2-0 0s", "link 2-1 1s")
}

// No address is given twice, and none depends on the moves of other nodes.
func TestAddressesAreNew(t *testing.T) {
	d, alone := newDisturbances(3), newDisturbances(3)
	given := map[netip.AddrPort]bool{}
	for node := range 3 {
		given[Addr(node)] = true
	}
	for range 4 {
		for node := range 3 {
			at := d.move(node)
			if given[at] {
				t.Errorf("node %d gets %v, which was given before", node, at)
			}
			given[at] = true
			if node == 2 && at != alone.move(2) {
				t.Error("an address depends on the moves of other nodes: ", at)
			}
		}
	}
}
