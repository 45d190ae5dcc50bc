package desync

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/rate"
)

// Rule: each part of a report has bounds. Values at them are read as they were written,
// and values beyond them are refused.
func TestReportsHaveBounds(t *testing.T) {
	text := func(n int) string { return strings.Repeat("x", n) }
	peers := func(r *Report, n int) {
		r.Shape = agreed.Shape{Players: 8, InputSize: 0}
		r.Peers, r.First, r.Inputs = nil, r.State, nil
		for p := range n {
			r.Peers = append(r.Peers, Peer{Players: 1 << p, Group: uint32(p % 2), Origin: Original})
		}
	}
	groups := func(r *Report, n int) {
		r.Groups, r.Fields = make([]uint64, n), nil
		r.Fields = append(r.Fields, Field{"path", make([]Value, n)})
	}
	fields := func(r *Report, n int) {
		r.Fields, r.Total = nil, uint32(n)
		for range n {
			r.Fields = append(r.Fields, Field{"path", make([]Value, 2)})
		}
	}
	inputs := func(r *Report, n int) { // each frame of orders has some more bytes
		r.Shape.MaxOrders = agreed.MaxOrders
		var w agreed.Writer
		w.Init(r.Shape)
		r.Inputs, r.First = nil, 115
		for f := r.First; f < r.State; f++ {
			order := 3200
			if f == r.State-1 {
				order = n - len(r.Inputs)
			}
			for {
				next := w
				b := next.Append(nil, &agreed.Frame{Number: f, Inputs: make([]byte, 6), Orders: [][]byte{make([]byte, order), nil, nil}})
				if f < r.State-1 || len(r.Inputs)+len(b) <= n {
					w, r.Inputs = next, append(r.Inputs, b...)
					break
				}
				order--
			}
		}
		if len(r.Inputs) != n {
			t.Fatalf("%d bytes of inputs", len(r.Inputs))
		}
	}
	for name, c := range map[string]struct{ good, bad func(r *Report) }{
		"game":              {func(r *Report) { r.Game = text(64) }, func(r *Report) { r.Game = text(65) }},
		"build":             {func(r *Report) { r.Build = text(64) }, func(r *Report) { r.Build = text(65) }},
		"data":              {func(r *Report) { r.Data = []byte(text(4096)) }, func(r *Report) { r.Data = []byte(text(4097)) }},
		"players":           {func(r *Report) { peers(r, 8) }, func(r *Report) { peers(r, 8); r.Shape.Players = 7 }},
		"many players":      {func(r *Report) { peers(r, 16); r.Shape.Players = 16 }, func(r *Report) { peers(r, 16); r.Shape.Players = 15 }},
		"nine players":      {func(r *Report) { peers(r, 9); r.Shape.Players = 9 }, func(r *Report) { peers(r, 9); r.Shape.Players = 8 }},
		"peers":             {func(r *Report) { peers(r, 2) }, func(r *Report) { peers(r, 1) }},
		"groups":            {func(r *Report) { groups(r, 16) }, func(r *Report) { groups(r, 17) }},
		"two groups":        {func(r *Report) { groups(r, 2) }, func(r *Report) { groups(r, 1); r.Peers[1].Group = 0 }},
		"a group":           {func(r *Report) { r.Peers[0].Group = 1 }, func(r *Report) { r.Peers[0].Group = 2 }},
		"machine":           {func(r *Report) { r.Peers[0].Machine = text(64) }, func(r *Report) { r.Peers[0].Machine = text(65) }},
		"source":            {func(r *Report) { r.Peers[0].Origin = 4 }, func(r *Report) { r.Peers[0].Origin = 5 }},
		"inputs":            {func(r *Report) { r.Peers[0].Inputs = 2 }, func(r *Report) { r.Peers[0].Inputs = 3 }},
		"why":               {func(r *Report) { r.Peers[2].Why = text(120) }, func(r *Report) { r.Peers[2].Why = text(121) }},
		"players, in order": {func(r *Report) { r.Peers[0].Players = 8 | 1; r.Shape.Players = 4; r.First = r.State; r.Inputs = nil }, func(r *Report) { r.Peers[0].Players = 8 | 4 }},
		"a player":          {func(*Report) {}, func(r *Report) { r.Peers[0].Players = 0 }},
		"hash every":        {func(r *Report) { r.HashEvery = 1 }, func(r *Report) { r.HashEvery = 0 }},
		"every":             {func(r *Report) { r.Every = 1 }, func(r *Report) { r.Every = 0 }},
		"tick rate":         {func(r *Report) { r.TickRate = 1 }, func(r *Report) { r.TickRate = 0 }},
		"rate":              {func(r *Report) { atRate(r, 60, ntsc) }, func(r *Report) { atRate(r, 60, rate.Rate{Frames: 60, Seconds: 1}) }},
		"seconds of a rate": {func(r *Report) { atRate(r, 2, rate.Rate{Frames: 3, Seconds: 2}) }, func(r *Report) { atRate(r, 60, rate.Rate{Frames: 3}) }},
		"terms of a rate":   {func(r *Report) { atRate(r, 1000, rate.Rate{Frames: 1999, Seconds: 2}) }, func(r *Report) { atRate(r, 500, rate.Rate{Frames: 1998, Seconds: 4}) }},
		"equal":             {func(r *Report) { r.Equal = 119 }, func(r *Report) { r.Equal = 120 }},
		"noticed":           {func(r *Report) { r.Noticed = 120 }, func(r *Report) { r.Noticed = 119 }},
		"noticed late":      {func(r *Report) { r.Noticed = None - 1 }, func(r *Report) { r.Noticed = None }},
		"fields":            {func(r *Report) { fields(r, 64) }, func(r *Report) { fields(r, 65) }},
		"total":             {func(r *Report) { fields(r, 3) }, func(r *Report) { fields(r, 3); r.Total = 2 }},
		"path":              {func(r *Report) { r.Fields[0].Path = text(160) }, func(r *Report) { r.Fields[0].Path = text(161) }},
		"value":             {func(r *Report) { r.Fields[0].Values[0].Text = text(200) }, func(r *Report) { r.Fields[0].Values[0].Text = text(201) }},
		"kind":              {func(r *Report) { r.Fields[0].Values[0].Kind = 2 }, func(r *Report) { r.Fields[0].Values[0].Kind = 3 }},
		"first":             {func(r *Report) { r.First, r.Inputs = 120, nil }, func(r *Report) { r.First, r.Inputs = 121, nil }},
		"no inputs":         {func(*Report) {}, func(r *Report) { r.Inputs = nil }},
		"all inputs":        {func(r *Report) { inputs(r, 16<<10) }, func(r *Report) { inputs(r, 16<<10+1) }},
		"state":             {func(r *Report) { r.Begin = make([]byte, 24<<10) }, func(r *Report) { r.Begin = make([]byte, 24<<10+1) }},
	} {
		good, bad := aReport(), aReport()
		c.good(good)
		c.bad(bad)
		b := good.Append(nil)
		if r, err := Decode(b); err != nil || !bytes.Equal(r.Append(nil), b) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Decode(bad.Append(nil)); !errors.Is(err, ErrReport) {
			t.Errorf("%s: what is behind the bound: %v", name, err)
		}
	}
}

