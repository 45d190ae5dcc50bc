package datagram

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tickback/tickback/wire/rate"
)

// consoleRate is 60.0988 frames per second.
var consoleRate = rate.Rate{Frames: 39375000, Seconds: 655171}

// atRate returns the Welcome with the exact tick rate.
func atRate(w *Welcome, r rate.Rate) *Welcome {
	w.Items.TickRate, w.Items.Rate = uint16(r.Nearest()), r
	return w
}

// A Welcome with a rate that is no integer comes back, whatever else is in it; and whether an offer fits is known to the
// byte.
func TestWelcomesWithARateComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWelcome(t)
		seconds := rapid.Uint32Range(2, 1<<20).Draw(t, "seconds")
		r := rate.Rate{Frames: rapid.Uint32Range(seconds, rate.Max*seconds).Draw(t, "frames"), Seconds: seconds}
		if r.Canonical() != nil {
			r = consoleRate
		}
		if atRate(w, r); w.Offer != nil {
			w.Offer.Data = w.Offer.Data[:min(len(w.Offer.Data), MaxOffer-rateSize)]
		}
		b := w.Append(nil)
		if got, err := ConsumeWelcome(b); err != nil || !cmp.Equal(w, &got) {
			t.Fatal(err, cmp.Diff(w, &got))
		}
		if n := len(b) + TagSize; w.Offer != nil && (!w.OfferFits(n) || w.OfferFits(n-1)) || w.Offer == nil && n > MinSize {
			t.Fatalf("%d bytes fit into %d: %v, into one less: %v", n, n, w.OfferFits(n), w.OfferFits(n-1))
		}
	})
}

func TestFrozenWelcomeWithARate(t *testing.T) {
	head := "02544b4202" + "8877665544332211" + "03" + "046475656c" + "027637" + "0170" +
		"020104" + "3c00" + "2c01" + "7800" + "0200" + "01" + "1100ffeeddccbbaa"
	at := "98d05802" + "43ff0900"
	for _, c := range []struct {
		w    *Welcome
		want string
	}{
		{sampleWelcome(nil), head + "20" + at},
		{engaged(Engaged{Earlier: true}), head + "22" + at},
		{welcomeOf(0x1122334455667788), head + "30" + at + "8877665544332211"},
		{
			sampleWelcome(&Offer{Match: 5, State: 1, Seed: 2, Frames: 3600, Content: 3, Data: []byte{0xDA}}),
			head + "21" + at + "05000000" + "0100000000000000" + "0200000000000000" + "100e0000" + "0300000000000000" + "da",
		},
	} {
		b := atRate(c.w, consoleRate).Append(nil)
		if got := hex.EncodeToString(b); got != c.want {
			t.Errorf("%s, not\n%s", got, c.want)
		}
		for n := range b[:strings.Index(c.want, at)/2+rateSize] {
			if _, err := ConsumeWelcome(b[:n]); !errors.Is(err, ErrShort) {
				t.Errorf("%d of %d bytes: %v", n, len(b), err)
			}
		}
	}
}

// A rate that is none, that is an integer, that is not in lowest terms, or that is not next to the integer before it, is
// refused.
func TestHostileRatesOfAWelcomeAreRefused(t *testing.T) {
	for _, r := range []rate.Rate{
		{},
		{Frames: 60},
		{Seconds: 60},
		{Frames: 60, Seconds: 1},
		{Frames: 78750000, Seconds: 1310342},
		{Frames: 121, Seconds: 2},
		{Frames: math.MaxUint32, Seconds: 2},
		{Frames: 2, Seconds: math.MaxUint32},
		{Frames: 1, Seconds: 2},
		{Frames: 2001, Seconds: 2},
	} {
		b := atRate(sampleWelcome(nil), consoleRate).Append(nil)
		le := binary.LittleEndian
		le.PutUint32(b[len(b)-8:], r.Frames)
		le.PutUint32(b[len(b)-4:], r.Seconds)
		if w, err := ConsumeWelcome(b); !errors.Is(err, ErrRange) {
			t.Errorf("%v: %+v, %v", r, w.Items.Rate, err)
		}
	}
}
