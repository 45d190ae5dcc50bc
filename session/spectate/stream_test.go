package spectate

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// errTooLarge stands for a refusal that is no error of the wire.
var errTooLarge = errors.New("too large")

// What a host says, message by message.
func says(kind byte, parts ...any) []byte {
	b := []byte{kind}
	for _, p := range parts {
		switch p := p.(type) {
		case uint32:
			b = le.AppendUint32(b, p)
		case uint16:
			b = le.AppendUint16(b, p)
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

func saysMatch(n uint32) []byte {
	return (&datagram.Offer{Match: n, Data: []byte("stage")}).Append([]byte{messageBegin})
}

func saysState(frame uint32, state []byte, offset uint32) []byte {
	t := transfer{frame, uint32(len(state)), canon.HashBytes(state)}
	return le.AppendUint32(t.append([]byte{messageState}), offset)
}

func saysFrames(live uint32, from, count int) []byte {
	var w agreed.Writer
	w.Init(hallShape)
	var b []byte
	for n := from; n < from+count; n++ {
		b = w.Append(b, hallFrame(uint32(n)))
	}
	return says(messageFrames, live, uint16(count), b)
}

func saysEnd(frames uint32) []byte { return (&End{Frames: frames, Hash: 7}).append(nil) }

// Rule: what a host may say, and when. Everything else breaks the protocol.
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
		"for newcomers":            {[][]byte{begin}, []byte{messageSeat, 1}, datagram.ErrKind},
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
		v := NewViewer(cfg)
		v.now = time.Second
		for i, b := range c.said {
			if err := v.message(b); err != nil {
				t.Fatalf("%s: message %d: %v", name, i, err)
			}
			if v.marked == 0 && v.next >= 120 {
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

// audit checks what is true of a spectator at any time.
func (v *Viewer) audit(t testing.TB) {
	t.Helper()
	size, frames := 0, 0
	for _, i := range v.queue.list[v.queue.head:] {
		size += i.size()
		frames += i.Count
	}
	have, all := v.Transfer()
	if v.queue.size != size || v.Buffered() != frames || have > all || have != len(v.partial.bytes) || all != int(v.partial.size) {
		t.Errorf("%d bytes and %d frames wait, in the books %d and %d; %d of %d bytes of a state", size, frames, v.queue.size, v.Buffered(), have, all)
	}
	if v.Live() < v.at && v.following && v.at > 0 && v.live > 0 || v.cfg.MaxState < all {
		t.Errorf("%d frames are known, and %d have come", v.Live(), v.at)
	}
}

// taken takes what waits, as text.
func (v *Viewer) taken() (list []string) {
	for i := v.Front(); i != nil; i = v.Front() {
		switch {
		case i.Begin != nil:
			list = append(list, fmt.Sprintf("match %d %s", i.Begin.Match, i.Begin.Data))
		case i.State != nil:
			list = append(list, fmt.Sprintf("state %d", i.Frame))
		case i.From:
			list = append(list, fmt.Sprintf("from %d", i.Frame))
		case i.End != nil:
			list = append(list, fmt.Sprintf("end %d", i.End.Frames))
		default:
			list = append(list, fmt.Sprintf("%d frames", i.Count))
		}
		v.Pop()
	}
	return list
}

// Rule: what is said is passed on in order, once: a match that is known does not begin again,
// nor does a state come for who has seen more than it.
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
		v := NewViewer(visitorConfig(1))
		v.now = time.Second
		for i, b := range c.said {
			if err := v.message(b); err != nil {
				t.Fatalf("%s: message %d: %v", name, i, err)
			}
			if c.marked && v.marked == 0 && v.next >= 60 {
				v.Marked(60, 59)
			}
			v.audit(t)
		}
		if got := fmt.Sprint(v.taken()); got != c.want || v.next != c.next {
			t.Errorf("%s: %s, and not %s; next is frame %d", name, got, c.want, v.next)
		}
	}
}

// Rule: a match that has begun anew is another one if anything of it differs, and nothing of
// the one before counts for it.
func TestAnotherMatch(t *testing.T) {
	first := datagram.Offer{Match: 1, State: 2, Seed: 3, Frames: 4, Content: 5, Data: []byte("6")}
	for name, change := range map[string]func(o *datagram.Offer){
		"": func(*datagram.Offer) {}, "match": func(o *datagram.Offer) { o.Match++ }, "state": func(o *datagram.Offer) { o.State++ },
		"seed": func(o *datagram.Offer) { o.Seed++ }, "frames": func(o *datagram.Offer) { o.Frames++ },
		"content": func(o *datagram.Offer) { o.Content++ }, "data": func(o *datagram.Offer) { o.Data = []byte("7") },
	} {
		v := NewViewer(visitorConfig(1))
		for _, b := range [][]byte{first.Append([]byte{messageBegin}), says(messageFrom, uint32(0)), saysFrames(70, 0, 70), saysEnd(70)} {
			if err := v.message(b); err != nil {
				t.Fatal(err)
			}
		}
		v.Marked(60, 59)
		o := first
		change(&o)
		b := o.Append([]byte{messageBegin})
		if err := v.message(b); err != nil {
			t.Fatal(err)
		}
		clear(b) // nothing of it is kept
		anew := name != ""
		if got := len(v.taken()); (got == 5) != anew || v.Over() == anew || (v.Live() == 0) != anew || (v.marked+uint32(v.chain)+v.next == 0) != anew {
			t.Errorf("another %s: %d items, over %v, %d frames", name, got, v.Over(), v.Live())
		}
		if anew && (v.offer.Match != o.Match || v.offer.Seed != o.Seed || !bytes.Equal(v.offer.Data, o.Data)) {
			t.Errorf("another %s: %+v", name, v.offer)
		}
	}
}

// Rule: a host that plays an earlier match than another one has told of is passed over for
// 5 s; then whoever told of the later one was wrong.
func TestAHostThatIsBehind(t *testing.T) {
	v := NewViewer(visitorConfig(1))
	at := func(now time.Duration, match uint32) error {
		v.now = now
		return v.message(saysMatch(match))
	}
	if err := at(time.Second, 3); err != nil {
		t.Fatal(err)
	}
	for _, s := range []time.Duration{10, 12, 14} {
		if err := at(s*time.Second, 2); !errors.Is(err, errBehind) || err.Error() != "it is behind: it plays match 2, and we know match 3" {
			t.Errorf("at %d s: %v", s, err)
		}
	}
	if err := at(14*time.Second, 3); err != nil { // it has caught up
		t.Error(err)
	}
	for _, s := range []time.Duration{20, 24} {
		if err := at(s*time.Second, 2); !errors.Is(err, errBehind) {
			t.Errorf("at %d s: %v", s, err)
		}
	}
	if err := at(25*time.Second, 2); err != nil || v.match != 2 {
		t.Errorf("%v, match %d", err, v.match)
	}
}

// Rule: farewells give their reason, of which 256 bytes count; that a token was revoked is
// final.
func TestFarewells(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 300)
	for _, n := range []int{0, 5, 256, 257} {
		v := NewViewer(visitorConfig(1))
		var bye *ByeError
		if err := v.message(says(messageBye, long[:n])); err != nil || !errors.As(v.search.reasons[0], &bye) || len(bye.Reason) != min(n, 256) || v.Err() != nil {
			t.Errorf("%d bytes: %v, %v, %v", n, err, bye, v.Err())
		}
		v = NewViewer(visitorConfig(1))
		var revoked *RevokedError
		if err := v.message(says(messageRevoked, long[:n])); err != nil || !errors.As(v.Err(), &revoked) || len(revoked.Reason) != min(n, 256) {
			t.Errorf("%d bytes: %v, %v", n, err, v.Err())
		}
		want(t, "it says", revoked.Error(), "it says: "+revoked.Reason)
	}
}

// Rule: who has rejected what a host sent goes on at the next one, from where it says, and
// asks again for what was thrown away.
func TestARejectedHost(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	second := h.open(Config{Max: 4})
	h.run(8 * time.Second)
	v := h.wander(1, nil)
	h.run(2 * time.Second)
	wrong := errors.New("the state is not what it is said to be")
	v.Reject(wrong, 1, v.at)
	want(t, "it is at", v.Host(), second.addr)
	h.run(time.Second)
	if len(v.lost) != 1 || v.lost[0] != wrong || h.frame-v.at > 10 || len(v.states) != 1 {
		t.Errorf("%v, %d of %d frames, states %v", v.lost, v.at, h.frame, v.states)
	}
	v.source = 0 // something of the first host is found out only now
	v.Reject(wrong, 0, 0)
	want(t, "it is still at", v.Host(), second.addr)
	want(t, "and final is", fmt.Sprint(v.search.final), "[true false]")
	h.run(time.Second)
	want(t, "it begins anew", fmt.Sprint(v.items), "[match 1 state match 1 state]")
	v.Forget()
	if v.match != 0 || v.next != 0 || v.marked != 0 || v.chain != 0 || v.offer != nil || v.Front() != nil || v.Over() {
		t.Errorf("something is left: %+v", v.Viewer)
	}
	v.source = 1
	v.Reject(wrong, 0, 0)
	if v.Err() == nil {
		t.Error("there is no host left")
	}
}
