package desync

import (
	"bytes"
	"strings"
	"testing"
)

// told makes the report of a match that differs in a state.
func told(t *testing.T, cfg Config, g toy, state uint32, players ...uint16) *Report {
	t.Helper()
	tb := newTable(t, cfg, g, players...)
	tb.seats[1].game.wrong = flip(state-1, 50)
	tb.run(int(state)/int(cfg.Every)*int(cfg.Every) + int(cfg.Every) + 60)
	r := tb.report()
	if r.State != state {
		t.Fatalf("state %d is said to be the first, and not %d", r.State, state)
	}
	return r
}

// Rule: a report has the inputs of 64 frames or more, and the state before them, if they
// are held and fit: from the newest state that is that far back, or the oldest one.
func TestTheInputsOfAReport(t *testing.T) {
	wide := everyState()
	wide.Shape.InputSize = 50
	for _, c := range []struct {
		what         string
		cfg          Config
		size         int
		state, first uint32
		begins       bool
	}{
		{"from the beginning", everyState(), 200, 50, 0, true},
		{"64 frames", everyState(), 200, 64, 0, true},
		{"64 frames, later", everyState(), 200, 65, 1, true},
		{"from a state before those", seldom(), 200, 170, 60, true},
		{"a state without room", everyState(), maxState + 1, 190, 190 - 64, false},
		{"with a state that has just room", everyState(), maxState, 190, 190 - 64, true},
		{"one without room, kept seldom", seldom(), maxState + 1, 190, 190 - 64, false},
	} {
		c.cfg.Budget = 1 << 24
		r := told(t, c.cfg, toy{size: c.size, width: 8}, c.state, 1, 2)
		if r.First != c.first || (r.Begin != nil) != c.begins {
			t.Errorf("%s: from %d, with a state: %v", c.what, r.First, r.Begin != nil)
		}
	}
	// 400 incompressible bytes a frame: there is no room for 64 frames.
	r := told(t, wide, smallToy(), 190, 1, 2, 4, 8, 16, 32, 64, 128)
	if n := r.State - r.First; n != 32 || r.Begin != nil {
		t.Errorf("%d frames, %d bytes", n, len(r.Inputs))
	}
}

// If no state that far back is held, a report begins with the oldest one: a few frames
// that can be replayed are better than more that cannot.
func TestAReportBeginsWithTheOldestState(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2)
	tb.run(200)
	e := &tb.seats[0].evidence
	for len(e.snapshots.list) > 0 && e.snapshots.list[0].state < 190 {
		e.snapshots.list = e.snapshots.list[1:]
	}
	r := Report{State: 200}
	if e.tell(&r); r.First != 190 || !bytes.Equal(r.Begin, tb.seats[0].history[190]) || len(r.Inputs) == 0 {
		t.Errorf("from %d, %d bytes", r.First, len(r.Inputs))
	}
	e.snapshots.list = e.snapshots.list[9:10] // one of those from 190 on
	newest := e.snapshots.list[0].state
	r = Report{State: newest + 1}
	if e.tell(&r); r.First != newest || r.Begin == nil {
		t.Errorf("with a single state, %d, from %d on, %d bytes", newest, r.First, len(r.Begin))
	}
	r = Report{State: newest} // it is the state that differs, and says nothing about earlier ones
	if e.tell(&r); r.First != newest-64 || r.Begin != nil {
		t.Errorf("from %d, %d bytes", r.First, len(r.Begin))
	}
	e.snapshots.list = nil
	r = Report{State: 190}
	if e.tell(&r); r.First != 190-64 || r.Begin != nil {
		t.Errorf("from %d, %d bytes", r.First, len(r.Begin))
	}
}

