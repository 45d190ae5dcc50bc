package datagram

import (
	"bytes"
	"testing"
)

// Rule: the first bytes of datagrams, and their lengths, are those in docs/reference/wire.md, "Datagrams".
func TestFrozenKinds(t *testing.T) {
	kinds := []byte{KindHello, KindWelcome, KindChallenge, KindAnswer, KindWatch, KindAttach}
	if !bytes.Equal(kinds, []byte{1, 2, 3, 4, 5, 6}) {
		t.Errorf("kinds %v", kinds)
	}
	if MaxSize != 1200 || MinSize != 512 || HelloSize != 1200 || TagSize != 8 {
		t.Errorf("at most %d bytes, at least %d get through, a Hello has %d, a tag %d", MaxSize, MinSize, HelloSize, TagSize)
	}
}

// Rule: inputs are held for as many frames as a newcomer may be behind by docs/reference/wire.md, and their ring also
// works at the largest frame numbers.
func TestFrozenHistory(t *testing.T) {
	if HistoryFrames != 512 || 1<<32%HistoryFrames != 0 {
		t.Errorf("%d frames are held", HistoryFrames)
	}
}

// Rule: no new inputs are accepted from the limit on; those before it are, and the block is read to its end.
func TestNothingIsTakenFromTheLimitOn(t *testing.T) {
	var sent, received History
	sent.Init(4)
	received.Init(4)
	for f := range 9 {
		sent.Push([]byte{byte(f), 1, 2, 3})
	}
	received.SetLimit(6)
	b, _ := sent.AppendBlock(nil, 0, 9, 1000)
	for range 2 {
		fresh, err := received.ConsumeBlock(b, 0, 9)
		if err != nil {
			t.Fatal(err)
		}
		if received.Next() != 6 {
			t.Fatalf("%d frames are here, %d of them new: the limit is 6", received.Next(), fresh)
		}
	}
	received.SetLimit(1<<32 - 1)
	if fresh, err := received.ConsumeBlock(b, 0, 9); fresh != 3 || err != nil || received.Next() != 9 {
		t.Errorf("without a limit %d more come, up to %d: %v", fresh, received.Next(), err)
	}
}

// Rule: without a limit, all frames up to the last possible one can be received.
func TestWithoutALimitTheLastFrameComes(t *testing.T) {
	var sent, received History
	const first = 1<<32 - 3
	sent.Start(4, first, nil)
	received.Start(4, first, nil)
	sent.Push([]byte{1, 0, 0, 0})
	sent.Push([]byte{2, 0, 0, 0})
	b, end := sent.AppendBlock(nil, first, 1<<32-1, 1000)
	if fresh, err := received.ConsumeBlock(b, first, int(end-first)); fresh != 2 || err != nil {
		t.Errorf("%d of 2 frames have come: %v", fresh, err)
	}
}

// Rule: the first byte says whether a datagram is between peers, or a spectator's, or neither; a spectator's has at
// most a sample, a control stream and a body.
func TestKindsOfDatagrams(t *testing.T) {
	for first := range 256 {
		b := append([]byte{byte(first)}, make([]byte, 15)...)
		between, watches := first >= 0x80, first >= 0x40 && first < 0x80
		if IsSession(b) != between || IsWatch(b) != watches {
			t.Errorf("%#x: %v %v", first, IsSession(b), IsWatch(b))
		}
		var h Header
		_, err := h.Consume(b, Shape{Sender: 1, Receiver: 1}, 0)
		good := between && (first&hasPlay != 0 || first&(hasBehind|hasOrders) == 0) && first&(hasPlay|hasBehind) != hasPlay|hasBehind
		if watches {
			good = first&^(watch|hasSample|hasControl|hasBody) == 0 && h.HasBody == (first&hasBody != 0)
		}
		if (err == nil) != good || good && h.Watch != watches {
			t.Errorf("%#x: %v, %+v", first, err, h)
		}
	}
	if IsSession(nil) || IsWatch(nil) {
		t.Error("nothing is something")
	}
}
