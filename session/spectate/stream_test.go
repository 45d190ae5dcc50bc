package spectate

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// errTooLarge stands for a refusal that is not an error of the wire.
var errTooLarge = errors.New("too large")

// Rule: what a host may send, and when. Anything else violates the protocol.
func TestWhatAHostMaySay(t *testing.T) {
	state := bytes.Repeat([]byte("state"), 100)
	begin, from := saysMatch(1), says(messageFrom, uint32(0))
	whole := [][]byte{begin, saysState(100, state, 0), says(messageChunk, state)}
	late := append(whole[:3:3], says(messageFrom, uint32(64)), saysFrames(130, 64, 66))
	for name, c := range map[string]struct {
		said [][]byte
		last []byte
		want error
	}{
		"a match":                  {nil, begin, nil},
		"no match":                 {nil, saysMatch(0), datagram.ErrRange},
		"half a match":             {nil, begin[:10], datagram.ErrShort},
		"a state first":            {nil, saysState(1, state, 0), datagram.ErrKind},
		"frames first":             {nil, saysFrames(5, 0, 5), datagram.ErrKind},
		"the end first":            {nil, saysEnd(0), datagram.ErrKind},
		"what nobody knows":        {[][]byte{begin}, []byte{99}, datagram.ErrKind},
		"a state of a byte":        {[][]byte{begin, saysState(100, state[:1], 0), says(messageChunk, state[:1])}, says(messageFrom, uint32(64)), nil},
		"frames behind the last":   {[][]byte{begin, saysState(1<<32-2, state, 0), says(messageChunk, state), says(messageFrom, uint32(1<<32-64))}, says(messageFrames, uint32(1<<32-1), uint16(65), make([]byte, 65)), datagram.ErrRange},
		"frames up to the last":    {[][]byte{begin, saysState(1<<32-2, state, 0), says(messageChunk, state), says(messageFrom, uint32(1<<32-64))}, says(messageFrames, uint32(1<<32-1), uint16(63), make([]byte, 63)), nil},
		"a request":                {[][]byte{begin}, (&request{}).append(nil), datagram.ErrKind},
		"for newcomers":            {[][]byte{begin}, []byte{messageRoll, 1}, datagram.ErrKind},
		"a state":                  {[][]byte{begin}, saysState(100, state, 0), nil},
		"a short state":            {[][]byte{begin}, saysState(100, state, 0)[:20], datagram.ErrShort},
		"a long state":             {[][]byte{begin}, append(saysState(100, state, 0), 0), datagram.ErrShort},
		"an empty state":           {[][]byte{begin}, saysState(100, nil, 0), errTooLarge},
		"the largest state":        {[][]byte{begin}, saysState(100, make([]byte, 1000), 0), nil},
		"a larger state":           {[][]byte{begin}, saysState(100, make([]byte, 1001), 0), errTooLarge},
		"the last state":           {[][]byte{begin}, saysState(1<<32-2, state, 0), nil},
		"no state":                 {[][]byte{begin}, saysState(1<<32-1, state, 0), datagram.ErrRange},
		"a state from its middle":  {[][]byte{begin}, saysState(100, state, 1), datagram.ErrRange},
		"a state that goes on":     {[][]byte{begin, saysState(100, state, 0), says(messageChunk, state[:9])}, saysState(100, state, 9), nil},
		"it goes on a bit earlier": {[][]byte{begin, saysState(100, state, 0), says(messageChunk, state[:9])}, saysState(100, state, 5), nil},
		"it goes on too late":      {[][]byte{begin, saysState(100, state, 0), says(messageChunk, state[:9])}, saysState(100, state, 10), datagram.ErrRange},
		"another one goes on":      {[][]byte{begin, saysState(100, state, 0), says(messageChunk, state[:9])}, saysState(101, state, 9), datagram.ErrRange},
		"a part":                   {[][]byte{begin, saysState(100, state, 0)}, says(messageChunk, state[:1]), nil},
		"all of it":                {[][]byte{begin, saysState(100, state, 0)}, says(messageChunk, state), nil},
		"more than all":            {[][]byte{begin, saysState(100, state, 0)}, says(messageChunk, state, state), datagram.ErrRange},
		"no part":                  {[][]byte{begin, saysState(100, state, 0)}, says(messageChunk), datagram.ErrRange},
		"a part of nothing":        {[][]byte{begin}, says(messageChunk, state), datagram.ErrRange},
		"a part too many":          {whole, says(messageChunk, state[:1]), datagram.ErrRange},
		"other bytes":              {[][]byte{begin, saysState(100, state, 0)}, says(messageChunk, state[1:], state[:1]), datagram.ErrRange},
		"the beginning":            {[][]byte{begin}, from, nil},
		"half a number":            {[][]byte{begin}, from[:4], datagram.ErrShort},
		"a number and more":        {[][]byte{begin}, append(from[:5:5], 0), datagram.ErrShort},
		"another beginning":        {[][]byte{begin}, says(messageFrom, uint32(64)), datagram.ErrRange},
		"a block before a state":   {whole, says(messageFrom, uint32(64)), nil},
		"from the beginning, with no use for a state": {whole, from, nil},
		"a state that is just a block behind":         {[][]byte{begin, saysState(63, state, 0), says(messageChunk, state)}, from, nil},
		"behind a state":                              {whole, says(messageFrom, uint32(128)), datagram.ErrRange},
		"not at a block":                              {whole, says(messageFrom, uint32(65)), datagram.ErrRange},
		"frames":                                      {[][]byte{begin, from}, saysFrames(5, 0, 5), nil},
		"more that there are":                         {[][]byte{begin, from}, saysFrames(9, 0, 5), nil},
		"fewer that there are":                        {[][]byte{begin, from}, saysFrames(4, 0, 5), datagram.ErrRange},
		"frames without a place":                      {[][]byte{begin}, saysFrames(5, 0, 5), datagram.ErrRange},
		"frames while a state":                        {[][]byte{begin, from, saysState(100, state, 0)}, saysFrames(5, 0, 5), datagram.ErrRange},
		"frames of another match":                     {[][]byte{begin, from, saysMatch(2)}, saysFrames(5, 0, 5), datagram.ErrRange},
		"no frames":                                   {[][]byte{begin, from}, saysFrames(5, 0, 0), datagram.ErrRange},
		"a head":                                      {[][]byte{begin, from}, saysFrames(5, 0, 5)[:6], datagram.ErrShort},
		"a byte for each frame":                       {[][]byte{begin, from}, says(messageFrames, uint32(5), uint16(5), make([]byte, 5)), nil},
		"fewer bytes than frames":                     {[][]byte{begin, from}, says(messageFrames, uint32(5), uint16(5), make([]byte, 4)), datagram.ErrRange},
		"the end":                                     {[][]byte{begin, from, saysFrames(5, 0, 5)}, saysEnd(5), nil},
		"an end without frames":                       {[][]byte{begin, from}, saysEnd(0), nil},
		"an earlier end":                              {[][]byte{begin, from, saysFrames(5, 0, 5)}, saysEnd(4), datagram.ErrRange},
		"a later end":                                 {[][]byte{begin, from, saysFrames(5, 0, 5)}, saysEnd(6), datagram.ErrRange},
		"an end without a place":                      {[][]byte{begin}, saysEnd(0), datagram.ErrRange},
		"a short end":                                 {[][]byte{begin, from}, saysEnd(0)[:30], datagram.ErrShort},
		"what follows the end":                        {[][]byte{begin, from, saysEnd(0)}, saysFrames(1, 8, 1), nil},
		"the same match again":                        {[][]byte{begin, from, saysFrames(5, 0, 5)}, begin, nil},
		"at the beginning again":                      {late, from, nil},
		"where it was, a block ago":                   {late, says(messageFrom, uint32(128)), nil},
		"two blocks ago":                              {late, says(messageFrom, uint32(64)), datagram.ErrRange},
		"farther than it was":                         {late, says(messageFrom, uint32(192)), datagram.ErrRange},
	} {
		cfg := visitorConfig(1)
		cfg.MaxState = 1000
		v := NewFollower(cfg)
		v.now = time.Second
		for i, b := range c.said {
			if err := v.message(b); err != nil {
				t.Fatalf("%s: message %d: %v", name, i, err)
			}
			if v.received.trust.marked == 0 && v.received.next >= 120 {
				v.Marked(120, 119)
			}
		}
		err := v.message(c.last)
		if c.want == errTooLarge {
			if wanted := fmt.Sprintf("its state has %d bytes, and we take 1 to 1000", le.Uint32(c.last[5:])); err == nil || err.Error() != wanted {
				t.Errorf("%s: %v", name, err)
			}
		} else if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v, not %v", name, err, c.want)
		}
		v.audit(t)
	}
}

