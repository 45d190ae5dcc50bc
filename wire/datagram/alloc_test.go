package datagram_test

import (
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// mustNotAllocate fails if f allocates.
func mustNotAllocate(t *testing.T, name string, f func()) {
	t.Helper()
	if n := testing.AllocsPerRun(100, f); n != 0 {
		t.Errorf("%s allocates %v times", name, n)
	}
}

// Nothing in a match allocates.
func TestDatagramsOfAMatchAllocateNothing(t *testing.T) {
	e := newExchange()
	mustNotAllocate(t, "writing", e.encode)
	mustNotAllocate(t, "reading", func() {
		if err := e.decode(); err != nil {
			t.Fatal(err)
		}
	})
	input := []byte{1, 2, 3, 4}
	mustNotAllocate(t, "Push", func() {
		input[0]++
		e.sent.Push(input)
	})
	b, next := make([]byte, 0, datagram.MaxSize), e.received.Next()
	mustNotAllocate(t, "new inputs", func() {
		b, _ = e.sent.AppendBlock(b[:0], next, next+1, 100)
		if n, err := e.received.ConsumeBlock(b, next, 1); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		next++
	})
	mustNotAllocate(t, "Init", func() { e.received.Init(4) })
	mustNotAllocate(t, "Start", func() { e.received.Start(4, 1000, input) })
}

func TestOrdersAllocateNothing(t *testing.T) {
	s := datagram.Shape{Sender: 2, Receiver: 1}
	p := &datagram.Play{Ends: [datagram.MaxPlayers]uint32{100, 100}, Counts: [datagram.MaxPlayers]uint32{8, 8}}
	o := datagram.Order{Player: 1, Frame: 95, Bytes: []byte("build a tower")}
	b := make([]byte, 0, datagram.MaxSize)
	mustNotAllocate(t, "an order", func() {
		b = datagram.AppendOrder(b[:0], o, s, 100)
		if _, _, err := datagram.ConsumeOrder(b, p, s); err != nil {
			t.Fatal(err)
		}
	})
}

// Strangers cannot cause allocations: neither with a Hello, nor with a wrong tag.
func TestStrangersAllocateNothing(t *testing.T) {
	b := make([]byte, 0, datagram.MaxSize)
	mustNotAllocate(t, "a Hello", func() {
		b = datagram.Hello{Version: 1, Nonce: 2}.Append(b[:0])
		if _, err := datagram.ConsumeHello(b); err != nil {
			t.Fatal(err)
		}
	})
	w := &datagram.Welcome{Version: datagram.Version, Items: datagram.Items{Game: "game", Build: "7"}}
	mustNotAllocate(t, "writing a Welcome", func() { b = datagram.Key(1).Seal(w.Append(b[:0]), 0, 0) })
	mustNotAllocate(t, "a wrong tag", func() {
		if _, ok := datagram.Key(2).Open(b, 0); ok {
			t.Fatal("it was opened")
		}
	})
	mustNotAllocate(t, "challenges", func() {
		b = datagram.Challenge{Kind: datagram.KindChallenge, Token: 5}.Append(b[:0])
		if _, err := datagram.ConsumeChallenge(b); err != nil {
			t.Fatal(err)
		}
	})
}

// Reading a Welcome allocates its texts, and its offer, which copies no data.
func TestWelcomeAllocatesItsTexts(t *testing.T) {
	w := &datagram.Welcome{Version: datagram.Version, Items: datagram.Items{Game: "game", Build: "7", Platform: "amd64"}}
	w.Offer = &datagram.Offer{Data: make([]byte, 500)}
	b := w.Append(nil)
	n := testing.AllocsPerRun(100, func() {
		if _, err := datagram.ConsumeWelcome(b); err != nil {
			t.Fatal(err)
		}
	})
	if n > 4 {
		t.Errorf("%v allocations, more than three texts and an offer", n)
	}
}
