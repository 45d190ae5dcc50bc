package predict_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/predict"
)

func TestConfigurationsThatMakeNoSenseAreRefused(t *testing.T) {
	type memory struct{ List []int }
	for name, change := range map[string]func(c *predict.Config[pose, stick]){
		"no step":         func(c *predict.Config[pose, stick]) { c.Step = nil },
		"no cadence":      func(c *predict.Config[pose, stick]) { c.Cadence = 0 },
		"cadence below 0": func(c *predict.Config[pose, stick]) { c.Cadence = -cadence },
		"unit":            func(c *predict.Config[pose, stick]) { c.Unit = 7 * ms },
		"unit below 0":    func(c *predict.Config[pose, stick]) { c.Unit = -1 },
		"longest":         func(c *predict.Config[pose, stick]) { c.Longest = cadence - 1 },
		"longest below 0": func(c *predict.Config[pose, stick]) { c.Longest = -1 },
		"room":            func(c *predict.Config[pose, stick]) { c.Room = -1 },
		"room above":      func(c *predict.Config[pose, stick]) { c.Room = predict.MaxRoom + 1 },
		"hitch":           func(c *predict.Config[pose, stick]) { c.Hitch = cadence - 1 },
	} {
		c := predict.Config[pose, stick]{Motion: motion()}
		change(&c)
		if _, err := predict.New(pose{}, c); !errors.Is(err, predict.ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
	shared := predict.Config[memory, stick]{Motion: predict.Motion[memory, stick]{Cadence: 1, Step: func(*memory, stick, time.Duration) {}}}
	if _, err := predict.New(memory{}, shared); !errors.Is(err, predict.ErrConfig) {
		t.Errorf("a state that shares memory: %v", err)
	}
	pointed := predict.Config[pose, *int]{Motion: predict.Motion[pose, *int]{Cadence: 1, Step: func(*pose, *int, time.Duration) {}}}
	if _, err := predict.New(pose{}, pointed); !errors.Is(err, predict.ErrConfig) {
		t.Errorf("an input that shares memory: %v", err)
	}
}

func TestTheEndsOfAConfigurationAreTaken(t *testing.T) {
	for _, c := range []predict.Config[pose, stick]{
		{Motion: predict.Motion[pose, stick]{Step: drive, Cadence: cadence, Longest: cadence}, Room: 1, Hitch: cadence},
		{Motion: predict.Motion[pose, stick]{Step: drive, Cadence: time.Minute}, Room: predict.MaxRoom},
		{Motion: predict.Motion[pose, stick]{Step: drive, Cadence: 1}},
	} {
		p, err := predict.New(pose{}, c)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Do(stick{}, c.Cadence); err != nil {
			t.Error(err)
		}
		due := 0
		for _, err := range p.Advance(c.Cadence, func() stick { return stick{} }) {
			if due++; err != nil && c.Room != 1 {
				t.Error(err)
			}
		}
		want(t, "due", due, 1)
	}
}

// What the guide says of those who say nothing.
func TestTheDefaultsAreThoseOfTheGuide(t *testing.T) {
	want(t, "room", predict.DefaultRoom, 128)
	want(t, "silence", predict.DefaultSilence, 2*time.Second)
	want(t, "most room", predict.MaxRoom, 16384)
	want(t, "limit", predict.DefaultLimit, 250*ms)
	want(t, "longest", predict.DefaultLongest, 250*ms)
}

// Rule: a predictor has room for the moves of two seconds, at any cadence, and for 128 at least; and no more than there can
// be.
func TestThereIsRoomForTwoSeconds(t *testing.T) {
	for cadence, room := range map[time.Duration]int{
		time.Second: 128, 50 * ms: 128, time.Second / 60: 128, 10 * ms: 200, ms: 2000, 50 * time.Microsecond: predict.MaxRoom, 1: predict.MaxRoom,
	} {
		p, err := predict.New(pose{}, predict.Config[pose, stick]{Motion: predict.Motion[pose, stick]{Step: drive, Cadence: cadence}})
		if err != nil {
			t.Fatal(err)
		}
		moves := 0
		for err == nil {
			if _, err = p.Do(stick{}, 0); err == nil {
				moves++
			}
		}
		want(t, fmt.Sprint("moves at a cadence of ", cadence), moves, room)
	}
}

func TestDurationsOfMovesHaveBounds(t *testing.T) {
	m := predict.Motion[pose, stick]{Step: drive, Cadence: cadence, Unit: ms}
	for d, ok := range map[time.Duration]bool{
		0: true, ms: true, cadence: true, predict.DefaultLongest: true,
		-ms: false, predict.DefaultLongest + ms: false, ms / 2: false, ms + 1: false,
	} {
		if err := m.Check(d); ok != (err == nil) || !ok && !errors.Is(err, predict.ErrDuration) {
			t.Errorf("%v: %v", d, err)
		}
	}
	m.Unit = 0
	want(t, "a nanosecond is the least", m.Check(1), nil)
	m.Cadence, m.Longest = 1, 1
	want(t, "the longest is no more than it says", errors.Is(m.Check(2), predict.ErrDuration), true)
	p := newClient(t, 8)
	if _, err := p.Do(stick{}, ms/2); !errors.Is(err, predict.ErrDuration) {
		t.Error(err)
	}
	want(t, "moves", p.Stats().Moves, 0)
	want(t, "newest", p.Newest(), 0)
}

// A move of no duration changes nothing, and is pending until it is acknowledged.
func TestAMoveOfNoDuration(t *testing.T) {
	p := newClient(t, 8)
	do(t, p, stick{Throttle: 2}, 0)
	want(t, "state", *p.State(), pose{})
	want(t, "pending", p.Len(), 1)
	want(t, "replayed", p.Rebuild().Replayed, 1)
	want(t, "acknowledged", accept(t, p, 1, 1, pose{}).Acknowledged, 1)
}

// A duration below the cadence is one part, and the next move begins a new one.
func TestMovesBelowTheCadence(t *testing.T) {
	p := newClient(t, 8)
	do(t, p, stick{Throttle: 2}, 20*ms, 30*ms, 20*ms)
	want(t, "parts", p.State().Parts, 3)
	live := *p.State()
	want(t, "replayed", *p.Rebuild().After, live)
}

func TestWithNothingPendingTheStateIsTheBase(t *testing.T) {
	p := newClient(t, 8)
	want(t, "at the start", *p.Rebuild().After, pose{})
	want(t, "pending", p.Len(), 0)
	c := accept(t, p, 1, 0, pose{Heading: 4})
	want(t, "acknowledged", c.Acknowledged+c.Replayed, 0)
	want(t, "before", *c.Before, pose{})
	want(t, "after", *c.After, pose{Heading: 4})
	want(t, "base", *p.Base(), pose{Heading: 4})
	for range p.Pending() {
		t.Error("something is pending")
	}
}

func TestTheStateAtTheStartIsTheBase(t *testing.T) {
	p, err := predict.New(pose{Heading: 9}, predict.Config[pose, stick]{Motion: motion()})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "state", *p.State(), pose{Heading: 9})
	do(t, p, stick{Throttle: 1}, cadence)
	want(t, "before the server says anything", *p.Rebuild().After, naive(pose{Heading: 9}, stick{Throttle: 1}, cadence))
}

func TestOldAndRepeatedUpdatesAreIgnoredAndCounted(t *testing.T) {
	p := newClient(t, 8)
	do(t, p, stick{Throttle: 1}, cadence, cadence, cadence)
	accept(t, p, 7, 2, pose{Heading: 1})
	state := *p.State()
	for _, c := range []struct {
		frame predict.Frame
		acked predict.Tick
	}{{7, 2}, {6, 1}, {6, 3}, {7, 1}, {0, 0}} {
		got := accept(t, p, c.frame, c.acked, pose{Heading: 2})
		want(t, "taken", got.Taken, false)
		want(t, "acknowledged", got.Acknowledged, 0)
		want(t, "before", *got.Before, state)
		want(t, "after", *got.After, state)
	}
	want(t, "stats", p.Stats(), predict.Stats{Moves: 3, Accepted: 1, Old: 3, Repeated: 2, Replayed: 1})
	want(t, "acked", p.Acked(), 2)
	want(t, "pending", p.Len(), 1)
}

// Frame 0 is a frame like any other, and the same acknowledgement may come with news.
func TestLaterStatesMayAcknowledgeNoMore(t *testing.T) {
	p := newClient(t, 8)
	do(t, p, stick{}, cadence, cadence)
	want(t, "the first", accept(t, p, 0, 1, pose{Heading: 1}).Taken, true)
	want(t, "the next", accept(t, p, 1, 1, pose{Heading: 2}).Taken, true)
	want(t, "state", p.State().Heading, 2)
	want(t, "again", accept(t, p, 1, 1, pose{Heading: 3}).Taken, false)
}

func TestUpdatesThatAreWrongChangeNothing(t *testing.T) {
	p := newClient(t, 8)
	do(t, p, stick{Throttle: 1}, cadence, cadence, cadence)
	accept(t, p, 5, 2, pose{Heading: 1})
	state, base := *p.State(), *p.Base()
	for name, c := range map[string]struct {
		u    predict.Update[pose]
		want error
	}{
		"another player":          {predict.Update[pose]{Player: 2, Frame: 6, Acked: 2}, predict.ErrPlayer},
		"the future":              {predict.Update[pose]{Player: 3, Frame: 6, Acked: 4}, predict.ErrFuture},
		"the end of ticks":        {predict.Update[pose]{Player: 3, Frame: 6, Acked: math.MaxUint32}, predict.ErrFuture},
		"an acknowledgement back": {predict.Update[pose]{Player: 3, Frame: 6, Acked: 1}, predict.ErrAckBack},
	} {
		got, err := p.Accept(&c.u)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		want(t, name, got, predict.Correction[pose]{Before: p.State(), After: p.State()})
	}
	want(t, "state", *p.State(), state)
	want(t, "base", *p.Base(), base)
	want(t, "acked", p.Acked(), 2)
	want(t, "stats", p.Stats(), predict.Stats{Moves: 3, Accepted: 1, Refused: 4, Replayed: 1})
	want(t, "what is right is taken", accept(t, p, 6, 3, pose{}).Taken, true)
}

// Rule: a server that has moves of an earlier client counts on: the first update says from where, if it
// comes before the first move. After a move or an update, what was never made cannot be acknowledged.
func TestTheFirstUpdateSaysWhereTheCountBegins(t *testing.T) {
	p := newClient(t, 8)
	want(t, "the first update", accept(t, p, 7, 100, pose{Heading: 5}).Taken, true)
	want(t, "state", p.State().Heading, 5)
	want(t, "acked", p.Acked(), 100)
	m, err := p.Do(stick{Throttle: 1}, cadence)
	want(t, "error", err, nil)
	want(t, "the next move", m.Tick, 101)
	want(t, "acknowledged", accept(t, p, 8, 101, pose{}).Acknowledged, 1)
	future := func(what string, p *predict.Predictor[pose, stick], acked predict.Tick) {
		t.Helper()
		if _, err := p.Accept(&predict.Update[pose]{Player: 3, Frame: 9, Acked: acked}); !errors.Is(err, predict.ErrFuture) {
			t.Errorf("%s: %v", what, err)
		}
	}
	future("after an update", p, 102)

	p = newClient(t, 8)
	accept(t, p, 1, 0, pose{})
	future("after an update that counts from the beginning", p, 1)

	p = newClient(t, 8)
	do(t, p, stick{}, cadence)
	future("after a move", p, 100)

	p = newClient(t, 8) // the move is numbered as the server counts, which is heard later
	want(t, "error", p.Play(predict.Move[stick]{Tick: 101, Input: stick{Throttle: 1}, For: cadence}), nil)
	want(t, "acknowledged", accept(t, p, 7, 100, pose{}).Acknowledged, 0)
	want(t, "pending", p.Len(), 1)

	p = newClient(t, 8)
	accept(t, p, 7, math.MaxUint32, pose{})
	if _, err := p.Do(stick{}, cadence); !errors.Is(err, predict.ErrOrder) {
		t.Errorf("after the last tick: %v", err)
	}
}

func TestTicksGoForward(t *testing.T) {
	p := newClient(t, 8)
	for _, c := range []struct {
		tick predict.Tick
		want error
	}{{0, predict.ErrOrder}, {4, nil}, {4, predict.ErrOrder}, {3, predict.ErrOrder}, {9, nil}} {
		if err := p.Play(predict.Move[stick]{Tick: c.tick, For: cadence}); !errors.Is(err, c.want) {
			t.Errorf("%d: %v", c.tick, err)
		}
	}
	m, err := p.Do(stick{Turn: 1}, 20*ms)
	want(t, "the next one", m, predict.Move[stick]{Tick: 10, Input: stick{Turn: 1}, For: 20 * ms})
	want(t, "error", err, nil)
	// An acknowledgement may name a tick that no move has.
	want(t, "acknowledged", accept(t, p, 1, 8, pose{}).Acknowledged, 1)
	if got := ticks(p); !slices.Equal(got, []predict.Tick{9, 10}) {
		t.Error(got)
	}
}

func TestAfterTheLastTickThereIsNone(t *testing.T) {
	p := newClient(t, 8)
	if err := p.Play(predict.Move[stick]{Tick: math.MaxUint32 - 1}); err != nil {
		t.Fatal(err)
	}
	do(t, p, stick{}, 0)
	if m, err := p.Do(stick{}, 0); !errors.Is(err, predict.ErrOrder) || m.Tick != 0 {
		t.Error(m, err)
	}
	want(t, "moves", p.Len(), 2)
}

func TestAFullBufferRefusesMovesUntilTheServerAnswers(t *testing.T) {
	p := newClient(t, 3)
	do(t, p, stick{Throttle: 1}, cadence, cadence, cadence)
	state := *p.State()
	for range 2 {
		if m, err := p.Do(stick{Throttle: 1}, cadence); !errors.Is(err, predict.ErrFull) || m.Tick != 0 {
			t.Error(m, err)
		}
	}
	want(t, "state", *p.State(), state)
	want(t, "newest", p.Newest(), 3)
	accept(t, p, 1, 1, naive(pose{}, stick{Throttle: 1}, cadence))
	do(t, p, stick{Throttle: 1}, cadence)
	if got := ticks(p); !slices.Equal(got, []predict.Tick{2, 3, 4}) {
		t.Error(got)
	}
}

func TestAdvanceMakesTheMovesThatAreDue(t *testing.T) {
	p := newClient(t, 8)
	turn := int8(0)
	sample := func() stick { turn++; return stick{Turn: turn} }
	var made []predict.Move[stick]
	advance := func(d time.Duration) {
		t.Helper()
		for m, err := range p.Advance(d, sample) {
			if err != nil {
				t.Fatal(err)
			}
			made = append(made, m)
		}
	}
	advance(49 * ms)
	want(t, "not due yet", len(made), 0)
	want(t, "balance", p.Balance(), 49*ms)
	advance(62 * ms)
	if want := []predict.Move[stick]{{Tick: 1, Input: stick{Turn: 1}, For: cadence}, {Tick: 2, Input: stick{Turn: 2}, For: cadence}}; !slices.Equal(made, want) {
		t.Errorf("%v, want %v", made, want)
	}
	if got := slices.Collect(p.Pending()); !slices.Equal(got, made) {
		t.Errorf("pending: %v", got)
	}
	advance(10 * time.Second)
	want(t, "moves after a hitch", len(made), 2+int(predict.DefaultLimit/cadence))
	want(t, "dropped", p.Dropped(), 10*time.Second+11*ms-predict.DefaultLimit)
}

// What is left when the caller stops is due the next time, and so is what nobody asks
// for.
func TestAdvanceKeepsWhatIsNotTaken(t *testing.T) {
	p := newClient(t, 8)
	sample := func() stick { return stick{} }
	for range p.Advance(2*cadence, sample) {
		break
	}
	p.Advance(cadence, sample)
	want(t, "made", p.Newest(), 1)
	want(t, "balance", p.Balance(), 2*cadence)
	for range p.Advance(0, sample) {
	}
	want(t, "made", p.Newest(), 3)
}

// A server that has fallen silent stops the moves, not the caller's loop, and asks for
// no input in vain.
func TestAdvanceStopsAtAFullBuffer(t *testing.T) {
	p := newClient(t, 2)
	asked, failed := 0, 0
	advance := func(d time.Duration) {
		for m, err := range p.Advance(d, func() stick { asked++; return stick{} }) {
			if err != nil {
				failed++
				if !errors.Is(err, predict.ErrFull) || m.Tick != 0 {
					t.Error(m, err)
				}
			}
		}
	}
	advance(3 * cadence)
	advance(0)
	want(t, "asked", asked, 2)
	want(t, "failed", failed, 2)
	want(t, "balance", p.Balance(), cadence)
	accept(t, p, 1, 2, pose{})
	advance(0)
	want(t, "asked", asked, 3)
	want(t, "failed", failed, 2)
}

func TestACallerMayStopReadingWhatIsPending(t *testing.T) {
	p := newClient(t, 4)
	do(t, p, stick{}, cadence, cadence, cadence)
	n := 0
	for range p.Pending() {
		if n++; n == 2 {
			break
		}
	}
	want(t, "read", n, 2)
	want(t, "pending", p.Len(), 3)
}

// A state with memory of its own is copied by the game.
func TestStatesWithMemoryAreCopied(t *testing.T) {
	type trail struct{ List []int64 }
	copies := 0
	m := predict.Motion[trail, int8]{
		Cadence: cadence,
		Step:    func(s *trail, in int8, d time.Duration) { s.List = append(s.List, int64(d)*int64(in)) },
		Copy: func(dst, src *trail) {
			copies++
			dst.List = append(dst.List[:0], src.List...)
		},
	}
	start := trail{List: make([]int64, 1, 100)}
	p, err := predict.New(start, predict.Config[trail, int8]{Motion: m})
	if err != nil {
		t.Fatal(err)
	}
	for in := range int8(3) {
		if _, err := p.Do(in+1, 70*ms); err != nil {
			t.Fatal(err)
		}
	}
	live := slices.Clone(p.State().List)
	u := predict.Update[trail]{Frame: 1, State: trail{List: []int64{0}}}
	c, err := p.Accept(&u)
	want(t, "error", err, nil)
	u.State.List[0] = 9 // the update is the caller's again
	if !slices.Equal(c.Before.List, live) || !slices.Equal(c.After.List, live) || !slices.Equal(p.Rebuild().After.List, live) {
		t.Errorf("before %v, after %v, rebuilt %v, want %v", c.Before.List, c.After.List, p.State().List, live)
	}
	want(t, "the start is left alone", start.List[0], 0)
	if copies == 0 || len(start.List) != 1 {
		t.Error(copies, start)
	}
}
