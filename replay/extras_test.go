package replay

import (
	"errors"
	"iter"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/wire/agreed"
)

func collect[T any](s iter.Seq2[T, error]) (list []T, err error) {
	for v, e := range s {
		if e != nil {
			return list, e
		}
		list = append(list, v)
	}
	return list, nil
}

var someStats = []Stat{
	{At: 1 << 41, Frame: 7, Agreed: 5, Rollbacks: 1 << 60, Stalls: 3, Stalled: time.Hour},
	{Links: []StatLink{{Players: 6, Connected: true, RoundTrip: 31 * time.Millisecond, Lost: 9}, {Jitter: time.Second}}},
}

var someMembers = []Member{{1, 2, 3}, {7, 255, 1<<32 - 1}}

// extraShapes are matches whose player sets have one byte, and two.
var extraShapes = []agreed.Shape{{Players: 8}, {Players: 16}}

// Rule: what is appended is read again.
func TestOptionalChunksAreReadAgain(t *testing.T) {
	for _, shape := range extraShapes {
		var stats, members []byte
		for i := range someStats {
			stats = AppendStat(stats, shape, &someStats[i])
		}
		all := slices.Clone(someMembers)
		if shape.Players == 16 {
			all = append(all, Member{5, 0x8100, 9})
		}
		for _, m := range all {
			members = AppendMember(members, shape, m)
		}
		if got, err := collect(ReadStats(shape, stats)); err != nil || !reflect.DeepEqual(got, someStats) {
			t.Errorf("%d players: %+v, %v", shape.Players, got, err)
		}
		if got, err := collect(ReadMembers(shape, members)); err != nil || !reflect.DeepEqual(got, all) {
			t.Errorf("%d players: %+v, %v", shape.Players, got, err)
		}
		for n := 1; n < len(stats)-1; n++ {
			if got, err := collect(ReadStats(shape, stats[:n])); err == nil && len(got) != 1 || err != nil && !errors.Is(err, ErrChunk) {
				t.Errorf("%d players, %d bytes of statistics: %+v, %v", shape.Players, n, got, err)
			}
		}
	}
	e := effects.Event{What: effects.Moved, Kind: 9, Key: 1 << 30, Frame: 5, From: 600, Late: 2}
	want := Effect{effects.Moved, 9, 1 << 30, 5, 600, 2, []byte{}}
	if got, err := collect(ReadEffects(AppendEffect(nil, &e))); err != nil || len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("%+v, %v", got, err)
	}
	narrow := extraShapes[0]
	for what, s := range map[string]error{
		"a kind of news that is none": last(ReadEffects([]byte{9, 0, 0, 0, 0, 0, 0})),
		"a payload that is too long":  last(ReadEffects(append([]byte{1, 0, 0, 0, 0, 0, 40}, make([]byte, 40)...))),
		"a frame beyond all":          last(ReadMembers(narrow, []byte{1, 1, 255, 255, 255, 255, 31})),
		"too many links":              last(ReadStats(narrow, []byte{0, 0, 0, 0, 0, 0, 0, 0, 17})),
	} {
		if !errors.Is(s, ErrChunk) {
			t.Errorf("%s: %v", what, s)
		}
	}
}

func last[T any](s iter.Seq2[T, error]) error {
	_, err := collect(s)
	return err
}

// Optional chunks come from anywhere.
func FuzzOptionalChunks(f *testing.F) {
	f.Add([]byte{1, 3, 7, 50, 50, 0, 2, 1, 2})
	for _, s := range extraShapes {
		f.Add(AppendStat(nil, s, &someStats[1]))
		f.Add(AppendMember(nil, s, someMembers[1]))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if list, err := collect(ReadEffects(b)); len(list)*7 > len(b) || err != nil && !errors.Is(err, ErrChunk) {
			t.Errorf("%d effects: %v", len(list), err)
		}
		for _, s := range extraShapes {
			if list, err := collect(ReadMembers(s, b)); len(list)*3 > len(b) || err != nil && !errors.Is(err, ErrChunk) {
				t.Errorf("%d members: %v", len(list), err)
			}
			stats, err := collect(ReadStats(s, b))
			if len(stats)*9 > len(b) || err != nil && !errors.Is(err, ErrChunk) {
				t.Errorf("%d moments: %v", len(stats), err)
			}
			var again []byte
			for i := range stats {
				again = AppendStat(again, s, &stats[i])
			}
			if got, err := collect(ReadStats(s, again)); err != nil || !reflect.DeepEqual(got, stats) {
				t.Errorf("%+v is read again as %+v: %v", stats, got, err)
			}
		}
	})
}
