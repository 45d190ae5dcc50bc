package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

// Plans of the profile boundary have faults of every kind close to where matches begin and
// end, and at both ends of interruptions; and they survive a file.
func TestPlansOfBoundaries(t *testing.T) {
	kind := map[FaultKind]int{}
	end, begin, lobby, rematch, twice, resting := 0, 0, 0, 0, 0, 0
	for seed := range uint64(400) {
		p := drawn(t, seed, Boundary, 2+int(seed)%7, time.Minute)
		if again, err := ParsePlan(p.JSON()); err != nil || !again.Equal(&p) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		resting += btoi(p.Rest > 0)
		near := session.Frame(edge * time.Duration(p.TickRate) / time.Second)
		for i, f := range p.Faults {
			if p.watches(f.Machine) || p.watches(f.Other) {
				continue
			}
			kind[f.Kind]++
			switch {
			case f.Match == 0 && f.At > 1500*time.Millisecond+2*edge && f.Kind != Return && len(p.Faults) == 1:
				t.Errorf("seed %d: %v", seed, f)
			case f.Match == 0:
				begin++
			case f.Frame > 1 || session.Frame(-f.Frame) > near && f.Frame < 0:
				t.Errorf("seed %d: %v", seed, f)
			case f.Frame < 0:
				end++
			case f.Frame == 0:
				lobby++
			case f.Match > 1:
				rematch++
			}
			for _, o := range p.Faults[:i] {
				twice += btoi(o.Match == f.Match && o.Frame == f.Frame && (o.At-f.At).Abs() <= edge)
			}
		}
	}
	for k := Partition; k < kinds; k++ {
		if k != Desync && k != Restart && kind[k] < 10 {
			t.Errorf("%d faults of the kind %v", kind[k], k)
		}
	}
	if min(end, begin, lobby, rematch, twice, resting) < 60 {
		t.Errorf("%d at an end, %d as all begins, %d in a lobby, %d at a rematch, %d close to another one; %d rest", end, begin, lobby, rematch, twice, resting)
	}
}

// Rest is for how long all stay in the lobby after each match.
func TestAllRestInTheLobby(t *testing.T) {
	p := calmPlan(2, 60)
	p.Matches = 2
	short := playLedger(t, p)
	p.Rest = 2 * time.Second
	long := playLedger(t, p)
	allEnd(t, p, long)
	if more := long.Length - short.Length; more < 3900*time.Millisecond || more > 4300*time.Millisecond {
		t.Errorf("two rests of 2 s take %v", more)
	}
}
