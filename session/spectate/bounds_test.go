package spectate

import (
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: each setting has its limits, and 0 means the default.
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
	}{{Config{}, false}, {Config{Max: 1}, true}} {
		want(t, "Welcomes", c.Enabled(), c.want)
	}
}

// Rule: requests and ends are decoded as they were encoded, and only if
// they are complete.
func TestRequestsAndEndsComeBack(t *testing.T) {
	r := request{1, 2, 3, 4, transfer{5, 6, 7}, 6}
	b := r.append(nil)
	var got request
	if err := got.consume(b[1:]); b[0] != messageRequest || err != nil || got != r {
		t.Errorf("%v: %+v", err, got)
	}
	e := End{1, 2, 3, 4, true, 5}
	few := datagram.SetsOf(3)
	c := e.append(nil, few)
	var end End
	if err := end.consume(c[1:], few); c[0] != messageEnd || err != nil || end != e {
		t.Errorf("%v: %+v", err, end)
	}
	for n := range len(b) + 1 {
		if err := got.consume(append(b[1:], 0)[:n]); (err == nil) != (n == len(b)-1) || err != nil && err != datagram.ErrShort {
			t.Errorf("%d bytes of a request: %v", n, err)
		}
	}
	for n := range len(c) + 1 {
		if err := end.consume(append(c[1:], 0)[:n], few); (err == nil) != (n == len(c)-1) || err != nil && err != datagram.ErrShort {
			t.Errorf("%d bytes of an end: %v", n, err)
		}
	}
	if err := end.consume(c[1:], datagram.SetsOf(2)); err != datagram.ErrPlayers {
		t.Errorf("player 2 of two has gone: %v", err)
	}
	e.Gone = 1<<15 | 1
	many := datagram.SetsOf(16)
	if long := e.append(nil, many); len(long) != len(c)+1 || end.consume(long[1:], many) != nil || end != e || end.consume(long[1:], few) != datagram.ErrShort {
		t.Errorf("of more than 8 players: %+v", end)
	}
	e.Gone = 5
	r.have = 7
	if err := got.consume(r.append(nil)[1:]); err != datagram.ErrRange {
		t.Errorf("more than all of a state: %v", err)
	}
	c[1+28] = 2
	if err := end.consume(c[1:], few); err != datagram.ErrRange {
		t.Errorf("more than finished: %v", err)
	}
	e.Finished = false
	if err := end.consume(e.append(nil, few)[1:], few); err != nil || end != e {
		t.Errorf("%v: %+v", err, end)
	}
}
