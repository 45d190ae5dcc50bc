package speaker

import (
	"encoding/binary"
	"io"
	"math"
	"testing"
)

// tone is a machine that makes a tone.
type tone struct{ at int }

const perFrame = 734 // samples of a frame

func (m *tone) frame() []float32 {
	list := make([]float32, perFrame)
	for i := range list {
		list[i] = float32(0.5 * math.Sin(2*math.Pi*float64(m.at)/100))
		m.at++
	}
	return list
}

// steepest returns the largest step between two samples.
func steepest(samples []float32) (most float64) {
	for i := 1; i < len(samples); i++ {
		most = max(most, math.Abs(float64(samples[i]-samples[i-1])))
	}
	return most
}

// click is more than any step of the tone, also when it is played as fast as possible.
const click = 0.05

// Rule: whatever the pace of the machine, no sound clicks, and what waits stays near what should.
func TestPaces(t *testing.T) {
	const keep = 3 * perFrame
	for _, tt := range []struct {
		name   string
		frames func(picture int) int // of the machine
	}{
		{"as fast", func(int) int { return 1 }},
		{"4 % faster", func(p int) int { return (p+1)*104/100 - p*104/100 }},
		{"4 % slower", func(p int) int { return (p+1)*96/100 - p*96/100 }},
		{"two at a time", func(p int) int { return p % 2 * 2 }},
	} {
		q, m, heard := NewQueue(keep), &tone{}, []float32(nil)
		for p := range 1200 {
			for range tt.frames(p) {
				q.Write(m.frame())
			}
			out := make([]float32, perFrame)
			q.Play(out)
			heard = append(heard, out...)
			if have, lost := q.Waiting(); p > 300 && (have == 0 || have > 2*keep || lost != 0) {
				t.Fatalf("%s: in picture %d %d samples wait, and %d are lost", tt.name, p, have, lost)
			}
		}
		if got := steepest(heard); got > click {
			t.Errorf("%s: a step of %.3f", tt.name, got)
		}
		quiet := 0
		for _, s := range heard[len(heard)/2:] {
			if math.Abs(float64(s)) < 0.01 {
				quiet++
			}
		}
		if quiet > len(heard)/2/20 { // a sine is that near to zero for 1.3 % of its time
			t.Errorf("%s: %d samples of %d are silent", tt.name, quiet, len(heard)/2)
		}
	}
}

// Rule: gaps, and too many samples at once, fade; nobody waits, and nothing grows.
func TestGaps(t *testing.T) {
	const keep = 2 * perFrame
	q, m, heard := NewQueue(keep), &tone{}, []float32(nil)
	play := func() {
		out := make([]float32, perFrame)
		q.Play(out)
		heard = append(heard, out...)
	}
	for round := range 20 {
		for range 10 {
			q.Write(m.frame())
			play()
		}
		for range round { // the machine stops
			play()
		}
		if round > 4 {
			if loud := heard[len(heard)-1]; math.Abs(float64(loud)) > 0.01 {
				t.Errorf("after %d pictures without sound the last sample is %v", round, loud)
			}
		}
		for range round { // and catches up
			q.Write(m.frame())
		}
		if have, _ := q.Waiting(); have > 4*keep {
			t.Fatalf("%d samples wait", have)
		}
	}
	if got := steepest(heard); got > click {
		t.Errorf("a step of %.3f", got)
	}
	if _, lost := q.Waiting(); lost == 0 {
		t.Error("nothing was lost: this is no test of that")
	}
	q.Write(make([]float32, 10*keep))
	if have, _ := q.Waiting(); have > 4*keep || have < keep {
		t.Errorf("%d samples wait after more than fit", have)
	}
}

// Rule: an empty queue is silent, and so is one that was given too little to begin.
func TestSilence(t *testing.T) {
	q := NewQueue(100)
	q.Write(make([]float32, 99))
	out := []float32{1, 1, 1}
	q.Play(out)
	if have, _ := q.Waiting(); have != 99 || out != nil && (out[0] != 0 || out[2] != 0) {
		t.Errorf("%v, and %d wait", out, have)
	}
	NewQueue(-1).Play(out)
}

// Rule: a stream has the same samples, as far as they fit.
func TestStream(t *testing.T) {
	a, b := NewQueue(perFrame), NewQueue(perFrame)
	for _, q := range []*Queue{a, b} {
		m := &tone{}
		q.Write(m.frame())
		q.Write(m.frame())
	}
	want := make([]float32, 256) // it plays so many at once
	a.Play(want)
	p := make([]byte, 4*len(want)+3)
	n, err := b.Read(p)
	if n != 4*len(want) || err != nil {
		t.Fatal(n, err)
	}
	for i, w := range want {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(p[4*i:])); got != w {
			t.Fatalf("sample %d is %v, want %v", i, got, w)
		}
	}
	if n, err := io.ReadFull(b, make([]byte, 10000)); n != 10000 || err != nil {
		t.Error(n, err)
	}
}

// Rule: a machine writes while a device reads.
func TestTwoGoroutines(t *testing.T) {
	q, m := NewQueue(perFrame), &tone{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 200 {
			q.Write(m.frame())
		}
	}()
	var heard []float32
	for range 200 {
		out := make([]float32, perFrame)
		q.Play(out)
		heard = append(heard, out...)
	}
	<-done
	if have, lost := q.Waiting(); have > 4*perFrame || lost > 200*perFrame {
		t.Errorf("%d samples wait, and %d are lost", have, lost)
	}
	if got := steepest(heard); got > click {
		t.Errorf("a step of %.3f", got)
	}
}
