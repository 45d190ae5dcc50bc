package spectate

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/session/pipe"
	"github.com/tickback/tickback/session/reliable"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: each setting has its bounds, and what is 0 has its usual value.
func TestSettingsHaveBounds(t *testing.T) {
	c := Config{Max: 5}
	if err := c.Complete(); err != nil || fmt.Sprint(c) != fmt.Sprint(Config{Max: 5, MaxPerAddress: 5, Rate: 1 << 20, LogBytes: 16 << 20, Timeout: 5 * time.Second}) {
		t.Errorf("%+v, %v", c, err)
	}
	for name, c := range map[string]struct{ good, bad Config }{
		"Max is -1, must be 0 to 32":                                     {Config{Max: 0}, Config{Max: -1}},
		"Max is 33, must be 0 to 32":                                     {Config{Max: 32}, Config{Max: 33}},
		"MaxPerAddress is -1, must be 1 to Max, 4":                       {Config{Max: 4, MaxPerAddress: 1}, Config{Max: 4, MaxPerAddress: -1}},
		"MaxPerAddress is 5, must be 1 to Max, 4":                        {Config{Max: 4, MaxPerAddress: 4}, Config{Max: 4, MaxPerAddress: 5}},
		"Delay is -1 frames, must be 0 to 262144":                        {Config{Delay: 0}, Config{Delay: -1}},
		"Delay is 262145 frames, must be 0 to 262144":                    {Config{Delay: 1 << 18}, Config{Delay: 1<<18 + 1}},
		"Rate is 11999 bytes a second, must be 12000 to 1073741824":      {Config{Rate: 12_000}, Config{Rate: 11_999}},
		"Rate is 1073741825 bytes a second, must be 12000 to 1073741824": {Config{Rate: 1 << 30}, Config{Rate: 1<<30 + 1}},
		"LogBytes is 65535, must be 65536 to 1073741824":                 {Config{LogBytes: 64 << 10}, Config{LogBytes: 64<<10 - 1}},
		"LogBytes is 1073741825, must be 65536 to 1073741824":            {Config{LogBytes: 1 << 30}, Config{LogBytes: 1<<30 + 1}},
		"Timeout is 999.999999ms, must be a second to a minute":          {Config{Timeout: time.Second}, Config{Timeout: time.Second - 1}},
		"Timeout is 1m0.000000001s, must be a second to a minute":        {Config{Timeout: time.Minute}, Config{Timeout: time.Minute + 1}},
		"Token: the token has 15 bytes, must have 16 to 64":              {Config{Token: make([]byte, 16)}, Config{Token: make([]byte, 15)}},
		"Token: the token has 65 bytes, must have 16 to 64":              {Config{Token: make([]byte, 64)}, Config{Token: make([]byte, 65)}},
		"Token: the token has 0 bytes, must have 16 to 64":               {Config{}, Config{Token: []byte{}}},
	} {
		if err := c.good.Complete(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := c.bad.Complete(); err == nil || err.Error() != "Spectators."+name {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct {
		Config
		want bool
	}{{Config{}, false}, {Config{Max: 1}, true}, {Config{Token: hallToken}, true}} {
		want(t, "Welcomes", c.Welcomes(), c.want)
	}
}

// Rule: requests and ends come back as they were, and only whole.
func TestRequestsAndEndsComeBack(t *testing.T) {
	r := request{1, 2, 3, 4, transfer{5, 6, 7}, 6}
	b := r.append(nil)
	var got request
	if err := got.consume(b[1:]); b[0] != messageRequest || err != nil || got != r {
		t.Errorf("%v: %+v", err, got)
	}
	e := End{1, 2, 3, 4, true, 5}
	c := e.append(nil)
	var end End
	if err := end.consume(c[1:]); c[0] != messageEnd || err != nil || end != e {
		t.Errorf("%v: %+v", err, end)
	}
	for n := range len(b) + 1 {
		if err := got.consume(append(b[1:], 0)[:n]); (err == nil) != (n == len(b)-1) || err != nil && err != datagram.ErrShort {
			t.Errorf("%d bytes of a request: %v", n, err)
		}
	}
	for n := range len(c) + 1 {
		if err := end.consume(append(c[1:], 0)[:n]); (err == nil) != (n == len(c)-1) || err != nil && err != datagram.ErrShort {
			t.Errorf("%d bytes of an end: %v", n, err)
		}
	}
	r.have = 7
	if err := got.consume(r.append(nil)[1:]); err != datagram.ErrRange {
		t.Errorf("more than all of a state: %v", err)
	}
	c[1+28] = 2
	if err := end.consume(c[1:]); err != datagram.ErrRange {
		t.Errorf("more than finished: %v", err)
	}
	e.Finished = false
	if err := end.consume(e.append(nil)[1:]); err != nil || end != e {
		t.Errorf("%v: %+v", err, end)
	}
}

// Rule: a queue gives back what was put in, in order, counts it right, and uses small buffers
// again, but none that is still lent.
func TestAQueueIsAQueue(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 9))
		var q queue
		var naive []string
		var lent []byte
		lentWas := ""
		n, again := 0, false
		for range 600 {
			if r.IntN(100) < 50+int(seed) || len(naive) == 0 {
				text := strings.Repeat(fmt.Sprint(n, " "), 1+r.IntN(40)*r.IntN(40))
				spare := len(q.spare)
				q.push(Item{Frames: q.copy([]byte(text)), Count: n % 7})
				again = again || len(q.spare) < spare
				if naive = append(naive, text); len(q.list) > 2*len(naive) {
					t.Fatalf("seed %d: %d places for %d items", seed, len(q.list), len(naive))
				}
				n++
			} else {
				front := q.front()
				if string(front.Frames) != naive[0] {
					t.Fatalf("seed %d: %.20q comes, and not %.20q", seed, front.Frames, naive[0])
				}
				lent, lentWas = front.Frames, naive[0]
				q.pop()
				naive = naive[1:]
			}
			if string(lent) != lentWas {
				t.Fatalf("seed %d: a buffer is used again while it is lent", seed)
			}
			size, frames := 0, 0
			for _, i := range q.list[q.head:] {
				size, frames = size+i.size(), frames+i.Count
			}
			if q.size != size || q.frames != frames || len(q.list)-q.head != len(naive) || (q.front() == nil) != (len(naive) == 0) {
				t.Fatalf("seed %d: %d bytes, %d frames, %d items", seed, q.size, q.frames, len(q.list)-q.head)
			}
			if len(q.spare) > 16 {
				t.Fatalf("seed %d: %d buffers", seed, len(q.spare))
			}
			for _, b := range q.spare {
				if cap(b) > 4<<10 {
					t.Fatalf("seed %d: a buffer of %d bytes is kept", seed, cap(b))
				}
			}
			for _, i := range q.list[:q.head] {
				if i.Frames != nil {
					t.Fatalf("seed %d: what was taken is held", seed)
				}
			}
		}
		if !again {
			t.Errorf("seed %d: no buffer is used again", seed)
		}
	}
	for i, wanted := range map[*Item]int{
		{}: 64, {Frames: make([]byte, 5)}: 69, {State: make([]byte, 6)}: 70, {Begin: &datagram.Offer{Data: make([]byte, 7)}}: 71, {Begin: &datagram.Offer{}}: 64,
	} {
		want(t, "size", i.size(), wanted)
	}
	var many queue
	for range 40 {
		many.push(Item{Frames: []byte("x")})
	}
	for range 40 {
		many.pop()
	}
	want(t, "buffers", len(many.spare), 16)
	var q queue
	for _, size := range []int{4 << 10, 4<<10 + 1} {
		q.push(Item{Frames: make([]byte, size)})
		q.push(Item{})
		q.pop()
		q.pop()
	}
	want(t, "spare", len(q.spare), 1)
	b := q.copy([]byte("x"))
	want(t, "it is the one", cap(b), 4<<10)
	want(t, "and there is no other", len(q.spare), 0)
}

