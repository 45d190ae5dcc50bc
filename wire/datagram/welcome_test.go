package datagram

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func drawText(t *rapid.T, name string) string {
	return string(rapid.SliceOfN(rapid.Byte(), 0, MaxText).Draw(t, name))
}

func drawWelcome(t *rapid.T) *Welcome {
	number := rapid.Uint64()
	w := &Welcome{Version: Version, Nonce: number.Draw(t, "nonce"), Attempt: rapid.Byte().Draw(t, "attempt")}
	players := rapid.IntRange(0, MaxPlayers).Draw(t, "players")
	w.Items = Items{
		Game: drawText(t, "game"), Build: drawText(t, "build"), Platform: drawText(t, "platform"),
		Players: byte(players), Own: rapid.Uint16().Draw(t, "own") & (1<<players - 1), InputSize: rapid.Byte().Draw(t, "size"),
		TickRate: rapid.Uint16().Draw(t, "rate"), MaxOrders: rapid.Uint16().Draw(t, "orders"),
		ChainEvery: rapid.Uint16().Draw(t, "chain"), HashEvery: rapid.Uint16().Draw(t, "hash"),
		Rule: Rule(rapid.Byte().Draw(t, "rule")), State: number.Draw(t, "state"),
	}
	if w.Engaged.Earlier = rapid.Bool().Draw(t, "earlier"); w.Engaged.Earlier {
		w.Engaged.Playing, w.Engaged.Joins = rapid.Bool().Draw(t, "playing"), rapid.Bool().Draw(t, "joins")
	} else if rapid.Bool().Draw(t, "offered") {
		w.Offer = &Offer{
			Match: rapid.Uint32().Draw(t, "match"), State: number.Draw(t, "offer state"), Seed: number.Draw(t, "seed"),
			Frames: rapid.Uint32().Draw(t, "frames"), Content: number.Draw(t, "content"),
			Data: rapid.SliceOfN(rapid.Byte(), 0, MaxOffer+1-w.Items.sets().Size()).Draw(t, "data"),
		}
	} else {
		w.Run = number.Draw(t, "run")
	}
	return w
}

// Everything in a Welcome is read back, and it is never longer than a Hello.
func TestWelcomesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWelcome(t)
		b := w.Append([]byte("before"))[6:]
		if len(b)+TagSize > HelloSize {
			t.Fatalf("%d bytes and a tag", len(b))
		}
		got, err := ConsumeWelcome(b)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(w, &got); d != "" {
			t.Fatal(d)
		}
	})
}

// The longest possible Welcome fills a datagram to the last byte.
func TestLongestWelcomeFits(t *testing.T) {
	long := strings.Repeat("x", MaxText)
	w := Welcome{Version: Version, Items: Items{Game: long, Build: long, Platform: long}, Offer: &Offer{Data: make([]byte, MaxOffer)}}
	if n := len(w.Append(nil)) + TagSize; n != MaxSize {
		t.Errorf("%d bytes, not %d", n, MaxSize)
	}
	if MaxOffer != 930 {
		t.Errorf("MaxOffer is %d, and docs/reference/wire.md says 930", MaxOffer)
	}
}

// Whether an offer fits is known in advance, to the byte; without one a Welcome always fits into the smallest datagram.
func TestWhetherAnOfferFitsIsKnown(t *testing.T) {
	long := strings.Repeat("x", MaxText)
	rapid.Check(t, func(t *rapid.T) {
		w := Welcome{Version: Version, Items: Items{
			Game: long[:rapid.IntRange(0, MaxText).Draw(t, "game")], Build: long[:rapid.IntRange(0, MaxText).Draw(t, "build")],
			Platform: long[:rapid.IntRange(0, MaxText).Draw(t, "platform")],
			Players:  byte(rapid.IntRange(1, MaxPlayers).Draw(t, "players")),
		}}
		if w.OfferFits(MaxSize) || len(w.Append(nil))+TagSize > MinSize {
			t.Fatalf("without an offer there are %d bytes", len(w.Append(nil)))
		}
		w.Offer = &Offer{Data: make([]byte, rapid.IntRange(0, MaxOffer).Draw(t, "data"))}
		if n := len(w.Append(nil)) + TagSize; !w.OfferFits(n) || w.OfferFits(n-1) {
			t.Fatalf("%d bytes fit into %d: %v, into one less: %v", n, n, w.OfferFits(n), w.OfferFits(n-1))
		}
	})
}

func sampleWelcome(o *Offer) *Welcome {
	return &Welcome{
		Version: Version, Nonce: 0x1122334455667788, Attempt: 3,
		Items: Items{
			Game: "duel", Build: "v7", Platform: "p", Players: 2, Own: 1, InputSize: 4,
			TickRate: 60, MaxOrders: 300, ChainEvery: 120, HashEvery: 2, Rule: RuleContinue, State: 0xAABBCCDDEEFF0011,
		},
		Offer: o,
	}
}

// wideWelcome is a Welcome in a match with more than 8 players.
func wideWelcome() *Welcome {
	w := sampleWelcome(nil)
	w.Items.Players, w.Items.Own = 9, 1<<8|1
	return w
}

