package lan

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func ways(texts ...string) (list []netip.AddrPort) {
	for _, t := range texts {
		list = append(list, netip.MustParseAddrPort(t))
	}
	return list
}

// Messages are decoded as they were encoded; zones are not transmitted.
func TestGreetings(t *testing.T) {
	g := greeting{mine: 1, yours: 1<<64 - 1, ways: ways("192.168.1.5:7717", "[2001:db8::1]:9", "[fe80::1%eth0]:7717")}
	got, err := decodeGreeting(g.encode())
	want := ways("192.168.1.5:7717", "[2001:db8::1]:9", "[fe80::1]:7717")
	if err != nil || got.mine != g.mine || got.yours != g.yours || !slices.Equal(got.ways, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for range 2 * maxWays {
		g.ways = append(g.ways, netip.MustParseAddrPort("[fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535"))
	}
	if text := g.encode(); len(text) > maxSignal {
		t.Errorf("%d bytes", len(text))
	} else if got, err := decodeGreeting(text); err != nil || len(got.ways) != maxWays {
		t.Errorf("%d ways, %v", len(got.ways), err)
	}
}

func TestWhatIsNoGreetingIsRefused(t *testing.T) {
	for _, text := range []string{
		"", "tickback-lan-1", "tickback-lan-2 1 2", "tickback-lan-1 0 2", "tickback-lan-1 1 2 3", "tickback-lan-1 1 -2",
		"tickback-lan-1 1 2 0.0.0.0:1", "tickback-lan-1 1 2 224.0.0.1:1", "tickback-lan-1 1 2 255.255.255.255:1",
		"tickback-lan-1 1 2 10.0.0.1:0", "tickback-lan-1 1 2 [fe80::1%eth0]:1", "tickback-lan-1 1 2 [::ffff:0.0.0.0]:1",
		"tickback-lan-1 1 2" + strings.Repeat(" 10.0.0.1:1", maxWays+1), strings.Repeat(" ", maxSignal+1),
	} {
		if g, err := decodeGreeting(text); err == nil {
			t.Errorf("%.40q is %+v", text, g)
		}
	}
}

// A probe is decoded as it was encoded; any shorter one, or one with another first byte,
// is invalid.
func TestProbes(t *testing.T) {
	p := probe{asks, 7, 1<<63 + 9}
	b := p.encode()
	if got, ok := decodeProbe(b[:]); !ok || got != p || !isProbe(b[:]) {
		t.Errorf("%+v, %v", got, ok)
	}
	for n := range b {
		if _, ok := decodeProbe(b[:n]); ok {
			t.Errorf("%d bytes are a probe", n)
		}
	}
	for i := range 4 {
		other := b
		other[i]++
		if _, ok := decodeProbe(other[:]); ok {
			t.Errorf("%q begins a probe", other[:4])
		}
	}
	if isProbe(nil) || !isProbe([]byte("T")) {
		t.Error("a datagram without bytes is a probe, or one that begins as they do is none")
	}
	for _, first := range []byte{1, 2, 3, 4, 5, 6, 0x80, 0xFF} { // docs/reference/wire.md
		if isProbe([]byte{first}) {
			t.Errorf("a session's datagram that begins with %#x is taken for a probe", first)
		}
	}
}

// Probes and greetings are frozen: games of different versions meet on one network.
func TestFrozenSignals(t *testing.T) {
	const keys = "\x00\x00\x00\x00\x00\x00\x00\x07\x80\x00\x00\x00\x00\x00\x00\x09"
	for want, p := range map[string]probe{"TLP\x01\x01" + keys: {asks, 7, 1<<63 + 9}, "TLP\x01\x02" + keys: {answers, 7, 1<<63 + 9}} {
		if b := p.encode(); string(b[:]) != want {
			t.Errorf("a probe is %q, want %q", b, want)
		}
		if got, ok := decodeProbe([]byte(want)); !ok || got != p {
			t.Errorf("%q is %+v, %v", want, got, ok)
		}
	}
	const text = "tickback-lan-1 0000000000000007 8000000000000009 10.0.0.1:1 [2001:db8::1]:65535"
	g := greeting{7, 1<<63 + 9, ways("10.0.0.1:1", "[2001:db8::1]:65535")}
	if got := g.encode(); got != text {
		t.Errorf("a greeting is %q, want %q", got, text)
	}
	if got, err := decodeGreeting(text); err != nil || got.mine != g.mine || got.yours != g.yours || !slices.Equal(got.ways, g.ways) {
		t.Errorf("%q is %+v, %v", text, got, err)
	}
}

func FuzzGreeting(f *testing.F) {
	f.Add((&greeting{1, 2, ways("10.0.0.1:1", "[::1]:2")}).encode())
	f.Fuzz(func(t *testing.T, text string) {
		g, err := decodeGreeting(text)
		if err != nil {
			return
		}
		again, err := decodeGreeting(g.encode())
		if err != nil || again.mine != g.mine || again.yours != g.yours || !slices.Equal(again.ways, g.ways) || len(g.ways) > maxWays {
			t.Fatalf("%+v is %+v after a round, %v", g, again, err)
		}
	})
}

func FuzzProbe(f *testing.F) {
	b := probe{answers, 1, 2}.encode()
	f.Add(b[:])
	f.Fuzz(func(t *testing.T, b []byte) {
		p, ok := decodeProbe(b)
		if ok && p.encode() != [probeSize]byte(b) {
			t.Fatalf("%x is %+v", b, p)
		}
	})
}

var sample = Offer{GameID: "duel", Build: "1", Name: "Ada", Seats: 2, Taken: 1, Port: 7717, Host: 1<<64 - 1}

func TestAnswers(t *testing.T) {
	nonce := [nonceSize]byte{1, 2, 3}
	question := encodeQuestion(nonce)
	if got, ok := decodeQuestion(question); !ok || got != nonce {
		t.Errorf("%v, %v", got, ok)
	}
	b := encodeAnswer(nonce, sample)
	if got, ok := decodeAnswer(b, nonce); !ok || got != sample {
		t.Errorf("%+v, %v", got, ok)
	}
	if len(b) > len(question) {
		t.Errorf("%d bytes answer %d", len(b), len(question))
	}
	for n := range b {
		if _, ok := decodeAnswer(b[:n], nonce); ok {
			t.Errorf("%d bytes are an answer", n)
		}
	}
	if _, ok := decodeAnswer(b, [nonceSize]byte{}); ok {
		t.Error("an answer to somebody else")
	}
	long := sample
	long.Name = strings.Repeat("\x01", 90)
	if b := encodeAnswer(nonce, long); b != nil {
		t.Errorf("an answer of %d bytes", len(b))
	}
}

// Text that would be shown to people is printable.
func TestOffersAreChecked(t *testing.T) {
	for _, change := range []func(*Offer){
		func(o *Offer) { o.GameID = "" },
		func(o *Offer) { o.GameID = "du\x00el" },
		func(o *Offer) { o.Seats = 0 },
		func(o *Offer) { o.Seats = 17 },
		func(o *Offer) { o.Taken = 3 },
		func(o *Offer) { o.Taken = -1 },
		func(o *Offer) { o.Port = 0 },
		func(o *Offer) { o.At = "0.0.0.0" },
		func(o *Offer) { o.At = "box" },
		func(o *Offer) { o.Build = strings.Repeat("b", 65) },
		func(o *Offer) { o.Room = "\u202e" },
	} {
		o := sample
		change(&o)
		text, _ := json.Marshal(o)
		if got, err := decodeOffer(text); err == nil {
			t.Errorf("%s is %+v", text, got)
		}
	}
	largest := sample
	largest.Seats, largest.Taken = 16, 16
	largest.Build = strings.Repeat("b", 64)
	if got, ok := decodeAnswer(encodeAnswer([nonceSize]byte{}, largest), [nonceSize]byte{}); !ok || got != largest {
		t.Errorf("of 16 seats: %+v, %v", got, ok)
	}
	text, _ := json.Marshal(Offer{GameID: "duel", Seats: 2, Port: 1, Name: "A\u202ed\x07a"})
	if got, err := decodeOffer(text); err != nil || got.Name != "Ada" {
		t.Errorf("%+v, %v", got, err)
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add(encodeAnswer([nonceSize]byte{}, sample))
	f.Add([]byte(fmt.Sprint(answerName, "\x00\x00\x00\x00\x00\x00\x00\x00{}")))
	f.Fuzz(func(t *testing.T, b []byte) {
		decodeQuestion(b)
		o, ok := decodeAnswer(b, [nonceSize]byte{})
		if ok && (o.Seats < 1 || o.Seats > 16 || len(o.Name) > maxText || o.Name != printable(o.Name) || o.Port == 0) {
			t.Fatalf("%+v", o)
		}
	})
}

func TestAddressesAreCompleted(t *testing.T) {
	for text, want := range map[string]string{
		"192.168.1.5": "192.168.1.5:7717", " 192.168.1.5:80 ": "192.168.1.5:80", "::1": "[::1]:7717", "[::1]": "[::1]:7717",
		"[fe80::1%eth0]:9": "[fe80::1%eth0]:9", "fe80::1%eth0": "[fe80::1%eth0]:7717", "box": "box:7717", "box.lan:1": "box.lan:1",
		"http://10.0.0.1:7/#room=x": "10.0.0.1:7", "http://box/": "box:7717",
	} {
		if got, err := ParseAddress(text); err != nil || got != want {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", ":7717", "box:0", "box:65536", "box:x", "a b", "[::1", "1:2:3", "a/b", strings.Repeat("x", 300), "http://"} {
		if got, err := ParseAddress(text); err == nil {
			t.Errorf("%q is %q", text, got)
		}
	}
}

// A name has up to 255 bytes, and a port up to five digits. Every refusal is an ErrAddress, and quotes nothing long.
func TestHowLongAnAddressMayBe(t *testing.T) {
	longest := strings.Repeat("x", 255) + ":65535"
	if got, err := ParseAddress(longest); err != nil || got != longest {
		t.Errorf("the longest one: %q, %v", got, err)
	}
	for _, text := range []string{"x" + longest, ":7717", "box:0", "box:65536", "a b"} {
		if _, err := ParseAddress(text); !errors.Is(err, ErrAddress) || len(err.Error()) > 100 {
			t.Errorf("%.80q: %v", text, err)
		}
	}
}

// An address keeps its meaning in the URL that is requested, including its zone.
func TestURLsOfAddresses(t *testing.T) {
	for _, at := range []string{"192.168.1.5:7717", "[fe80::1%eth0]:7717", "box.lan:1"} {
		u, err := url.Parse(pageOf(at) + "offer")
		if err != nil || u.Host != at || u.Path != "/offer" {
			t.Errorf("%s becomes %v, %v", at, u, err)
		}
	}
}

// Rule: an address is found in any text that contains one, and no other word is taken for
// one.
func TestAnAddressIsFoundInAMessage(t *testing.T) {
	const link, at = "http://192.168.1.4:8080/#room=abc-_1", "192.168.1.4:8080"
	for text, want := range map[string]string{
		link:                                  at,
		"Join me: " + link + " cheers!":       at,
		"Join me (" + link + ").":             at,
		"„" + link + "“!":                     at,
		"<" + link + ">, please":              at,
		"[here](" + link + ")":                at,
		"see http://box.lan:8080/ or " + link: at,
		"http://box.lan:8080/#room=r, ok?":    "box.lan:8080",
		"Join me at 192.168.1.4:8080!":        at,
		"I am at 192.168.1.4.":                "192.168.1.4:7717",
		"(192.168.1.4)":                       "192.168.1.4:7717",
		"192.168.1.4: here":                   "192.168.1.4:7717",
		"*192.168.1.4:8080*, and be quick":    at,
		"at [fe80::1]:9, or [fe80::2]:9":      "[fe80::1]:9",
		"at fe80::1 then":                     "[fe80::1]:7717",
		"see\x7f192.168.1.4\x7f!":             "192.168.1.4:7717",
		"العب معي 192.168.1.4:8080 الآن":      at,
		" box ":                              "box:7717",
		"":                                   "",
		"no address at all":                  "",
		"at 192.168.1.400, or 10.0.0.1:0":    "",
		"home~192.168.1.4 is another word":   "",
		"see https://example.org/about, too": "",
		strings.Repeat("x ", 40_000) + link:  "",
	} {
		if got := AddressIn(text); got != want {
			t.Errorf("%.80q: %q, want %q", text, got, want)
		}
	}
	// The first 64 KiB are searched.
	if got := AddressIn(strings.Repeat(" ", 64<<10-len(at)) + at); got != at {
		t.Errorf("at the end of 64 KiB: %q", got)
	}
	if got := AddressIn(strings.Repeat(" ", 64<<10-len(at)+1) + at); got == at {
		t.Error("it is found beyond 64 KiB")
	}
}

// FuzzAddressIn: the result is an address.
func FuzzAddressIn(f *testing.F) {
	f.Add("Join me: http://192.168.1.4:8080/#room=abc-_1 cheers, or [fe80::1]:9!")
	f.Fuzz(func(t *testing.T, text string) {
		if a := AddressIn(text); a != "" {
			if again, err := ParseAddress(a); err != nil || again != a {
				t.Fatalf("%q in %q: %q, %v", a, text, again, err)
			}
		}
	})
}