// Rule: the error about bytes that are not a report says why not.
func TestWhatIsNoReport(t *testing.T) {
	b := aReport().Append(nil)
	changed := func(i int, v byte) []byte {
		c := bytes.Clone(b)
		c[i] = v
		return c
	}
	resummed := func(i int, v byte) []byte { return appendSum(changed(i, v)[:len(b)-8]) }
	whole := bytes.Index(b, []byte("stage")) + len("stage")
	for _, c := range []struct {
		b    []byte
		want error
		text string
	}{
		{make([]byte, 60<<10+1), ErrReport, "more than 61440 bytes"},
		{make([]byte, 60<<10), ErrReport, "does not start like one"},
		{changed(0, 'X'), ErrReport, "does not start like one"},
		{b[:12], ErrReport, "does not start like one"},
		{b[:13], ErrReport, "checksum"},
		{changed(4, 2), ErrVersion, "2, but this program reads version 1"},
		{changed(9, 1), ErrReport, "checksum"},
		{appendSum(bytes.Clone(b[:5])), ErrReport, "cut off"},
		{appendSum(append(bytes.Clone(b[:len(b)-8]), 0)), ErrReport, "out of range"},
		{resummed(whole, 2), ErrReport, "out of range"},
	} {
		if _, err := Decode(c.b); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
	r := aReport()
	r.Inputs = append(r.Inputs, 0)
	if err := r.Frames(func(*agreed.Frame) error { return nil }); !errors.Is(err, ErrReport) || !strings.Contains(err.Error(), "1 bytes after") {
		t.Error(err)
	}
	stop, n := errors.New("stop"), 0
	if err := aReport().Frames(func(*agreed.Frame) error { n++; return stop }); !errors.Is(err, stop) || errors.Is(err, ErrReport) || n != 1 {
		t.Error(err, n)
	}
	r.Shape.Players = 17
	if err := r.Frames(nil); err == nil {
		t.Error("there is no such match")
	}
}

// Rule: after an error a reader returns zeros and nothing else, and keeps its first
// error.
func TestAReaderThatHasFailed(t *testing.T) {
	for _, r := range []reader{{b: []byte{1}, err: ErrRange}, {}} {
		got := fmt.Sprint(r.byte(), r.uint16(), r.uint32(), r.uint64(), r.bounded(9), len(r.short(9)), len(r.long(9)), len(r.take(1)))
		if got != "0 0 0 0 0 0 0 0" || r.end() == nil {
			t.Errorf("%s, %v", got, r.err)
		}
		if r.b != nil && r.err != ErrRange || r.b == nil && r.err != ErrShort {
			t.Error(r.err)
		}
	}
	b := appendLong(nil, []byte("nine byte"))
	for most, want := range map[uint32]error{9: nil, 8: ErrRange} {
		r := reader{b: b}
		if got := r.long(most); (string(got) == "nine byte") != (want == nil) || r.err != want {
			t.Errorf("at most %d: %q, %v", most, got, r.err)
		}
	}
	if b := appendShort(nil, strings.Repeat("x", 300)); len(b) != 256 || b[0] != 255 {
		t.Errorf("%d bytes", len(b))
	}
}

// Rule: the names of the values of a report.
func TestNamesInAReport(t *testing.T) {
	if got := fmt.Sprint(Origin(0), Original, Resimulated, NotReproduced, Unavailable, Origin(5)); got != "unknown original resimulated not reproduced unavailable unknown" {
		t.Error(got)
	}
	if got := fmt.Sprint(Unknown, Same, Different, Sameness(9)); got != "unknown same different unknown" {
		t.Error(got)
	}
	if got := fmt.Sprint(Value{"x", Untold}, Value{"x", Missing}, Value{"x", Present}); got != "(not known) (missing) x" {
		t.Error(got)
	}
}
