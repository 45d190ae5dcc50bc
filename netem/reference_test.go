package netem

import (
	"bytes"
	"slices"
	"time"
)

// reference is a network as documented, written without regard to speed. Only the random words and the jitter are the
// real ones.
type reference struct {
	nodes  int
	now    time.Duration
	links  map[[2]int]*referenceLink
	flying []flight // in order of arrival
	number int
}

type referenceLink struct {
	Link
	cut, burst bool
	luck       luck
	idle       time.Duration
	latest     time.Duration
	newest     int
	stats      Stats
}

type flight struct {
	at       time.Duration
	number   int
	from, to int
	payload  []byte
}

func newReference(nodes int, seed uint64) *reference {
	r := &reference{nodes: nodes, now: beginning, links: map[[2]int]*referenceLink{}}
	for from := range nodes {
		for to := range nodes {
			r.links[[2]int{from, to}] = &referenceLink{luck: newLuck(seed, uint64(from), uint64(to)), idle: beginning, latest: beginning}
		}
	}
	return r
}

// happens is the definition of a probability, without a division.
func happens(p PPM, random uint32) bool { return uint64(random)*1_000_000 < uint64(p)<<32 }

func (r *reference) send(now time.Duration, from, to int, payload []byte) {
	now = max(now, r.now)
	r.now = now
	l := r.links[[2]int{from, to}]
	var words [wordsPerDatagram]uint64
	for i := range words {
		l.luck += golden
		words[i] = mix(uint64(l.luck - golden))
	}
	l.stats.Sent++
	l.stats.SentBytes += uint64(len(payload))
	change, loss := l.Burst.Begin, l.Loss
	if l.burst {
		change = l.Burst.End
	}
	if happens(change, uint32(words[wordLoss]>>32)) {
		l.burst = !l.burst
	}
	if l.burst {
		loss = l.Burst.Loss
	}
	if l.cut || l.Down {
		l.stats.Cut++
		return
	}
	if l.MTU > 0 && len(payload)+l.Overhead > l.MTU {
		l.stats.Dropped++
		return
	}
	leaves := now
	if l.Bandwidth > 0 {
		leaves = max(now, l.idle) + time.Duration(int64(len(payload)+l.Overhead)*1e9/l.Bandwidth)
		room := DefaultQueueTime
		if l.Queue > 0 {
			room = time.Duration(int64(l.Queue) * 1e9 / l.Bandwidth)
		}
		if l.idle > now && leaves-now > room {
			l.stats.Dropped++
			return
		}
		l.idle = leaves
	}
	if happens(loss, uint32(words[wordLoss])) {
		l.stats.Lost++
		return
	}
	damaged := happens(l.Corrupt, uint32(words[wordAccident]>>32))
	r.arrive(l, leaves, words[wordJitter], damaged, words[wordDamage], flight{from: from, to: to, payload: payload})
	if happens(l.Duplicate, uint32(words[wordAccident])) {
		l.stats.Duplicated++
		damaged = happens(l.Corrupt, uint32(words[wordCopyAccident]>>32))
		r.arrive(l, leaves, words[wordCopyJitter], damaged, words[wordCopyDamage], flight{from: from, to: to, payload: payload})
	}
}

func (r *reference) arrive(l *referenceLink, leaves time.Duration, jitter uint64, damaged bool, damage uint64, f flight) {
	f.at = leaves + l.Delay + l.Distribution.draw(l.Jitter, jitter)
	if !l.Reorder {
		f.at = max(f.at, l.latest)
	}
	l.latest = max(l.latest, f.at)
	f.payload = bytes.Clone(f.payload)
	if damaged {
		l.stats.Corrupted++
		FlipBits(f.payload, damage|1)
	}
	r.number++
	f.number = r.number
	i := 0
	for i < len(r.flying) && r.flying[i].at <= f.at {
		i++
	}
	r.flying = slices.Insert(r.flying, i, f)
}

func (r *reference) receive(now time.Duration) (flight, bool) {
	r.now = max(r.now, now)
	if len(r.flying) == 0 || r.flying[0].at > now {
		return flight{}, false
	}
	f := r.flying[0]
	r.flying = r.flying[1:]
	l := r.links[[2]int{f.from, f.to}]
	l.stats.Delivered++
	l.stats.DeliveredBytes += uint64(len(f.payload))
	if f.number < l.newest {
		l.stats.Overtaken++
	}
	l.newest = max(l.newest, f.number)
	return f, true
}
