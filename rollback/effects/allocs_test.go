package effects

import "testing"

// busy plays one tick: a new frame, a rollback of seven in which hits move,
// change and vanish and hums pause, and reads the payloads of the events.
func busy(j *Journal, tick uint32) (sum int) {
	e := j.Emitter()
	newest := j.next
	first := newest - min(newest, 7)
	for f := first; f <= newest; f++ {
		j.Begin(f)
		r := (uint32(f)*2654435761 + tick*40503) >> 8 // differs in each simulation
		for i := range r % 5 {
			hit.Emit(e, i, uint8(r>>i&1))
		}
		if r&32 != 0 {
			hum.Emit(e, 1, uint8(r>>9&1))
		}
		if (uint32(f)-tick/3)&15 < 8 {
			hum.Emit(e, 2, 0)
		}
		if uint32(f)&31 < 9 {
			hum.Emit(e, 4, 0)
		}
		ko.Emit(e, r>>4&3, 0)
		glow.Emit(e, 3, uint8(f))
	}
	events := j.Flush(first, first)
	for i := range events {
		for _, k := range kinds {
			sum += int(k.Payload(&events[i]))
		}
	}
	return sum + len(events) + int(j.Digest(newest)&1)
}

// A tick allocates nothing, whatever happens in it.
func TestATickAllocatesNothing(t *testing.T) {
	j := newJournal(t, Config{})
	tick := uint32(0)
	counts := map[What]int{}
	for ; tick < 2000; tick++ {
		busy(j, tick)
		for i := range j.events {
			counts[j.events[i].What]++
		}
	}
	for w := Started; w <= Confirmed; w++ {
		if counts[w] < 100 {
			t.Errorf("only %d events are %v: the workload is too tame", counts[w], w)
		}
	}
	if n := testing.AllocsPerRun(2000, func() { busy(j, tick); tick++ }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if err := j.Err(); err != nil {
		t.Error(err)
	}
}

// Emitting does not move a payload to the heap, however large.
func TestEmittingAllocatesNothing(t *testing.T) {
	full := OneShot[[MaxPayload]uint8](1, "full")
	j, err := NewJournal(Config{Kinds: []Declaration{full}})
	if err != nil {
		t.Fatal(err)
	}
	j.Begin(0)
	full.Emit(j.Emitter(), 0, [MaxPayload]uint8{})
	key := uint32(0)
	if n := testing.AllocsPerRun(100, func() {
		full.Emit(j.Emitter(), key%10, [MaxPayload]uint8{uint8(key)})
		key++
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A journal in which nothing is emitted takes no memory for emissions.
func TestSilenceTakesNoMemory(t *testing.T) {
	j := newJournal(t, Config{})
	f := Frame(0)
	if n := testing.AllocsPerRun(1000, func() { j.Begin(f); j.Flush(f, f); f++ }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if j.frames.free != nil || j.events != nil {
		t.Error("something was made")
	}
}
