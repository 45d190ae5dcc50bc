package desync

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// seldom is a configuration with which one state in 60 is kept.
func seldom() Config {
	c := everyState()
	c.Slow = true
	return c
}

// Rule: a peer says where its state comes from: it had kept it; or it has resimulated it
// from the previous state that it had kept; or it no longer can.
func TestWhereAStateComesFrom(t *testing.T) {
	for _, lines := range []bool{false, true} {
		for _, c := range []struct {
			cfg    Config
			at     uint32
			glitch bool
			source Origin
			base   uint32
		}{
			{everyState(), 101, false, Original, 101},
			{everyState(), 101, true, Original, 101},
			{everyState(), 120, true, Original, 120},
			{everyState(), 1, true, Original, 1},
			{seldom(), 119, false, Resimulated, 60},
			{seldom(), 120, false, Original, 120},
			{seldom(), 121, false, Resimulated, 120},
			{seldom(), 119, true, NotReproduced, 60},
			{seldom(), 1, true, NotReproduced, 0},
		} {
			tb := newTable(t, c.cfg, toy{size: 400, width: 8, lines: lines}, 1, 2)
			if c.glitch {
				tb.seats[1].glitch = flip(c.at-1, 50)
			} else {
				tb.seats[1].game.wrong = flip(c.at-1, 50)
			}
			most := 0
			for range 230 {
				steps := tb.seats[1].game.steps
				tb.run(1)
				most = max(most, tb.seats[1].game.steps-steps)
			}
			r := tb.report()
			if c.source >= Resimulated && most != int(min(r.State-c.base, 4)) {
				t.Errorf("%d frames are run in a period", most)
			}
			what := fmt.Sprintf("lines %v: %+v", lines, c)
			if r.State != c.at || r.Peers[1].Origin != c.source || r.Peers[1].Base != c.base {
				t.Errorf("%s: state %d, %+v", what, r.State, r.Peers[1])
			}
			if first := r.Peers[0].Origin; first != min(c.source, Resimulated) {
				t.Errorf("%s: the other one is %v", what, first)
			}
			if c.source == NotReproduced {
				if r.Peers[1].Hash != r.Groups[0] || len(r.Fields) > 0 || r.Total > 0 || r.AtLeast {
					t.Errorf("%s: %+v and fields %v", what, r.Peers[1], r.Fields)
				}
			} else if len(r.Fields) != 1 {
				t.Errorf("%s: fields %v", what, r.Fields)
			}
		}
	}
}

// Rule: a machine that still has the original state speaks for its group; otherwise one that
// has resimulated it; otherwise the one with the lowest player.
func TestWhoSpeaksForAGroup(t *testing.T) {
	for _, holder := range []int{0, 1, 2} {
		tb := newTable(t, seldom(), smallToy(), 1, 2, 4, 8)
		tb.seats[3].game.wrong = flip(100, 50)
		tb.run(70)
		if s := &tb.seats[holder].evidence.snapshots; holder > 0 {
			s.unit, s.next = 101, 101 // this one keeps other states
		}
		asked := [3]int{}
		for i := range asked {
			tb.seats[i].silent = func(kind Kind, body []byte) bool {
				if kind == Answer && step(body[4]) == askParts {
					asked[i]++
				}
				return false
			}
		}
		tb.run(100)
		if r := tb.report(); r.Peers[holder].Origin != Original && holder > 0 || len(r.Fields) != 1 {
			t.Errorf("%+v", r.Peers)
		}
		for i, n := range asked {
			if (n > 0) != (i == holder && i > 0) { // the first one asks itself without a message
				t.Errorf("%d has the state, and %d is asked %d times", holder, i, n)
			}
		}
	}
}