// Rule: all may be answered every 4 ms, and a source every 40 ms, to the nanosecond.
func TestWhenStrangersAreAnswered(t *testing.T) {
	const ms = time.Millisecond
	var l limiter
	for i, c := range []struct {
		place uint64
		now   time.Duration
		open  bool
		want  bool
	}{
		{1, 100 * ms, true, true},
		{2, 104*ms - 1, false, false},
		{2, 104 * ms, true, true},
		{1, 140*ms - 1, true, false},
		{1, 140 * ms, true, true},
		{2, 144*ms - 1, false, false},
		{2 + 1024, 144 * ms, true, true}, // they share a place
		{2, 184*ms - 1, true, false},
		{1023, 184*ms - 1, true, true},
		{1023 + 1024, 190 * ms, true, false},
	} {
		if l.open(c.now) != c.open || l.allow(c.place, c.now) != c.want {
			t.Errorf("%d: %+v", i, c)
		}
	}
}

// Rule: the rate keeps what is not used for 50 ms, and owes what was too much.
func TestUnusedBytesAreKeptForAWhile(t *testing.T) {
	for _, c := range []struct {
		idle time.Duration
		want int64
	}{{0, 0}, {time.Microsecond, 1}, {49 * time.Millisecond, 49_000}, {50 * time.Millisecond, 50_000}, {51 * time.Millisecond, 50_000}, {time.Hour, 50_000}} {
		tk := tokens{rate: 1_000_000, last: time.Minute}
		tk.fill(time.Minute + c.idle)
		want(t, "bytes", tk.have, c.want*1_000_000)
		want(t, "any", tk.any(), c.want > 0)
		tk.take(60_000)
		tk.fill(time.Minute + c.idle + 20*time.Millisecond)
		want(t, "bytes 20 ms later", tk.have, (c.want-60_000+20_000)*1_000_000)
		want(t, "any then", tk.any(), c.want > 40_000)
	}
	tk := tokens{rate: 1_000_000}
	for now := time.Duration(0); now < time.Millisecond; now += 300 { // fractions of a microsecond add up
		tk.fill(now)
	}
	if tk.have < 998*1_000_000 {
		t.Errorf("%d in a millisecond", tk.have/1_000_000)
	}
}

