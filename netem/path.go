package netem

import (
	"math"
	"math/bits"
	"time"
)

// Path is one direction of a connection: a [Link], its current state (when the queue is empty, whether there is a
// burst), and a random stream. It carries no data; it only decides the fate of each datagram. A [Network] has one for
// each pair of nodes; use it alone to impair something else.
//
// Each datagram of a path has eight random words of its own, which depend only on the seed, the names and the number of
// the datagram. So two runs that differ in the settings of a link, or in what is sent on other links, still get the
// same random words on it.
//
// A path is for one goroutine.
type Path struct {
	link  Link
	cut   bool
	burst uint8 // 1 during a burst, else 0
	lossy bool  // whether there can be losses at all

	loss      [2]chance // of a loss: outside of bursts, and in a burst
	change    [2]chance // that a burst begins, and that it ends
	duplicate chance
	corrupt   chance
	full      time.Duration // time to send a full queue
	perByte   uint64        // time to send a byte, in units of 2^-32 ns

	luck   luck          // the random words of the next datagram
	idle   time.Duration // when the last datagram will have been sent
	latest time.Duration // the latest arrival so far
	newest uint64        // the place of the newest received datagram in the order of sending

	stats Stats
}

// beginning is a time before all others.
const beginning = time.Duration(math.MinInt64)

// NewPath returns a path with a perfect link. The names of its ends distinguish it from other paths with the same seed.
func NewPath(seed, from, to uint64) *Path {
	p := new(Path)
	p.init(seed, from, to)
	return p
}

func (p *Path) init(seed, from, to uint64) {
	*p = Path{luck: newLuck(seed, from, to), idle: beginning, latest: beginning}
}

// SetLink changes the settings for the next datagrams. Datagrams that wait or are in flight are not affected. If the
// link is invalid nothing changes.
func (p *Path) SetLink(l Link) error {
	if err := l.Validate(); err != nil {
		return err
	}
	p.setLink(&l)
	return nil
}

func (p *Path) setLink(l *Link) {
	p.link = *l
	p.loss = [2]chance{l.Loss.chance(), l.Burst.Loss.chance()}
	p.change = [2]chance{l.Burst.Begin.chance(), l.Burst.End.chance()}
	p.duplicate = l.Duplicate.chance()
	p.corrupt = l.Corrupt.chance()
	p.full = l.queueTime()
	p.perByte = l.perByte()
	p.lossy = l.Loss > 0 || l.Burst.Begin > 0
	if l.Burst.Begin == 0 {
		p.burst = 0
	}
}

// Link returns the current settings.
func (p *Path) Link() Link { return p.link }

// Stats returns the statistics of the decisions so far. A path that is used alone is not informed of deliveries, so
// Delivered, DeliveredBytes and Overtaken are 0.
func (p *Path) Stats() Stats { return p.stats }

// Fate describes what happens to a datagram.
type Fate struct {
	// Copies is how often the datagram arrives: 0, 1 or 2 times.
	Copies int
	// At has the arrival times of the copies. The first is the original, which may be later than its copy.
	At [2]time.Duration
	// Damage is 0 for an intact copy. Otherwise it is random, for [FlipBits] or the like.
	Damage [2]uint64
}

// Send decides the fate of a datagram that is sent now. The size is that of its payload,
// at most [MaxSize]. Times should not go back.
func (p *Path) Send(now time.Duration, size int) Fate {
	var f Fate
	p.send(now, size, &f)
	return f
}

// send does the work of Send, and sets the fate, which must be all zeros.
func (p *Path) send(now time.Duration, size int, f *Fate) {
	luck := p.luck
	p.luck = luck.next()
	p.stats.Sent++
	p.stats.SentBytes += uint64(size)

	// Bursts also advance when the datagram does not get onto the wire.
	lost := p.lossy && p.loses(luck.word(wordLoss))
	if p.link.Down || p.cut {
		p.stats.Cut++
		return
	}
	if p.link.MTU > 0 && size+p.link.Overhead > p.link.MTU {
		p.stats.Dropped++
		return
	}
	leaves := now
	if p.perByte > 0 {
		var ok bool
		if leaves, ok = p.leave(now, size); !ok {
			p.stats.Dropped++
			return
		}
	}
	if lost {
		p.stats.Lost++
		return
	}
	p.arrive(leaves, luck, f)
}

// loses advances the Gilbert-Elliott chain, and decides whether the datagram is lost.
func (p *Path) loses(word uint64) bool {
	if p.change[p.burst&1].happens(uint32(word >> 32)) {
		p.burst ^= 1
	}
	return p.loss[p.burst&1].happens(uint32(word))
}

// leave puts a datagram into the queue and returns when it will have been sent, unless the queue is full.
func (p *Path) leave(now time.Duration, size int) (time.Duration, bool) {
	hi, lo := bits.Mul64(uint64(size+p.link.Overhead), p.perByte)
	takes := time.Duration(hi<<32 | lo>>32)
	if p.idle <= now {
		p.idle = now + takes
		return p.idle, true
	}
	if p.idle-now+takes > p.full {
		return 0, false
	}
	p.idle += takes
	return p.idle, true
}

// arrive decides when a datagram that is not lost arrives, and in which condition.
func (p *Path) arrive(leaves time.Duration, luck luck, f *Fate) {
	f.Copies = 1
	f.At[0] = p.arrival(leaves, luck, wordJitter)
	if p.duplicate|p.corrupt == 0 {
		return
	}
	word := luck.word(wordAccident)
	if p.corrupt.happens(uint32(word >> 32)) {
		f.Damage[0] = p.damage(luck, wordDamage)
	}
	if !p.duplicate.happens(uint32(word)) {
		return
	}
	p.stats.Duplicated++
	f.Copies = 2
	f.At[1] = p.arrival(leaves, luck, wordCopyJitter)
	if p.corrupt.happens(uint32(luck.word(wordCopyAccident) >> 32)) {
		f.Damage[1] = p.damage(luck, wordCopyDamage)
	}
}

func (p *Path) arrival(leaves time.Duration, luck luck, word uint64) time.Duration {
	at := leaves + p.link.Delay
	if p.link.Jitter > 0 {
		at += p.link.Distribution.draw(p.link.Jitter, luck.word(word))
	}
	latest := max(at, p.latest)
	p.latest = latest
	if !p.link.Reorder {
		return latest
	}
	return at
}

func (p *Path) damage(luck luck, word uint64) uint64 {
	p.stats.Corrupted++
	return luck.word(word) | 1 // never 0
}

// received counts a datagram that has arrived, by its place in the order of
// sending, which begins at 1.
func (p *Path) received(order uint64, size int) {
	p.stats.Delivered++
	p.stats.DeliveredBytes += uint64(size)
	if order < p.newest {
		p.stats.Overtaken++
	} else {
		p.newest = order
	}
}
