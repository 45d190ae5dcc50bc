package netem_test

import (
	"bytes"
	"encoding/binary"
	"hash/fnv"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
)

// A datagram and its duplicate are copied when the datagram is sent, and the result of Receive does not change until
// the next Receive, whatever is sent in between.
func TestDatagramsAreCopied(t *testing.T) {
	d := datagrams(t, 2, 1, netem.Link{Duplicate: netem.Always})
	b := []byte("first")
	d.Send(0, 0, 1, b)
	copy(b, "xxxxx")
	got, ok := d.Receive(0)
	if !ok || string(got.Payload) != "first" {
		t.Fatalf("%q, %v", got.Payload, ok)
	}
	for range 100 {
		d.Send(0, 0, 1, []byte("other"))
	}
	if string(got.Payload) != "first" {
		t.Errorf("the payload has become %q", got.Payload)
	}
	copy(got.Payload, "yyyyy")
	if again, ok := d.Receive(0); !ok || string(again.Payload) != "first" {
		t.Errorf("the copy is %q, %v", again.Payload, ok)
	}
}

// A datagram that was received may be sent on in the same network: a relay.
func TestWhatIsReceivedMayBeSent(t *testing.T) {
	d := datagrams(t, 3, 1, netem.Link{Duplicate: netem.Always})
	d.Send(0, 0, 1, []byte("hello"))
	for n := 0; ; n++ {
		got, ok := d.Receive(0)
		if !ok {
			if n != 6 { // two at the relay, and two copies of each after it
				t.Errorf("%d deliveries", n)
			}
			return
		}
		if string(got.Payload) != "hello" {
			t.Fatalf("received %q", got.Payload)
		}
		if got.To == 1 {
			d.Send(0, 1, 2, got.Payload)
		}
	}
}

// Corrupt flips bits of the configured share of datagrams, and never changes a length.
func TestCorruptFlipsBits(t *testing.T) {
	d := datagrams(t, 2, 1, netem.Link{Corrupt: 25 * netem.Percent})
	want := []byte("a datagram that is intact")
	var corrupted int64
	for range 10_000 {
		d.Send(0, 0, 1, want)
		got, ok := d.Receive(0)
		if !ok || len(got.Payload) != len(want) {
			t.Fatalf("%q, %v", got.Payload, ok)
		}
		if !bytes.Equal(got.Payload, want) {
			corrupted++
		}
	}
	within(t, "corrupted", corrupted, 2500, 150)
	if s := d.Stats(0, 1); s.Corrupted != uint64(corrupted) || s.Lost != 0 {
		t.Errorf("the statistics are %+v", s)
	}
}

// digest is the digest of all deliveries of a match of 8 nodes: times, nodes, payloads.
func digest(t *testing.T, seed uint64, l netem.Link) uint64 {
	d := datagrams(t, 8, seed, l)
	h := fnv.New64a()
	var payload, text []byte
	for tick := range 400 {
		now := time.Duration(tick) * benchTick
		for from := range 8 {
			for to := range 8 {
				payload = binary.LittleEndian.AppendUint64(payload[:0], uint64(tick*64+from*8+to))
				d.Send(now, from, to, payload)
			}
		}
		for {
			got, ok := d.Receive(now)
			if !ok {
				break
			}
			text = binary.LittleEndian.AppendUint64(text[:0], uint64(got.At))
			h.Write(append(append(text, byte(got.From), byte(got.To)), got.Payload...))
		}
	}
	return h.Sum64()
}

// A seed gives the same deliveries bit by bit, on every architecture and in every version; another seed gives others.
func TestFrozenDeliveries(t *testing.T) {
	for _, c := range []struct {
		name string
		seed uint64
		want uint64
	}{
		{"lan", 1, 0xede321e5bf5aa75d},
		{"wifi", 1, 0x4fef33a25a6eda13},
		{"mobile", 1, 0xa9d60ba30d78903f},
		{"intercontinental", 1, 0xc19e5a69ee1bf0c7},
		{"awful", 1, 0x6f35f38ed5134f45},
		{"awful", 2, 0xa4182f9b037347},
	} {
		if got := digest(t, c.seed, must(netem.ProfileNamed(c.name)).Link); got != c.want {
			t.Errorf("%s, seed %d: %#x, want %#x", c.name, c.seed, got, c.want)
		}
	}
}
