package speaker

import (
	"encoding/binary"
	"math"
	"sync"
)

// bend is by how much a queue plays faster or slower at most, to keep as many samples as it should. A match does the same, by
// up to 4 %, to keep pace with the others.
const bend = 0.05

// ramp is how many samples a sound takes to come back after a gap, and decay what is left of the last sample before it in the
// next one: both are short, and do not click.
const (
	ramp  = 128
	decay = 0.995
)

// Queue keeps samples from when a machine makes them to when a device plays them. One goroutine may write while another
// reads.
type Queue struct {
	mu     sync.Mutex
	keep   float64 // how many samples should wait
	ring   []float32
	next   int     // the index of the next sample to play
	have   int     // how many wait
	part   float64 // how much of the next sample has been played
	mean   float64 // how many wait, on the average of some time
	dry    bool    // it has played all, and waits until there are enough again
	gain   float64 // 0 to 1: how much of the samples is heard, after a gap
	held   float64 // what is left of the last one before the gap
	output float64 // the last sample played
	lost   uint64
}

// NewQueue returns an empty queue in which about so many samples should wait, at least 2. So many samples late a sound is
// heard; with fewer, pauses in which the machine makes none are heard sooner. It holds four times as many.
func NewQueue(keep int) *Queue {
	keep = max(keep, 2)
	return &Queue{keep: float64(keep), ring: make([]float32, 4*keep), dry: true}
}

// Write adds samples, from -1 to 1. It never waits: if there are too many, the oldest are lost, and as many are left as there
// should be.
func (q *Queue) Write(samples []float32) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if over := len(samples) - len(q.ring); over > 0 {
		samples = samples[over:]
		q.lost += uint64(over)
	}
	if over := q.have + len(samples) - len(q.ring); over > 0 {
		drop := min(max(over, q.have+len(samples)-int(q.keep)), q.have)
		q.next, q.have = (q.next+drop)%len(q.ring), q.have-drop
		q.lost += uint64(drop)
		q.interrupt()
		q.mean = q.keep
	}
	for _, s := range samples {
		q.ring[(q.next+q.have)%len(q.ring)] = s
		q.have++
	}
}

// Play fills out with the next samples. If there are none, it is silent until enough have come.
func (q *Queue) Play(out []float32) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.mean += (float64(q.have) - q.mean) / 16
	step := 1 + bend*min(max(2*(q.mean-q.keep)/q.keep, -1), 1) // fully at half as many, and half more
	for i := range out {
		out[i] = q.sample(step)
	}
}

// sample returns the next sample, and goes on by step samples.
func (q *Queue) sample(step float64) float32 {
	if q.dry && float64(q.have) >= q.keep {
		q.dry, q.mean = false, float64(q.have)
	}
	q.held *= decay
	if q.dry || q.have < 2 {
		if !q.dry {
			q.dry = true
			q.interrupt()
		}
		q.output = q.held
		return float32(q.output)
	}
	a, b := float64(q.ring[q.next]), float64(q.ring[(q.next+1)%len(q.ring)])
	q.gain = min(q.gain+1.0/ramp, 1)
	q.output = q.held*(1-q.gain) + (a+(b-a)*q.part)*q.gain
	q.part += step
	whole := min(int(q.part), q.have)
	q.part -= float64(whole)
	q.next, q.have = (q.next+whole)%len(q.ring), q.have-whole
	return float32(q.output)
}

// interrupt notes that the next sample does not follow the last one.
func (q *Queue) interrupt() { q.gain, q.held = 0, q.output }

// Read plays as many samples as fit into p, as 32-bit floats, little-endian: a device that reads a stream of one channel plays
// it. There is no end, and no error.
func (q *Queue) Read(p []byte) (int, error) {
	const size = 4
	var samples [256]float32
	n := len(p) / size * size
	for rest := p[:n]; len(rest) > 0; {
		part := samples[:min(len(samples), len(rest)/size)]
		q.Play(part)
		for _, s := range part {
			binary.LittleEndian.PutUint32(rest, math.Float32bits(s))
			rest = rest[size:]
		}
	}
	return n, nil
}

// Waiting returns how many samples wait, and how many were lost since there were too many.
func (q *Queue) Waiting() (samples int, lost uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.have, q.lost
}
