package air_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/bench/peers/air"
)

// Rule: datagrams fare as the file says, which the program in Rust follows, too.
func TestDatagramsFareAsInTheProgramsInRust(t *testing.T) {
	text, err := os.ReadFile("../testdata/air.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		lines++
		var w air.Weather
		var from, to, tick, want int
		var nth uint32
		if _, err := fmt.Sscan(line, &w.Seed, &w.DelayUS, &w.JitterUS, &w.LossPPM, &from, &to, &tick, &nth, &want); err != nil {
			t.Fatal(err)
		}
		got, lost := w.Fate(from, to, tick, nth)
		if lost != (want == 0) || got != want {
			t.Errorf("%s: %d, %v", strings.TrimSpace(line), got, lost)
		}
	}
	if lines < 20 {
		t.Errorf("only %d lines", lines)
	}
}

// Rule: a datagram arrives in the first tick after its delay, once, and unchanged.
func TestADatagramArrivesInTheFirstTickAfterItsDelay(t *testing.T) {
	for _, c := range []struct{ delay, ticks int }{{0, 1}, {16_000, 1}, {17_000, 2}, {50_000, 4}} {
		a := air.New(air.Weather{DelayUS: c.delay}, 2)
		var got []string
		for range 10 {
			tick := a.Tick()
			if tick == 1 {
				b := []byte("hello")
				a.Send(0, 1, b)
				clear(b)
			}
			a.Receive(1, func(from int, b []byte) { got = append(got, fmt.Sprint(tick-1, from, string(b))) })
			a.Receive(0, func(int, []byte) { t.Error("the sender has received something") })
		}
		if want := []string{fmt.Sprint(c.ticks, 0, "hello")}; !slices.Equal(got, want) {
			t.Errorf("after %d us: %q, want %q", c.delay, got, want)
		}
		if a.Datagrams != 1 || a.Bytes != 5 {
			t.Errorf("%d datagrams, %d bytes", a.Datagrams, a.Bytes)
		}
	}
}

// Rule: as many datagrams are lost as the weather says, and the delays are spread evenly.
func TestTheWeatherIsWhatWasAskedFor(t *testing.T) {
	w := air.Weather{Seed: 3, DelayUS: 50_000, JitterUS: 20_000, LossPPM: 100_000}
	const n = 100_000
	gone, after := 0, map[int]int{}
	for i := range n {
		ticks, lost := w.Fate(0, 1, i, 0)
		if lost {
			gone++
		} else {
			after[ticks]++
		}
	}
	if gone < n*97/1000 || gone > n*103/1000 {
		t.Errorf("%d of %d are lost, at 10 %%", gone, n)
	}
	// From 30 to 70 ms: 3.3 ms of it are the second tick, 16.7 ms the third and the fourth, and 3.3 ms the fifth.
	if len(after) != 4 || after[3] < 4*after[2] || after[4] < 4*after[5] {
		t.Errorf("ticks until they arrive: %v", after)
	}
}

// Rule: a datagram that is too long, or for nobody, is a mistake of the program.
func TestAMistakeOfTheProgramPanics(t *testing.T) {
	for _, f := range []func(*air.Air){
		func(a *air.Air) { a.Send(0, 2, nil) },
		func(a *air.Air) { a.Send(0, 1, make([]byte, air.MaxDatagram+1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f(air.New(air.Weather{}, 2))
		}()
	}
}