// Rule: for each member a report says whether its inputs were the same as ours, if both are
// known.
func TestInputsAreComparedIfBothAreKnown(t *testing.T) {
	for _, c := range []struct {
		ours, theirs uint64
		want         Sameness
	}{
		{0, 0, 0}, {0, 5, 0}, {5, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, Same}, {1, 1, Same}, {5, 6, Different}, {1, 5, Different},
	} {
		m := member{entries: []uint64{7}, state: answer{source: 1, inputs: c.theirs}}
		if got := m.peerOf([]uint64{7}, c.ours).Inputs; got != c.want {
			t.Errorf("ours %d, theirs %d: %v, want %v", c.ours, c.theirs, got, c.want)
		}
	}
}

// Rule: a report has at most 16 KiB of inputs, with fewer frames if they do not fit; none at
// all if one is too large.
func TestInputsHaveRoomOrNone(t *testing.T) {
	tb := newTable(t, everyState(), smallToy(), 1, 2)
	tb.run(200)
	e := &tb.seats[0].evidence
	all, ok := encode(e.cfg.Shape, e.inputs.Frame, 150, 200, maxInputs)
	if !ok {
		t.Fatal("they are held")
	}
	if b, ok := encode(e.cfg.Shape, e.inputs.Frame, 150, 200, len(all)); !ok || !bytes.Equal(b, all) {
		t.Error("there is just room for them")
	}
	if _, ok := encode(e.cfg.Shape, e.inputs.Frame, 150, 200, len(all)-1); ok {
		t.Error("there is no room for them")
	}
	e.inputs = &past{TB: t}
	r := Report{State: 120}
	if e.tell(&r); r.First != 120 || r.Inputs != nil || r.Begin != nil {
		t.Errorf("no inputs are held, and there are some from %d on", r.First)
	}
}

// Rule: of the game's own parameters a report has the first 4 KiB, and says whether that is
// all.
func TestParametersAreTold(t *testing.T) {
	for _, n := range []int{0, 4 << 10, 4<<10 + 1} {
		tb := newTable(t, everyState(), smallToy(), 1, 2)
		data := bytes.Repeat([]byte("d"), n)
		for _, s := range tb.seats {
			s.Begin(Report{Game: "toy", Match: 1, TickRate: 60, Data: data, Whole: true})
		}
		tb.seats[0].glitch = flip(10, 50)
		tb.run(100)
		r, err := Decode(tb.seats[1].Report())
		if err != nil || len(r.Data) != min(n, 4<<10) || r.Whole != (n <= 4<<10) {
			t.Errorf("%d bytes: %v, %d, whole %v", n, err, len(r.Data), r.Whole)
		}
	}
}

// Rule: a report has as many fields as there is room for in 60 KiB, and says that there are
// more if it leaves some out.
func TestFieldsThatHaveNoRoomAreLeftOut(t *testing.T) {
	r := aReport()
	r.Groups = []uint64{1, 2, 3, 4, 5, 6, 7, 8}
	r.Fields, r.Total, r.AtLeast = nil, MaxFields, false
	for range MaxFields {
		f := Field{Path: strings.Repeat("p", maxItem)}
		for range r.Groups {
			f.Values = append(f.Values, Value{strings.Repeat("v", maxValue), Present})
		}
		r.Fields = append(r.Fields, f)
	}
	each := 1 + maxItem + 8*(2+maxValue)
	b := r.Bytes()
	got, err := Decode(b)
	if err != nil || len(b) > 60<<10 || len(b)+each <= 60<<10 || !got.AtLeast || got.Total != MaxFields {
		t.Errorf("%v: %d bytes, %d fields, at least %v", err, len(b), len(got.Fields), got.AtLeast)
	}
	r = aReport()
	r.Fields, r.AtLeast = r.Fields[:1], false
	r.Begin = nil
	r.Begin = make([]byte, MaxReport-len(r.Append(nil)))
	if b := r.Bytes(); len(b) != MaxReport || len(r.Fields) != 1 || r.AtLeast {
		t.Errorf("there is just room: %d bytes, %d fields", len(b), len(r.Fields))
	}
	r.Begin = append(r.Begin, 0)
	if r.Bytes(); len(r.Fields) != 0 || !r.AtLeast {
		t.Error("there is no room for a field")
	}
}

