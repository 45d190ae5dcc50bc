package realtime

import (
	"net/netip"

	"github.com/tickback/tickback/netem"
)

// MaxDestinations is the maximum number of destinations that are known at the same time. It limits the memory of a
// program that answers strangers.
const MaxDestinations = 1024

// destination is an address to which datagrams are sent, and the link to it.
type destination struct {
	address netip.AddrPort
	path    *netem.Path
	newest  uint64      // the number of the newest datagram sent
	counted netem.Stats // the counts that the path does not keep
}

// stats returns the counts of the path, together with those that it does not keep.
func (d *destination) stats() netem.Stats {
	s := d.path.Stats()
	s.Add(d.counted)
	return s
}

// destinations are all known destinations, with the sums of the statistics of forgotten ones.
type destinations struct {
	link      netem.Link
	seed      uint64
	known     map[netip.AddrPort]*destination
	order     []*destination // a ring, in the order of first use
	met       uint64         // the number of destinations so far, including forgotten ones
	forgotten netem.Stats
}

func newDestinations(link netem.Link, seed uint64) destinations {
	return destinations{link: link, seed: seed, known: map[netip.AddrPort]*destination{}}
}

// find returns a destination, and adds it if necessary.
func (ds *destinations) find(to netip.AddrPort) *destination {
	if d, ok := ds.known[to]; ok {
		return d
	}
	d := &destination{address: to, path: netem.NewPath(ds.seed, 0, ds.met)}
	if err := d.path.SetLink(ds.link); err != nil {
		panic(err) // cannot happen: the link was valid before
	}
	if len(ds.order) < MaxDestinations {
		ds.order = append(ds.order, d)
	} else {
		oldest := &ds.order[ds.met%MaxDestinations]
		ds.forgotten.Add((*oldest).stats())
		delete(ds.known, (*oldest).address)
		// The sums will also count its datagrams that still wait.
		(*oldest).path = nil
		*oldest = d
	}
	ds.known[to] = d
	ds.met++
	return d
}

// setLink changes the links to all destinations.
func (ds *destinations) setLink(l netem.Link) error {
	ds.link = l
	for _, d := range ds.order {
		if err := d.path.SetLink(l); err != nil {
			return err
		}
	}
	return nil
}

// delivered counts a datagram given to the transport.
func (ds *destinations) delivered(i item) {
	counted := &i.to.counted
	if i.to.path == nil {
		counted = &ds.forgotten
	}
	counted.Delivered++
	counted.DeliveredBytes += uint64(len(i.datagram))
	if i.number < i.to.newest {
		counted.Overtaken++
	}
	i.to.newest = max(i.to.newest, i.number)
}

// stats returns the sums over all destinations so far.
func (ds *destinations) stats() netem.Stats {
	sum := ds.forgotten
	for _, d := range ds.order {
		sum.Add(d.stats())
	}
	return sum
}
