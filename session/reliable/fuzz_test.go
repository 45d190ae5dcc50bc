package reliable

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"
	"time"
)

// Any bytes are consumed completely, or as one section, or refused. What is
// consumed leaves a channel that still works, within its memory.
func FuzzConsume(f *testing.F) {
	for _, seed := range []string{
		"", "00", "4002", "4201000c796573086e6f", "0100307477656c7665206279746573", "c00105",
		"0301047805017805017740010100", "0201067805010678", "c0ffffffffffffffff7f", "0240ff01", "01000678" + "01010678" + "01020478" + "4001",
	} {
		b, err := hex.DecodeString(seed)
		if err != nil {
			f.Fatal(seed, err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 4096 { // a datagram has less
			return
		}
		c, _ := twoEnds(t)
		mustSend(t, c, "some", "messages", string(make([]byte, 2000)))
		c.Append(nil, FullRoom, 0)
		for now := time.Duration(1); len(b) > 0; now++ {
			n, err := c.Consume(b, now)
			if (err != nil) != (n == 0) || n > len(b) {
				t.Fatalf("Consume(%x): %d, %v", b, n, err)
			}
			if err != nil {
				break
			}
			b = b[n:]
			if got := c.Append(nil, FullRoom, now); len(got) > FullRoom {
				t.Fatalf("Append wrote %d bytes", len(got))
			}
		}
		for m, ok := c.Next(); ok; m, ok = c.Next() {
			if len(m) == 0 || len(m) > MaxMessage {
				t.Fatalf("message of %d bytes", len(m))
			}
		}
		if got := memory(c); got > most+4096 {
			t.Fatalf("holds %d bytes", got)
		}
	})
}

// Two ends deliver what they were given whatever a script does to the datagrams.
func FuzzTwoEnds(f *testing.F) {
	f.Add([]byte("hello"))
	f.Add([]byte{0, 200, 2, 100, 4, 0, 6, 0, 8, 50, 3, 9, 2, 255, 4, 1, 5, 2, 6, 1, 7, 0})
	f.Add(bytes.Repeat([]byte{0, 255, 2, 255, 10, 30, 8, 1, 3, 255, 4, 0, 5, 0}, 20))
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 400 {
			return
		}
		if err := runScript(script); err != nil {
			t.Fatal(err)
		}
	})
}

// runScript takes a step for each two bytes, and then lets both ends finish.
func runScript(script []byte) error {
	p := newPair(1, link{})
	var caught [2][][]byte // every section that an end wrote
	for ; len(script) >= 2; script = script[2:] {
		what, much := script[0], int(script[1])
		side := int(what & 1)
		e, other := p.ends[side], p.ends[1-side]
		var err error
		switch what >> 1 % 6 {
		case 0:
			err = e.say(p.message(1 + much*much/8))
		case 1:
			err = e.write(much*5, p.now)
			for _, sent := range e.out.underWay {
				caught[side] = append(caught[side], sent.bytes)
			}
			e.out.underWay = nil
		case 2: // any section arrives, new or old
			if sections := caught[side]; len(sections) > 0 {
				_, err = other.Consume(sections[(len(sections)-1)*much/255], p.now)
			}
		case 3:
			err = e.take(other, much)
		case 4:
			p.now += time.Duration(much) * 10 * time.Millisecond
		case 5:
			e.SetEager(much&1 == 1)
			e.SetTimeout(time.Duration(much) * time.Millisecond)
		}
		if err != nil && !errors.Is(err, ErrFull) {
			return err
		}
	}
	return p.finish()
}

// finish lets both ends send until there is nothing left to send.
func (p *pair) finish() error {
	for range 20_000 {
		if p.quiet() {
			return nil
		}
		if err := p.step(tick, FullRoom); err != nil {
			return err
		}
	}
	return errors.New("not quiet after 20,000 steps")
}
