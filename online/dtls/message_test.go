package dtls

import (
	"bytes"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback"
)

// The beginnings of messages are frozen, so that transports of different versions understand each other.
func TestFrozenMessages(t *testing.T) {
	token, err := tickback.ParseToken(frozenToken)
	if err != nil {
		t.Fatal(err)
	}
	_, pair := fromToken(token)
	head := header{flags: flagAsk | flagForeign, from: instance{1}, to: instance{2}, echo: cookie{3}}
	h, e := hello{head, cookie{4}}, envelope{head, 5, []byte{6}}
	const start = "58112fcb2c084857" + "0100000000000000" + "0200000000000000" + "03000000000000000000000000000000"
	for got, want := range map[string]string{
		fmt.Sprintf("%x", h.append(nil, pair)[:helloSize-macSize]):          "54425301" + "01" + "09" + start + "04000000000000000000000000000000",
		fmt.Sprintf("%x", e.append(nil, pair)[:envelopeOverhead-macSize+1]): "54425301" + "02" + "09" + start + "05000000" + "06",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	h.kind, h.key, e.kind, e.key = kindHello, pair.id, kindEnvelope, pair.id
	sealed := h.append(nil, pair)
	head, rest, ok := parseHeader(sealed)
	if got, isHello := parseHello(head, rest); !ok || !isHello || got != h || !pair.opens(sealed) {
		t.Errorf("a hello is %+v, %v, want %+v", got, isHello, h)
	}
	sealed = e.append(nil, pair)
	head, rest, ok = parseHeader(sealed)
	if got, isEnvelope := parseEnvelope(head, rest); !ok || !isEnvelope || got.header != e.header || got.attempt != e.attempt || !bytes.Equal(got.records, e.records) || !pair.opens(sealed) {
		t.Errorf("an envelope is %+v, %v, want %+v", got, isEnvelope, e)
	}
	for i := range sealed {
		other := bytes.Clone(sealed)
		other[i] ^= 1
		if pair.opens(other) {
			t.Errorf("with another byte %d an envelope is sealed, too", i)
		}
	}
}

// A datagram that is sealed with our key and is no message is counted as forged, and so is one of our own that
// comes back.
func TestWhatIsSealedAndIsNoMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a, g := n.open(t, alice, Config{Token: token}), n.guest(bob, token)
		count := func(what string, want uint64, b []byte) {
			t.Helper()
			before := a.Stats().Forged
			g.Send(addr(alice), b)
			time.Sleep(5 * time.Millisecond)
			if got := a.Stats().Forged - before; got != want {
				t.Errorf("%s: %d are forged, want %d", what, got, want)
			}
		}
		h := hello{header{flags: flagAsk, from: g.self}, cookie{}}
		count("a hello", 0, h.append(nil, g.pair))
		h.from = a.greeter.self
		count("a hello of ourselves", 1, h.append(nil, g.pair))
		other := header{kind: 9, key: g.pair.id, from: g.self}
		count("another kind", 1, g.pair.seal(other.append(nil), 0))
		h.from = g.self
		short := header{kind: kindHello, key: g.pair.id, from: g.self}
		count("a hello without a cookie", 1, g.pair.seal(short.append(nil), 0))
		b := h.append(nil, g.pair)
		b[len(b)-1] ^= 1
		count("a wrong code", 1, b)
		a.Close()
	})
}

// An envelope must not be empty: one without records is invalid.
func TestAnEnvelopeCarriesSomething(t *testing.T) {
	for n := range 7 {
		e, ok := parseEnvelope(header{kind: kindEnvelope}, []byte{1, 2, 0, 0, 5, 6}[:n])
		if ok != (n > 4) || ok && (e.attempt != 0x201 || len(e.records) != n-4) {
			t.Errorf("%d bytes: %+v, %v", n, e, ok)
		}
	}
}

// A datagram of a session without encryption begins with the kinds of a match, 1 to 6, or with those from 0x80 on
// (docs/reference/wire.md): no other datagram causes an answer that says that its sender does not encrypt.
func TestWhatMayBeWithoutEncryption(t *testing.T) {
	for first := range 256 {
		want := first >= 1 && first <= 6 || first >= 0x80
		if plain([]byte{byte(first)}) != want {
			t.Errorf("a datagram that begins with %#x: %v", first, !want)
		}
	}
	if plain(nil) {
		t.Error("nothing is something")
	}
}