// Rule: data from a host is passed on in order, once: a known match does not begin
// again, and a state is not passed on to a spectator that is already beyond it.
func TestWhatIsPassedOn(t *testing.T) {
	state := []byte("state")
	for name, c := range map[string]struct {
		said   [][]byte
		marked bool // a comparison was met after 60 frames
		want   string
		next   uint32
	}{
		"from the beginning": {
			[][]byte{saysMatch(1), says(messageFrom, uint32(0)), saysFrames(70, 0, 70), saysEnd(70)},
			true, "[match 1 stage from 0 70 frames end 70]", 70,
		},
		"with a state": {
			[][]byte{saysMatch(1), saysState(100, state, 0), says(messageChunk, state), says(messageFrom, uint32(64)), saysFrames(110, 64, 46)},
			true, "[match 1 stage state 100 from 64 46 frames]", 110,
		},
		"the same match at the next host": {
			[][]byte{saysMatch(1), says(messageFrom, uint32(0)), saysFrames(70, 0, 70), saysMatch(1), says(messageFrom, uint32(64)), saysFrames(80, 64, 16)},
			true, "[match 1 stage from 0 70 frames from 64 16 frames]", 80,
		},
		"again from the beginning, without a comparison": {
			[][]byte{saysMatch(1), says(messageFrom, uint32(0)), saysFrames(50, 0, 50), saysMatch(1), says(messageFrom, uint32(0)), saysFrames(40, 0, 40)},
			false, "[match 1 stage from 0 50 frames from 0 40 frames]", 50,
		},
		"far from the beginning, without a comparison": {
			[][]byte{saysMatch(1), says(messageFrom, uint32(0)), saysFrames(64, 0, 64), saysMatch(1), says(messageFrom, uint32(0)), saysFrames(70, 0, 70)},
			false, "[match 1 stage from 0 64 frames from 0 70 frames]", 70,
		},
		"from the beginning, with a comparison that is not that host's": {
			[][]byte{saysMatch(1), says(messageFrom, uint32(0)), saysFrames(64, 0, 64), saysMatch(1), says(messageFrom, uint32(0)), saysFrames(70, 0, 70)},
			true, "[match 1 stage from 0 64 frames match 1 stage from 0 70 frames]", 70,
		},
		"within the first block, with one": {
			[][]byte{saysMatch(1), says(messageFrom, uint32(0)), saysFrames(63, 0, 63), saysMatch(1), says(messageFrom, uint32(0)), saysFrames(63, 0, 63)},
			true, "[match 1 stage from 0 63 frames from 0 63 frames]", 63,
		},
		"an older state, without a comparison": {
			[][]byte{saysMatch(1), says(messageFrom, uint32(0)), saysFrames(50, 0, 50), saysMatch(1), saysState(30, state, 0), says(messageChunk, state), says(messageFrom, uint32(0))},
			false, "[match 1 stage from 0 50 frames from 0]", 50,
		},
		"a state that is not older, without a comparison": {
			[][]byte{saysMatch(1), says(messageFrom, uint32(0)), saysFrames(50, 0, 50), saysMatch(1), saysState(50, state, 0), says(messageChunk, state), says(messageFrom, uint32(0))},
			false, "[match 1 stage from 0 50 frames state 50 from 0]", 50,
		},
		"an older state, with a comparison": {
			[][]byte{saysMatch(1), says(messageFrom, uint32(0)), saysFrames(64, 0, 64), saysMatch(1), saysState(30, state, 0), says(messageChunk, state), says(messageFrom, uint32(0))},
			true, "[match 1 stage from 0 64 frames state 30 from 0]", 30,
		},
		"a state that the next host goes on without": {
			[][]byte{saysMatch(1), saysState(64, state, 0), says(messageChunk, state), saysMatch(1), says(messageFrom, uint32(0)), saysFrames(9, 0, 9)},
			true, "[match 1 stage from 0 9 frames]", 9,
		},
		"the next match": {
			[][]byte{saysMatch(1), says(messageFrom, uint32(0)), saysFrames(70, 0, 70), saysEnd(70), saysMatch(2), says(messageFrom, uint32(0)), saysFrames(3, 0, 3)},
			true, "[match 1 stage from 0 70 frames end 70 match 2 stage from 0 3 frames]", 3,
		},
	} {
		v := NewFollower(visitorConfig(1))
		v.now = time.Second
		for i, b := range c.said {
			if err := v.message(b); err != nil {
				t.Fatalf("%s: message %d: %v", name, i, err)
			}
			if c.marked && v.received.trust.marked == 0 && v.received.next >= 60 {
				v.Marked(60, 59)
			}
			v.audit(t)
		}
		if got := fmt.Sprint(v.taken()); got != c.want || v.received.next != c.next {
			t.Errorf("%s: %s, and not %s; next is frame %d", name, got, c.want, v.received.next)
		}
	}
}
