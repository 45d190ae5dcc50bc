package effects

import (
	"slices"
	"testing"
)

// strike is a payload with padding in memory, a bool and a bigger field.
type strike struct {
	Heavy  bool
	Damage uint64
	At     [2]int16
	local  [3]uint8 `canon:"-"`
}

// A payload is returned as it was emitted; fields that canon excludes are not
// transmitted.
func TestAPayloadComesBack(t *testing.T) {
	blow := OneShot[strike](7, "blow")
	j, err := NewJournal(Config{Kinds: []Declaration{blow}})
	if err != nil {
		t.Fatal(err)
	}
	p := strike{Heavy: true, Damage: 1 << 40, At: [2]int16{-1, 3}, local: [3]uint8{1}}
	j.Begin(0)
	blow.Emit(j.Emitter(), 9, p)
	ev := j.Flush(0, 0)[0]
	p.local = [3]uint8{}
	if got := blow.Payload(&ev); got != p {
		t.Errorf("got %+v, want %+v", got, p)
	}
	if want := []byte{1, 0, 0, 0, 0, 0, 1, 0, 0, 255, 255, 3, 0}; !slices.Equal(ev.Bytes(), want) {
		t.Errorf("the bytes are %v, want %v", ev.Bytes(), want)
	}
	if got, want := ev.String(), "started blow 9 at 0 [010000000000010000ffff0300]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A payload of no bytes and one of all that are allowed.
func TestPayloadsOfAllSizes(t *testing.T) {
	none, full := OneShot[struct{}](0, "none"), Sustained[[MaxPayload]uint8](255, "full")
	j, err := NewJournal(Config{Kinds: []Declaration{none, full}})
	if err != nil {
		t.Fatal(err)
	}
	var p [MaxPayload]uint8
	p[0], p[MaxPayload-1] = 1, 2
	j.Begin(0)
	none.Emit(j.Emitter(), 1, struct{}{})
	full.Emit(j.Emitter(), 2, p)
	events := j.Flush(0, 0)
	if len(events) != 2 || len(events[0].Bytes()) != 0 || full.Payload(&events[1]) != p || none.Payload(&events[0]) != (struct{}{}) {
		t.Errorf("got %v", texts(events))
	}
}

// A small payload in memory that had a large one is compared by its own bytes.
func TestPayloadsLeaveNothingBehind(t *testing.T) {
	small, full := OneShot[uint8](1, "small"), OneShot[[MaxPayload]uint8](2, "full")
	j, err := NewJournal(Config{Kinds: []Declaration{small, full}})
	if err != nil {
		t.Fatal(err)
	}
	j.Begin(0)
	for key := range uint32(2) { // fills a list
		full.Emit(j.Emitter(), key, [MaxPayload]uint8{31: 1})
	}
	j.Begin(0)
	small.Emit(j.Emitter(), 0, 5)
	j.Flush(0, 0)
	for range 3 { // in other lists, and in this one
		j.Begin(0)
		small.Emit(j.Emitter(), 0, 5)
		if events := j.Flush(0, 0); len(events) != 0 {
			t.Errorf("got %v", texts(events))
		}
	}
}

// A kind is recognized by its identity, not by its number.
func TestAKindKnowsItsOwnEvents(t *testing.T) {
	j := newJournal(t, Config{})
	j.Begin(0)
	hit.Emit(j.Emitter(), 1, 200)
	ev := j.Flush(0, 0)[0]
	if !hit.Is(&ev) || hit.Payload(&ev) != 200 || ev.Kind != hit.ID() {
		t.Errorf("%v is not a hit", &ev)
	}
	for _, other := range []Kind[uint8]{hum, OneShot[uint8](1, "hit"), hit.OnlyConfirmed(), {}} {
		if other.Is(&ev) || other.Payload(&ev) != 0 {
			t.Errorf("%v is a %q", &ev, other.Name())
		}
	}
	if (Kind[uint8]{}).Is(&Event{}) {
		t.Error("nothing is something")
	}
}

func TestAZeroKindIsHarmless(t *testing.T) {
	var k Kind[uint8]
	k = k.OnlyConfirmed()
	if k.ID() != 0 || k.Name() != "" {
		t.Error("a zero kind has an id or a name")
	}
	k.Emit(nil, 1, 2)
	j := newJournal(t, Config{})
	j.Begin(0)
	k.Emit(j.Emitter(), 1, 2)
	if j.Err() == nil || len(j.Flush(0, 0)) != 0 {
		t.Error("a zero kind was taken")
	}
}

func TestNobodyNeedsToListen(t *testing.T) { hit.Emit(nil, 1, 2) }

// An event names itself in a log.
func TestEventsReadWell(t *testing.T) {
	for want, ev := range map[string]Event{
		"started hit 7 at 3 late 2 [05]":     {What: Started, Kind: 1, Key: 7, Frame: 3, From: 3, Late: 2, spec: hit.spec, payload: payload{5}},
		"moved hit 7 from 3 to 5 [00]":       {What: Moved, Kind: 1, Key: 7, Frame: 5, From: 3, spec: hit.spec},
		"ended hum 7 at 9 since 3 [00]":      {What: Ended, Kind: 2, Key: 7, Frame: 9, From: 3, spec: hum.spec},
		"cancelled hum 4294967295 at 9 [00]": {What: Cancelled, Kind: 2, Key: 1<<32 - 1, Frame: 9, spec: hum.spec},
		"What(0) kind 0 0 at 0":              {},
		"What(9) kind 0 0 at 0":              {What: 9},
	} {
		if got := ev.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
