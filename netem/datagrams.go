package netem

import "time"

// Datagrams is a [Network] that carries bytes: it copies datagrams into its own buffers and reuses these, so after a
// while it no longer allocates. Corruption flips bits ([FlipBits]).
type Datagrams struct {
	Topology
	buffers [][]byte // by slot
	lent    uint32   // the slot of the latest delivery
	lending bool
}

// NewDatagrams returns a network whose links are all perfect. The seed decides everything that happens by chance. At
// most inFlight datagrams may be in flight at once, and more are dropped; 0 means [DefaultInFlight].
func NewDatagrams(nodes int, seed uint64, inFlight int) (*Datagrams, error) {
	d := new(Datagrams)
	if err := d.init(nodes, seed, inFlight); err != nil {
		return nil, err
	}
	return d, nil
}

// Send sends a copy of a datagram. It panics if there is no such node, or if the
// datagram is longer than [MaxSize].
func (d *Datagrams) Send(now time.Duration, from, to int, datagram []byte) {
	var a arrivals
	d.send(now, from, to, len(datagram), &a)
	for c := range a.Copies {
		d.put(a.slots[c&1], a.Damage[c&1], datagram)
	}
}

func (d *Datagrams) put(s uint32, damage uint64, datagram []byte) {
	for len(d.buffers) < len(d.slots) {
		d.buffers = append(d.buffers, nil)
	}
	b := append(d.buffers[s][:0], datagram...)
	if damage != 0 {
		FlipBits(b, damage)
	}
	d.buffers[s] = b
}

// Receive works like [Network.Receive]. The payload may be changed, and is valid until the next call of Receive.
func (d *Datagrams) Receive(now time.Duration) (out Delivery[[]byte], ok bool) {
	if d.lending {
		d.give(d.lent)
		d.lending = false
	}
	first, ok := d.due(now)
	if !ok {
		return out, false
	}
	s := first.slot()
	out.From, out.To, out.At = int(d.slots[s].from), int(d.slots[s].to), first.time()
	out.Payload = d.buffers[s]
	d.lent, d.lending = s, true
	d.receive(first)
	return out, true
}
