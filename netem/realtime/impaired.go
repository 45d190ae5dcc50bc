package realtime

import (
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/tickback/tickback/netem"
)

// Impaired is a transport that sends datagrams late, twice, or not at all. It is a [Transport] itself, and safe for
// concurrent use.
type Impaired struct {
	inner   Transport
	begin   time.Time     // the epoch of all times here
	wake    chan struct{} // gets a value when the next datagram is due earlier than before
	closing chan struct{} // closed by Close
	done    chan struct{} // closed when the goroutine has ended
	once    sync.Once     // for the first call of Close
	failure error         // the error that Close returns

	mu      sync.Mutex // guards the fields below
	closed  bool
	known   destinations
	waiting schedule
	number  uint64 // the number of the last datagram in the schedule
	failed  uint64
	err     error
}

// Wrap returns a transport that impairs what is sent over another one. It takes ownership of that one, and must be
// closed, since it has a goroutine. The seed decides what happens by chance; each destination has its own random
// stream, by its number in the order of first use.
func Wrap(inner Transport, link netem.Link, seed uint64) (*Impaired, error) {
	if err := link.Validate(); err != nil {
		return nil, err
	}
	t := &Impaired{
		inner:   inner,
		begin:   time.Now(),
		wake:    make(chan struct{}, 1),
		closing: make(chan struct{}),
		done:    make(chan struct{}),
		known:   newDestinations(link, seed),
	}
	go t.run()
	return t, nil
}

// SetLink changes the link to all destinations, known and new, for datagrams sent from now on. If it is invalid
// nothing changes.
func (t *Impaired) SetLink(l netem.Link) error {
	if err := l.Validate(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.known.setLink(l)
}

// SetLinkTo changes the link to one destination, until SetLink changes all. If it
// is invalid nothing changes.
func (t *Impaired) SetLinkTo(to netip.AddrPort, l netem.Link) error {
	if err := l.Validate(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.known.find(to).path.SetLink(l)
}

// Send copies a datagram, and sends it to the transport when it is due. It returns an error only if the datagram is
// larger than netem.MaxSize, or after Close; errors of the transport come later and are counted ([Stats]).
func (t *Impaired) Send(to netip.AddrPort, datagram []byte) error {
	if len(datagram) > netem.MaxSize {
		return fmt.Errorf("a datagram of %d bytes: the most is %d", len(datagram), netem.MaxSize)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return net.ErrClosed
	}
	d := t.known.find(to)
	fate := d.path.Send(t.now(), len(datagram))
	for c := range fate.Copies {
		t.number++
		item := item{at: fate.At[c], number: t.number, to: d}
		switch first, ok := t.waiting.add(item, datagram, fate.Damage[c]); {
		case !ok:
			d.counted.Dropped++
		case first:
			t.alarm()
		}
	}
	return nil
}

// Close ends the goroutine and closes the transport, whose error it returns. Waiting datagrams are discarded. A second
// Close does nothing and returns the same.
func (t *Impaired) Close() error {
	t.once.Do(func() {
		t.mu.Lock()
		t.closed = true
		t.mu.Unlock()
		close(t.closing)
		t.failure = t.inner.Close() // must be first, in case a Send hangs
		<-t.done
	})
	return t.failure
}

func (t *Impaired) now() time.Duration { return time.Since(t.begin) }

// alarm makes the goroutine check the schedule again.
func (t *Impaired) alarm() {
	select {
	case t.wake <- struct{}{}:
	default: // it will check the schedule anyway
	}
}
