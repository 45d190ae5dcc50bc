package spectate

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

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

func saysEnd(frames uint32) []byte {
	return (&End{Frames: frames, Hash: 7}).append(nil, datagram.SetsOf(hallShape.Players))
}

// audit checks what must be true of a spectator at any
// time.
func (v *Follower) audit(t testing.TB) {
	t.Helper()
	size, frames := 0, 0
	for _, i := range v.received.queue.list[v.received.queue.head:] {
		size += i.size()
		frames += i.Count
	}
	have, all := v.Transfer()
	if v.received.queue.size != size || v.Buffered() != frames || have > all || have != len(v.received.partial.Bytes()) || all != int(v.received.partial.size) {
		t.Errorf("%d bytes and %d frames wait, in the books %d and %d; %d of %d bytes of a state", size, frames, v.received.queue.size, v.Buffered(), have, all)
	}
	if v.Live() < v.received.at && v.received.following && v.received.at > 0 && v.received.live > 0 || v.cfg.MaxState < all {
		t.Errorf("%d frames are known, and %d have come", v.Live(), v.received.at)
	}
}

// taken takes what waits, as text.
func (v *Follower) taken() (list []string) {
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