// Rule: the window of a guest that is brought up to date is doubled in each round trip until
// datagrams are lost or queue up; then it gives way, and grows slowly.
func TestTheWindowFollowsTheWay(t *testing.T) {
	const ms = time.Millisecond
	way := func(least, smoothed, deviation time.Duration) *pipe.Pipe {
		p, err := pipe.New(hostAddr, 1, 2, hallPeriod, 0)
		if err != nil {
			t.Fatal(err)
		}
		p.RoundTrip = pipe.RoundTrip{Least: least, Smoothed: smoothed, Deviation: deviation, Samples: 1}
		p.Channel.SetWindow(reliable.Window)
		if err := p.Channel.Send(bytes.Repeat([]byte("x"), 90<<10)); err != nil {
			if err := errors.Join(p.Channel.Send(make([]byte, 30<<10)), p.Channel.Send(make([]byte, 30<<10))); err != nil {
				t.Fatal(err)
			}
		}
		for p.Channel.UnderWay() < 32 {
			p.Append(nil, 0)
		}
		return p
	}
	for name, c := range map[string]struct {
		p        *pace
		w        *pipe.Pipe
		window   int
		climbing bool
		next     time.Duration
	}{
		"free":                 {&pace{window: 16, climbing: true}, way(20*ms, 20*ms, 0), 32, true, 1020 * ms},
		"a short way":          {&pace{window: 16, climbing: true}, way(2*ms, 2*ms, 0), 32, true, 1010 * ms},
		"jitter":               {&pace{window: 16, climbing: true}, way(20*ms, 60*ms, 20*ms), 32, true, 1060 * ms},
		"half a queue":         {&pace{window: 16, climbing: true}, way(20*ms, 20*ms+12500*time.Microsecond, 0), 17, true, 1032500 * time.Microsecond},
		"less than half":       {&pace{window: 16, climbing: true}, way(20*ms, 32*ms, 0), 32, true, 1032 * ms},
		"a whole queue":        {&pace{window: 16, climbing: true}, way(20*ms, 45*ms, 0), 17, true, 1045 * ms},
		"more than a queue":    {&pace{window: 16, climbing: true}, way(20*ms, 46*ms, 0), 14, false, 1046 * ms},
		"a wide one gives way": {&pace{window: 64}, way(20*ms, 46*ms, 0), 56, false, 1046 * ms},
		"slowly":               {&pace{window: 48}, way(20*ms, 20*ms, 0), 51, false, 1020 * ms},
		"very slowly":          {&pace{window: 15}, way(20*ms, 20*ms, 0), 16, false, 1020 * ms},
		"half used":            {&pace{window: 64, climbing: true}, way(20*ms, 20*ms, 0), 128, true, 1020 * ms},
		"less than half used":  {&pace{window: 66, climbing: true}, way(20*ms, 20*ms, 0), 66, true, 1020 * ms},
		"the least":            {&pace{window: 4}, way(20*ms, 80*ms, 0), 4, false, 1080 * ms},
		"less than the least":  {&pace{window: 1}, way(20*ms, 80*ms, 0), 4, false, 1080 * ms},
	} {
		c.p.adjust(c.w, time.Second)
		if c.p.window != c.window || c.p.climbing != c.climbing || c.p.next != c.next {
			t.Errorf("%s: window %d, climbing %v, next %v", name, c.p.window, c.p.climbing, c.p.next)
		}
		before := c.p.window
		if c.p.adjust(c.w, c.next-1); c.p.window != before || c.p.next != c.next {
			t.Errorf("%s: it is changed again too early", name)
		}
		if c.p.adjust(c.w, c.next); c.p.next == c.next {
			t.Errorf("%s: it is not changed again", name)
		}
	}
	p := pace{window: 16, climbing: true}
	w := way(20*ms, 20*ms, 0)
	w.RoundTrip.Samples = 0
	if p.adjust(w, time.Second); p.window != 16 || p.next != 0 {
		t.Error("nothing is known of the way, and the window changes")
	}
	w.RoundTrip.Samples = 1
	for w.Channel.Stats().Resent < 5 { // all is lost
		at, _ := w.Channel.Due(0)
		w.Append(nil, at+time.Minute)
	}
	all := w.Channel.Stats().Resent
	if all < 5 {
		t.Fatalf("%d were lost", all)
	}
	for _, c := range []struct {
		window int
		lost   uint64
		want   int
	}{{16, 0, 32}, {16, 1, 32}, {16, 2, 8}, {15, 0, 30}, {15, 1, 7}, {64, 4, 128}, {64, 5, 32}, {5, 5, 4}} {
		p := pace{window: c.window, climbing: true, resent: all - c.lost}
		p.adjust(w, 3*time.Second)
		if p.window != c.want || p.climbing != (c.want > c.window) || p.resent != all {
			t.Errorf("%d of %d were lost: %+v", c.lost, c.window, p)
		}
	}
	var first pace
	first.init()
	want(t, "it begins with", fmt.Sprint(first.window, first.climbing), "16 true")
}
