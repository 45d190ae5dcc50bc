package served

import (
	"bytes"
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// sent is what a server reads from everything that is sent at once, and the number of its first tick.
func (u *upstream) sent(t *testing.T) (first uint32, inputs []byte) {
	t.Helper()
	var head clientBody
	u.due(&head, datagram.MaxSize)
	var read datagram.History // which has those before
	read.Start(u.size, head.next-head.count, u.inputs.At(head.next-head.count-1))
	if _, err := read.ConsumeBlock(head.block, head.next-head.count, int(head.count)); err != nil {
		t.Fatal(err)
	}
	for f := head.next - head.count; f != head.next; f++ {
		inputs = append(inputs, read.At(f)...)
	}
	return head.next - head.count, inputs
}

// Rule: a skipped tick has the input of the last one that was not skipped, whether that was sent or left for the
// gap that it ends. As many inputs wait as are held, and inputs that the server has are not sent again.
func TestTicksThatWereLeftOutHaveTheLastInput(t *testing.T) {
	u := upstream{size: 1}
	want := func(first uint32, inputs ...byte) {
		t.Helper()
		if got, b := u.sent(t); got != first || !bytes.Equal(b, inputs) {
			t.Errorf("from tick %d on %v, want %v from %d on", got, b, inputs, first)
		}
	}
	u.begin(10)
	u.push(10, []byte{5})
	u.push(13, []byte{6})
	want(10, 5, 5, 5, 6)
	u.told(&serverBody{any: true, taken: 12})
	want(12, 5, 6)

	const most = datagram.HistoryFrames - 1
	u.push(12+most-1, []byte{7})
	if first, b := u.sent(t); first != 12 || len(b) != most || b[0] != 5 || b[1] != 6 || b[most-2] != 6 || b[most-1] != 7 {
		t.Errorf("%d inputs from tick %d on: %v", len(b), first, b)
	}
	u.push(12+most, []byte{8}) // it is one too many, so there is a gap
	want(0)
	u.push(12+most+3, []byte{9})
	want(12+most+1, 8, 8, 9)
}

// Rule: a body is never longer than allowed, however many inputs wait, and contains as many as fit: the first ones.
func TestInputsAreSentAsFarAsTheyFit(t *testing.T) {
	for _, waiting := range []Frame{1, 100, 127, 128, 300} {
		u := upstream{size: 2}
		u.begin(1000)
		for f := range waiting {
			u.push(1000+f, []byte{byte(f * 7), byte(f >> 3)})
		}
		for room := 12; room < 900; room++ {
			head := clientBody{any: true, state: 990}
			u.due(&head, room)
			n := len(head.append(nil)) + len(head.block)
			if head.count < uint32(waiting) { // one more would have no room beside the numbers of all that wait
				all := clientBody{any: true, state: 990, next: 1000 + uint32(waiting), count: uint32(waiting)}
				if more, _ := u.inputs.AppendBlock(nil, 1000, 1000+head.count+1, datagram.MaxSize); len(all.append(nil))+len(more) <= room {
					t.Fatalf("%d of %d inputs in %d bytes, and one more fits", head.count, waiting, room)
				}
			}
			if first := head.next - head.count; n > room || first != 1000 || head.count == 0 || head.count < uint32(waiting) && n < room-6 {
				t.Fatalf("%d of %d inputs, from %d on, in %d bytes of %d", head.count, waiting, first, n, room)
			}
		}
	}
}

// Rule: if no input waits, nothing about inputs is sent: neither before the first one, nor when the server has all.
func TestNothingIsSaidOfInputsThatTheServerHas(t *testing.T) {
	u := upstream{size: 1}
	silent := func(when string) {
		t.Helper()
		var head clientBody
		if u.due(&head, datagram.MaxSize); head.next != 0 || head.count != 0 || len(head.block) != 0 {
			t.Errorf("%s: %+v", when, head)
		}
	}
	silent("before the match")
	u.begin(10)
	silent("before the first input")
	u.push(10, []byte{5})
	u.push(11, []byte{6})
	u.told(&serverBody{any: true, taken: 12})
	silent("when the server has all")
	u.push(12, []byte{7})
	if first, b := u.sent(t); first != 12 || !bytes.Equal(b, []byte{7}) {
		t.Errorf("%v, from tick %d on", b, first)
	}
}

// Rule: sending inputs allocates nothing.
func TestSendingInputsAllocatesNothing(t *testing.T) {
	u := upstream{size: 2}
	u.begin(10)
	for f := range Frame(60) {
		u.push(10+f, []byte{byte(f * 7), byte(f)})
	}
	var head clientBody
	if n := testing.AllocsPerRun(100, func() { u.due(&head, datagram.MaxSize) }); n != 0 || head.count != 60 {
		t.Errorf("%v allocations for %d inputs", n, head.count)
	}
}