// Rule: more than 64 fields are counted as far as they are known, and the first are named.
func TestNoMoreThan64FieldsAreNamed(t *testing.T) {
	for _, n := range []int{63, 64, 65, 300} {
		for _, lines := range []bool{false, true} {
			tb := newTable(t, everyState(), toy{size: 2000, width: 4, lines: lines}, 1, 2)
			var at []int
			for i := range n {
				at = append(at, 4+4*i)
			}
			tb.seats[1].glitch = flip(100, at...)
			tb.run(200)
			r := tb.report()
			if len(r.Fields) != min(n, 64) || !r.AtLeast && int(r.Total) != n || n < 64 && r.AtLeast || n == 300 && !r.AtLeast {
				t.Errorf("%d differ, lines %v: %d are named, of %d, at least %v", n, lines, len(r.Fields), r.Total, r.AtLeast)
			}
			if n >= 64 && !lines && r.Fields[63].Path != "Cell[0064]" {
				t.Errorf("the last one is %s", r.Fields[63].Path)
			}
		}
	}
}

// Rule: the first state that differs is found among any number of them, with questions about
// at most 960 hashes.
func TestTheFirstOfManyStates(t *testing.T) {
	for _, hashEvery := range []uint32{1, 3} {
		c := Config{HashEvery: hashEvery, Every: 3000, Budget: 1 << 20}
		for _, state := range []uint32{1, 2, 5, 6, 959, 960, 961, 962, 1920, 1921, 2879, 2880, 2881, 2882, 2999, 3000} {
			tb := newTable(t, c, toy{size: 40, width: 4}, 1, 2)
			tb.seats[0].game.wrong = flip(state-1, 30)
			for _, s := range tb.seats {
				s.silent = func(kind Kind, body []byte) bool {
					var a answer
					if kind == Answer && (a.consume(body) != nil || len(a.entries) > 960) {
						t.Errorf("%d hashes", len(a.entries))
					}
					return false
				}
			}
			tb.run(3030)
			if r, want := tb.report(), (state+hashEvery-1)/hashEvery*hashEvery; r.State != want {
				t.Errorf("state %d, and not %d", r.State, want)
			}
		}
	}
}

// Rule: up to 960 states are queried at once; of more, those that follow only if all of them are equal.
func TestQuestionsAboutHashes(t *testing.T) {
	for _, c := range []struct {
		hashEvery, every, wrong uint32 // what is wrong is seen in the state after
		counts                  []uint16
	}{
		{1, 960, 0, []uint16{960}},
		{1, 960, 959, []uint16{960}},
		{1, 961, 959, []uint16{960}},
		{1, 961, 960, []uint16{960, 1}},
		{1, 2000, 1919, []uint16{960, 960}},
		{1, 2000, 1920, []uint16{960, 960, 80}},
		{3, 2880, 2879, []uint16{960}},
		{3, 2883, 2880, []uint16{960, 1}},
	} {
		questionsAboutHashes(t, c.hashEvery, c.every, c.wrong, c.counts)
	}
}

func questionsAboutHashes(t *testing.T, hashEvery, every, wrong uint32, counts []uint16) {
	t.Helper()
	tb := newTable(t, Config{HashEvery: hashEvery, Every: every, Budget: 1 << 20}, toy{size: 40, width: 4}, 1, 2)
	tb.seats[0].game.wrong = flip(wrong, 30)
	var asked []ask
	tb.seats[0].silent = func(kind Kind, body []byte) bool {
		var a ask
		if err := a.consume(body); kind == Ask && err == nil && a.step == askHashes {
			asked = append(asked, a)
		}
		return false
	}
	tb.run(int(every) + 40)
	tb.report()
	if len(asked) != len(counts) {
		t.Fatalf("every %d of %d, from %d on: %+v", hashEvery, every, wrong, asked)
	}
	from := hashEvery
	for i, a := range asked {
		if a.from != from || a.count != counts[i] {
			t.Errorf("every %d of %d, from %d on: %+v", hashEvery, every, wrong, a)
		}
		from += uint32(a.count) * hashEvery
	}
}
