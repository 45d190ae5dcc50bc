package fleet

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/netem"
)

// disturbances are the faults in progress that keep nodes from doing anything, and paths from working. They may overlap:
// a node goes on, and a path works again, when the last one has ended.
type disturbances struct {
	silenced []int           // by node: faults that keep it from doing anything
	hung     []int           // by node: faults that keep it from doing anything, while datagrams wait for it
	detours  []time.Duration // by node: how much longer its datagrams take
	moves    []uint16        // by node: how many addresses it has had after the first
	cuts     [][maxNodes]int // by sender and recipient: faults that cut the path
}

// processes are the processes of the nodes, in a [Fleet].
type processes interface {
	Hang(node int, hung bool)
	Stop(node int)
}

// paths are the paths between the nodes, in a [netem.Datagrams].
type paths interface {
	Cut(from, to int, cut bool)
	SetLink(from, to int, link netem.Link) error
}

func newDisturbances(nodes int) disturbances {
	return disturbances{
		silenced: make([]int, nodes), hung: make([]int, nodes), detours: make([]time.Duration, nodes),
		moves: make([]uint16, nodes), cuts: make([][maxNodes]int, nodes),
	}
}

// silence begins or ends a fault that keeps a node from doing anything, and reports whether any does now: the change is
// 1 or -1. A fault that ends may have begun before the node recovered, so what was counted then may be gone.
func (d *disturbances) silence(node, change int) bool {
	d.silenced[node] = max(d.silenced[node]+change, 0)
	return d.silenced[node] > 0
}

// hang begins or ends a fault during which datagrams wait for a node that does nothing.
func (d *disturbances) hang(p processes, node, change int) {
	d.hung[node] = max(d.hung[node]+change, 0)
	p.Hang(node, d.hung[node] > 0)
}

// suspend stops the process of a node, or lets it continue.
func (d *disturbances) suspend(p processes, node, change int) {
	if change < 0 {
		d.hang(p, node, change)
		return
	}
	d.hung[node] += change
	p.Stop(node)
}

// acts reports whether nothing keeps a node from doing anything.
func (d *disturbances) acts(node int) bool { return d.silenced[node] == 0 && d.hung[node] == 0 }

// recovers ends what keeps a node from doing anything: it is another process now.
func (d *disturbances) recovers(node int) { d.silenced[node], d.hung[node] = 0, 0 }

// cut cuts or restores the paths of a fault.
func (d *disturbances) cut(p paths, f Fault, change int) {
	for from := range d.cuts {
		for to := range d.cuts {
			if from != to && f.splits(from, to) {
				d.cuts[from][to] += change
				p.Cut(from, to, d.cuts[from][to] > 0)
			}
		}
	}
}

// connected reports whether the paths between two nodes are there, in both directions.
func (d *disturbances) connected(a, b int) bool { return d.cuts[a][b] == 0 && d.cuts[b][a] == 0 }

// detour makes a node's datagrams take longer by the given time, or less long if it is negative. way returns the link
// of a path without any detour.
func (d *disturbances) detour(p paths, from int, by time.Duration, way func(from, to int) netem.Link) {
	d.detours[from] += by
	for to := range d.detours {
		if from == to {
			continue
		}
		l := way(from, to)
		l.Delay += d.detours[from]
		if err := p.SetLink(from, to, l); err != nil {
			panic(err) // the link without the detour was valid, and only its delay has changed
		}
	}
}

// move returns an address for a node that no node has had: first in another network, then on another port there. The
// address does not depend on the moves of other nodes: peers exchange addresses, and the players' part of a run must
// not depend on its spectators.
func (d *disturbances) move(node int) netip.AddrPort {
	d.moves[node]++
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, 0, byte(node + 1)}), 7000+d.moves[node])
}
