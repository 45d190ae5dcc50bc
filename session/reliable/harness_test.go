package reliable

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// model is the naive channel: a queue.
type model struct {
	waiting   [][]byte
	delivered int
	bytes     int
}

var errDelivery = errors.New("delivery differs from the queue")

func (m *model) send(message []byte) { m.waiting = append(m.waiting, slices.Clone(message)) }

// deliver checks that message is the next one.
func (m *model) deliver(message []byte) error {
	if len(m.waiting) == 0 || !bytes.Equal(m.waiting[0], message) {
		return fmt.Errorf("%w: message %d of %d bytes, %d are waiting", errDelivery, m.delivered, len(message), len(m.waiting))
	}
	m.waiting = m.waiting[1:]
	m.delivered++
	m.bytes += len(message)
	return nil
}

// packet is a section under way.
type packet struct {
	at    time.Duration
	bytes []byte
}

// link carries sections one way, badly.
type link struct {
	random          *rand.Rand
	loss, duplicate int // percent
	delay, jitter   time.Duration
	underWay        []packet
	ancient         [][]byte // kept to come again at any time
}

func (l *link) percent(p int) bool { return l.random.IntN(100) < p }

func (l *link) send(section []byte, now time.Duration) {
	copies := 1
	if l.percent(l.duplicate) {
		copies = 2
	}
	if l.duplicate > 0 && (len(l.ancient) < 50 || l.percent(5)) {
		l.ancient = append(l.ancient, slices.Clone(section))
	}
	for range copies {
		if l.percent(l.loss) {
			continue
		}
		at := now + l.delay
		if l.jitter > 0 {
			at += time.Duration(l.random.Int64N(int64(l.jitter)))
		}
		l.underWay = append(l.underWay, packet{at, slices.Clone(section)})
	}
}

// receive returns what has arrived so far, by time of arrival.
func (l *link) receive(now time.Duration) (arrived [][]byte) {
	slices.SortStableFunc(l.underWay, func(a, b packet) int { return cmp.Compare(a.at, b.at) })
	for len(l.underWay) > 0 && l.underWay[0].at <= now {
		arrived = append(arrived, l.underWay[0].bytes)
		l.underWay = l.underWay[1:]
	}
	if l.duplicate > 0 && len(l.ancient) > 0 && l.percent(2) {
		arrived = append(arrived, l.ancient[l.random.IntN(len(l.ancient))])
	}
	return arrived
}

// end is a channel with its outgoing link, and what the other end has to
// deliver.
type end struct {
	*Channel
	out       *link
	sent      model
	bytesSent int
	sections  int
	scratch   []byte
}

func newEnd(out *link, config Config) *end {
	c, err := New(config)
	if err != nil {
		panic(err)
	}
	return &end{Channel: c, out: out}
}

// say sends a message if the backlog has room.
func (e *end) say(message []byte) error {
	err := e.Send(message)
	if err == nil {
		e.sent.send(message)
	}
	return err
}

// write sends a section of at most room bytes, if it has content, and checks
// that Due has predicted it.
func (e *end) write(room int, now time.Duration) error {
	at, any := e.Due(now)
	before := e.Pending()
	e.scratch = e.Append(append(e.scratch[:0], "datagram"...), room, now)
	section := e.scratch[len("datagram"):]
	switch due := any && at <= now; {
	case any && at < now:
		return fmt.Errorf("Due(%v) is %v, in the past", now, at)
	case len(section) > room:
		return fmt.Errorf("Append wrote %d bytes into a room of %d", len(section), room)
	case due && room >= FullRoom && len(section) == 0:
		return fmt.Errorf("Append(%v) wrote nothing, Due is %v", now, at)
	case !due && !e.sender.eager && len(section) > 0:
		return fmt.Errorf("Append(%v) wrote %x, Due is %v %v", now, section, at, any)
	case e.Pending() != before:
		return errors.New("Append changed what is pending")
	}
	if len(section) > 0 {
		e.out.send(section, now)
		e.bytesSent += len(section)
		e.sections++
	}
	return nil
}

// read consumes what has arrived from the other end.
func (e *end) read(from *end, now time.Duration) error {
	for _, section := range from.out.receive(now) {
		n, err := e.Consume(append(section, "next in the datagram"...), now)
		if err != nil || n != len(section) {
			return fmt.Errorf("Consume(%x): %d of %d bytes, %w", section, n, len(section), err)
		}
	}
	return nil
}

// take delivers at most so many messages.
func (e *end) take(from *end, most int) error {
	for range most {
		message, ok := e.Next()
		if !ok {
			return nil
		}
		if err := from.sent.deliver(message); err != nil {
			return err
		}
	}
	return nil
}

// pair is two ends in virtual time.
type pair struct {
	ends   [2]*end
	random *rand.Rand
	now    time.Duration
}

func newPair(seed uint64, l link, configs ...Config) *pair {
	p := &pair{random: rand.New(rand.NewPCG(seed, 0))}
	configs = append(configs, Config{}, Config{})
	for i := range p.ends {
		way := l
		way.random = p.random
		p.ends[i] = newEnd(&way, configs[i])
	}
	return p
}

// step lets both ends read, take and write.
func (p *pair) step(tick time.Duration, room int) error {
	p.now += tick
	for i, e := range p.ends {
		other := p.ends[1-i]
		if err := errors.Join(e.read(other, p.now), e.take(other, 1<<20), e.write(room, p.now)); err != nil {
			return fmt.Errorf("end %d at %v: %w", i, p.now, err)
		}
	}
	return nil
}

// quiet reports whether everything was delivered and neither end has anything
// to send.
func (p *pair) quiet() bool {
	for _, e := range p.ends {
		if _, any := e.Due(p.now); any || e.Pending() > 0 || len(e.sent.waiting) > 0 {
			return false
		}
	}
	return true
}

// message returns n random bytes.
func (p *pair) message(n int) []byte {
	m := make([]byte, 0, n+8)
	for len(m) < n {
		m = binary.LittleEndian.AppendUint64(m, p.random.Uint64())
	}
	return m[:n]
}