// Rule: if a sandbox fails or panics, that says why the state is not available; nothing else
// happens.
func TestASandboxThatFails(t *testing.T) {
	for _, what := range []string{"new", "load", "step", "hash", "marshal", "text"} {
		for i := range 4 {
			lines, panics := i&1 != 0, i&2 != 0
			tb := newTable(t, seldom(), toy{size: 100, width: 4, lines: lines}, 1, 2, 4)
			tb.seats[1].game.wrong = flip(100, 50)
			tb.seats[2].game.wrong = flip(100, 51)
			long := "no " + what + strings.Repeat("!", 200)
			tb.seats[1].game.trouble, tb.seats[1].game.panics = map[string]error{what: errors.New(long)}, panics
			why := long[:120]
			if panics {
				why = ("the game panicked: " + long)[:120]
			}
			if what == "load" {
				why = ("state 60 was refused: " + why)[:120]
			}
			tb.run(200)
			r := tb.report()
			p := r.Peers[1]
			fails := what != "marshal" && what != "text" || lines == (what == "text")
			if fails && (p.Origin != Unavailable || p.Why != why || p.Hash != 0 || p.Base != 0) {
				t.Errorf("%s fails, with lines: %v, panics: %v: %+v", what, lines, panics, p)
			}
			if !fails && p.Origin != Resimulated {
				t.Errorf("%s is not needed, with lines: %v: %+v", what, lines, p)
			}
			if len(r.Fields) == 0 {
				t.Errorf("%s fails, and nothing is known of the others", what)
			}
			for _, f := range r.Fields {
				if fails && f.Values[p.Group].Kind != Untold {
					t.Errorf("%s fails, and %v is known", what, f)
				}
			}
		}
	}
}

// Rule: the report says what was not kept: the hash, the states, or the inputs.
func TestWhatIsNotKept(t *testing.T) {
	tb := newTable(t, seldom(), smallToy(), 1, 2, 4, 8)
	tb.seats[0].game.wrong = flip(100, 50)
	tb.seats[1].evidence.Disable()
	tb.seats[2].past.end = 100
	tb.run(210)
	r := tb.report()
	if p := r.Peers[1]; p.Origin != Unavailable || p.Why != "no snapshots are kept" || p.Group == None {
		t.Errorf("%+v", p)
	}
	if p := r.Peers[2]; p.Origin != Unavailable || p.Why != "the inputs of frame 100 are no longer held" || p.Inputs != Unknown {
		t.Errorf("%+v", p)
	}
	if r.Peers[3].Origin != Resimulated || r.Peers[3].Inputs != Same {
		t.Errorf("%+v", r.Peers[3])
	}
	var re restoring
	re.begin(&tb.seats[3].evidence, tb.seats[3].game, 1<<20)
	if a := re.found; string(a.why) != "its hash is no longer held" || !re.done || a.source != Unavailable {
		t.Errorf("%+v", re)
	}
}

// Rule: inputs are compared with those of the coordinator, as far as both have them: at
// most the 64 frames before.
func TestInputsAreCompared(t *testing.T) {
	for _, c := range []struct {
		frame uint32
		want  Sameness
	}{{100, Different}, {99, Different}, {101 - 64, Different}} {
		tb := newTable(t, everyState(), smallToy(), 1, 2, 4)
		tb.seats[1].cheat = func(inputs []byte, frame uint32) {
			if frame == c.frame {
				inputs[0]++
			}
		}
		tb.seats[0].glitch = flip(c.frame, 90)
		tb.run(170)
		r := tb.report()
		if r.Peers[0].Inputs != Same || r.Peers[1].Inputs != c.want || r.Peers[2].Inputs != Same {
			t.Errorf("frame %d differs: %v, %v, %v", c.frame, r.Peers[0].Inputs, r.Peers[1].Inputs, r.Peers[2].Inputs)
		}
	}
	tb := newTable(t, everyState(), smallToy(), 1, 2)
	tb.run(300)
	e := &tb.seats[0].evidence
	first := e.inputs.First()
	for _, c := range []struct {
		from, to uint32
		held     bool
	}{
		{200, 264, true},
		{200, 265, false},
		{200, 201, true},
		{200, 200, false},
		{201, 200, false},
		{first, first + 1, true},
		{first - 1, first + 1, false},
		{299, 300, true},
		{299, 301, false},
	} {
		if got := e.inputsDigest(c.from, c.to) != 0; got != c.held {
			t.Errorf("frames %d to %d: %v", c.from, c.to, got)
		}
	}
	if e.inputsDigest(200, 210) == e.inputsDigest(200, 211) || e.inputsDigest(200, 210) != tb.seats[1].evidence.inputsDigest(200, 210) {
		t.Error("a digest is of the inputs, and of nothing else")
	}
	if off := (&Evidence{}); off.inputsDigest(0, 1) != 0 {
		t.Error("one that is off has inputs")
	}
	for state, want := range map[uint32]uint32{300: 236, first + 64: first, first + 65: first + 1, first + 10: first, 20: 20} {
		if got := e.inputsFrom(state); got != want {
			t.Errorf("before state %d inputs are compared from frame %d, and not %d", state, got, want)
		}
	}
}