// welcomeOf is a Welcome with the run of a server's process.
func welcomeOf(run uint64) *Welcome {
	w := sampleWelcome(nil)
	w.Run = run
	return w
}

func engaged(e Engaged) *Welcome {
	w := sampleWelcome(nil)
	w.Engaged = e
	return w
}

func TestFrozenWelcome(t *testing.T) {
	head := "02544b4202" + "8877665544332211" + "03" + "046475656c" + "027637" + "0170" +
		"020104" + "3c00" + "2c01" + "7800" + "0200" + "01" + "1100ffeeddccbbaa"
	for _, c := range []struct {
		w    *Welcome
		want string
	}{
		{sampleWelcome(nil), head + "00"},
		{wideWelcome(), strings.Replace(head, "020104", "09010104", 1) + "00"},
		{engaged(Engaged{Earlier: true}), head + "02"},
		{engaged(Engaged{Earlier: true, Playing: true}), head + "06"},
		{engaged(Engaged{Earlier: true, Playing: true, Joins: true}), head + "0e"},
		{welcomeOf(0x1122334455667788), head + "10" + "8877665544332211"},
		{
			sampleWelcome(&Offer{Match: 5, State: 1, Seed: 2, Frames: 3600, Content: 3, Data: []byte{0xDA}}),
			head + "01" + "05000000" + "0100000000000000" + "0200000000000000" + "100e0000" + "0300000000000000" + "da",
		},
	} {
		if got := hex.EncodeToString(c.w.Append(nil)); got != c.want {
			t.Errorf("%s, not\n%s", got, c.want)
		}
	}
}

// A Welcome that is truncated anywhere is refused; but the data of an offer end where the datagram ends.
func TestWelcomeCutOffIsRefused(t *testing.T) {
	for _, w := range []*Welcome{sampleWelcome(nil), sampleWelcome(&Offer{}), wideWelcome(), welcomeOf(1)} {
		b := w.Append(nil)
		for n := range b {
			if _, err := ConsumeWelcome(b[:n]); !errors.Is(err, ErrShort) {
				t.Errorf("%d of %d bytes: %v", n, len(b), err)
			}
		}
	}
	if _, err := ConsumeWelcome(append(sampleWelcome(nil).Append(nil), 0)); !errors.Is(err, ErrTrailing) {
		t.Errorf("a byte after the end: %v", err)
	}
}

func TestWelcomeThatIsNoneIsRefused(t *testing.T) {
	good := sampleWelcome(nil).Append(nil)
	for _, c := range []struct {
		at   int
		set  byte
		want error
	}{
		{0, KindHello, ErrKind},
		{1, 'X', ErrMagic},
		{3, 'X', ErrMagic},
		{len(good) - 1, 3, ErrRange},  // an offer for who is sent away
		{len(good) - 1, 4, ErrRange},  // a match with nobody
		{len(good) - 1, 8, ErrRange},  // that others may join
		{len(good) - 1, 16, ErrShort}, // a run
		{len(good) - 1, 17, ErrRange}, // a run, and an offer
		{len(good) - 1, 18, ErrRange}, // a run, for who is sent away
		{len(good) - 1, 32, ErrShort}, // a rate
		{len(good) - 1, 64, ErrRange}, // no such flag
		{14, MaxText + 1, ErrShort},
		{24, MaxPlayers + 1, ErrRange},
		{24, 1, nil},             // its own player is the only one
		{25, 1 << 2, ErrPlayers}, // who is not one of two
		{25, 1<<7 | 1, ErrPlayers},
	} {
		b := bytes.Clone(good)
		b[c.at] = c.set
		if _, err := ConsumeWelcome(b); !errors.Is(err, c.want) {
			t.Errorf("%x at %d: %v, not %v", c.set, c.at, err, c.want)
		}
	}
	none := welcomeOf(1).Append(nil)
	clear(none[len(none)-8:])
	if _, err := ConsumeWelcome(none); !errors.Is(err, ErrRange) {
		t.Errorf("a run without a number: %v", err)
	}
	if _, err := ConsumeWelcome(append(welcomeOf(1).Append(nil), 0)); !errors.Is(err, ErrTrailing) {
		t.Errorf("a byte after the run: %v", err)
	}
	long := append(good[:14:14], MaxText+1)
	if _, err := ConsumeWelcome(append(long, make([]byte, 200)...)); !errors.Is(err, ErrRange) {
		t.Errorf("a text of %d bytes: %v", MaxText+1, err)
	}
}

// For a Welcome of another version, the version is reported, whatever follows.
func TestWelcomeOfAnotherVersionIsToldApart(t *testing.T) {
	b := []byte{KindWelcome, 'T', 'K', 'B', Version + 1, 8, 7, 6, 5, 4, 3, 2, 1, 9, 0xFF}
	want := Welcome{Version: Version + 1, Nonce: 0x0102030405060708, Attempt: 9}
	for n := welcomeFixed; n <= len(b); n++ {
		if w, err := ConsumeWelcome(b[:n]); err != nil || !cmp.Equal(w, want) {
			t.Errorf("%+v, %v", w, err)
		}
	}
}
