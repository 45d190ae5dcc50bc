package effects

import (
	"fmt"
	"testing"
)

// checker follows a stream of events as a presentation would, and finds events
// that no presentation should ever get.
type checker struct {
	shots     map[occurrence]bool // that are shown
	confirmed map[occurrence]bool // that were confirmed
	sounds    map[said]*shownSound
}

func newChecker() *checker {
	return &checker{map[occurrence]bool{}, map[occurrence]bool{}, map[said]*shownSound{}}
}

// whose returns the identity of an event.
func whose(e *Event) said {
	for _, k := range kinds {
		if k.Is(e) {
			return said{k: k, key: e.Key}
		}
	}
	panic("an event of no kind")
}

// consume says what is wrong with the next event.
func (c *checker) consume(e *Event) error {
	who := whose(e)
	if who.is(onlyConfirmed) && (e.What == Moved || e.What == Cancelled) {
		return fmt.Errorf("%v: it was said to be certain", e)
	}
	if e.What != Moved && e.What != Ended && e.From != e.Frame {
		return fmt.Errorf("%v: From is %d", e, e.From)
	}
	if who.is(sustained) {
		return c.sound(who, e)
	}
	return c.shot(occurrence{who, int(e.From)}, occurrence{who, int(e.Frame)}, e)
}

// shot takes an event of a one-shot effect.
func (c *checker) shot(from, to occurrence, e *Event) error {
	starts := e.What == Started
	if c.confirmed[from] || starts == c.shots[from] || e.What == Ended {
		return fmt.Errorf("%v: shown %v, confirmed %v", e, c.shots[from], c.confirmed[from])
	}
	if e.What == Moved && (from == to || c.shots[to] || c.confirmed[to]) {
		return fmt.Errorf("%v: it is there already", e)
	}
	delete(c.shots, from)
	if e.What == Confirmed {
		c.confirmed[to] = true
	} else if e.What != Cancelled {
		c.shots[to] = true
	}
	return nil
}

// sound takes an event of a sustained effect.
func (c *checker) sound(who said, e *Event) error {
	on := c.sounds[who]
	switch {
	case e.What == Started && on == nil:
		c.sounds[who] = &shownSound{start: int(e.Frame)}
		return nil
	case e.What == Started || on == nil || on.start != int(e.From):
		return fmt.Errorf("%v: on %+v", e, on)
	case on.confirmed && (e.What == Moved || e.What == Cancelled || e.What == Confirmed):
		return fmt.Errorf("%v: it is confirmed", e)
	case e.What == Moved && e.From == e.Frame:
		return fmt.Errorf("%v: it is there already", e)
	case e.What == Ended && e.Frame < e.From:
		return fmt.Errorf("%v: before it began", e)
	case e.What == Ended || e.What == Cancelled:
		delete(c.sounds, who)
		return nil
	}
	on.start, on.confirmed = int(e.Frame), on.confirmed || e.What == Confirmed
	return nil
}

// finish reports errors when all frames are final and silence has followed:
// confirmed effects that the frames do not emit, or effects that are still shown.
func (c *checker) finish(line [][]said) error {
	if len(c.shots)+len(c.sounds) > 0 {
		return fmt.Errorf("still shown: %v %v", c.shots, c.sounds)
	}
	count := 0
	for f, list := range line {
		for _, e := range list {
			if e.is(sustained) {
				continue
			}
			if count++; !c.confirmed[occurrence{e.anonymous(), f}] {
				return fmt.Errorf("%s %d at %d was not confirmed", e.k.Name(), e.key, f)
			}
		}
	}
	if count != len(c.confirmed) {
		return fmt.Errorf("%d occurrences were confirmed, %d happened", len(c.confirmed), count)
	}
	return nil
}

// The negative control of the checker: each of these streams is wrong in its last
// event, and in no other.
func TestTheCheckerFindsWhatIsWrong(t *testing.T) {
	at := func(w What, k Kind[uint8], from, to Frame) Event {
		return Event{What: w, Kind: k.ID(), Key: 1, Frame: to, From: from, spec: k.spec}
	}
	start := at(Started, hit, 5, 5)
	on := at(Started, hum, 5, 5)
	for name, stream := range map[string][]Event{
		"started twice":            {start, start},
		"started after confirmed":  {start, at(Confirmed, hit, 5, 5), start},
		"cancelled when confirmed": {start, at(Confirmed, hit, 5, 5), at(Cancelled, hit, 5, 5)},
		"cancelled twice":          {start, at(Cancelled, hit, 5, 5), at(Cancelled, hit, 5, 5)},
		"moved from nowhere":       {start, at(Moved, hit, 6, 7)},
		"moved onto another":       {start, at(Started, hit, 6, 6), at(Moved, hit, 5, 6)},
		"moved nowhere":            {start, at(Moved, hit, 5, 5)},
		"updated but not shown":    {at(Updated, hit, 5, 5)},
		"a hit ended":              {start, at(Ended, hit, 5, 6)},
		"a certain one cancelled":  {at(Started, ko, 5, 5), at(Cancelled, ko, 5, 5)},
		"From of no meaning":       {at(Started, hit, 4, 5)},
		"on twice":                 {on, on},
		"ended twice":              {on, at(Ended, hum, 5, 6), at(Ended, hum, 5, 6)},
		"ended before it began":    {on, at(Ended, hum, 5, 4)},
		"confirmed twice":          {on, at(Confirmed, hum, 5, 5), at(Confirmed, hum, 5, 5)},
		"a confirmed hum gone":     {on, at(Confirmed, hum, 5, 5), at(Cancelled, hum, 5, 5)},
		"another beginning":        {on, at(Updated, hum, 6, 6)},
	} {
		c := newChecker()
		for i := range stream {
			if err := c.consume(&stream[i]); (err != nil) != (i == len(stream)-1) {
				t.Errorf("%s: event %d: %v", name, i, err)
			}
		}
	}
	for name, c := range map[string]struct {
		stream []Event
		line   [][]said
	}{
		"still shown":            {[]Event{start}, nil},
		"still on":               {[]Event{on}, nil},
		"confirmed, not emitted": {[]Event{at(Started, hit, 0, 0), at(Confirmed, hit, 0, 0)}, [][]said{{}}},
		"emitted, not confirmed": {nil, [][]said{{{k: hit, key: 1}}}},
	} {
		checker := newChecker()
		for i := range c.stream {
			if err := checker.consume(&c.stream[i]); err != nil {
				t.Fatal(err)
			}
		}
		if checker.finish(c.line) == nil {
			t.Errorf("%s: not found", name)
		}
	}
}
