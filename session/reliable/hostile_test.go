package reliable

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"
)

// memory returns the bytes that a channel holds in buffers.
func memory(c *Channel) int {
	n := cap(c.sender.bytes.elements) + 4*cap(c.sender.uncut.elements)
	n += cap(c.receiver.bytes.elements) + 4*cap(c.receiver.complete.elements)
	for _, slot := range c.receiver.ring {
		n += cap(slot.bytes)
	}
	return n
}

// most is what a receiver may hold: the ring, in allocations of up to 1024 bytes,
// and less than three times what waits in the two queues.
const most = Window*1024 + 3*(2*MaxMessage+MaxFragment) + 3*4*2*MaxMessage/messageCost

// oneFragment writes a section as a hostile peer might.
func oneFragment(number uint64, length int, continues bool) []byte {
	b := binary.AppendUvarint([]byte{1}, number)
	head := uint64(length) << lengthShift
	if continues {
		head |= continuesBit
	}
	return append(binary.AppendUvarint(b, head), make([]byte, length)...)
}

// A peer that sends every second fragment for ever fills the ring, once.
func TestEverySecondFragmentFillsTheRing(t *testing.T) {
	c, _ := twoEnds(t)
	for range 100 {
		for n := uint64(1); n < Window; n += 2 {
			mustConsume(t, c, oneFragment(n, MaxFragment, true))
		}
	}
	if got := memory(c); got > Window/2*1024 {
		t.Errorf("holds %d bytes", got)
	}
	if _, err := c.Consume(oneFragment(Window, 1, true), 0); !errors.Is(err, ErrWindow) {
		t.Errorf("error is %v", err)
	}
}

// An application that takes no messages stops the peer at a limit. When it takes
// them again, everything arrives.
func TestUntakenMessagesAreBounded(t *testing.T) {
	for _, size := range []int{1, 7, 100, MaxFragment, 5000, MaxMessage} {
		p := newPair(1, link{})
		from, to := p.ends[0], p.ends[1]
		message := p.message(size)
		for i := range 3000 {
			for from.say(message) == nil {
				message = p.message(size)
			}
			p.now += tick
			if err := errors.Join(from.write(1100, p.now), from.write(1100, p.now), to.read(from, p.now)); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(to.write(1100, p.now), from.read(to, p.now)); err != nil {
				t.Fatal(err)
			}
			if got := memory(to.Channel); got > most {
				t.Fatalf("size %d, step %d: holds %d bytes", size, i, got)
			}
		}
		refused := to.Stats().Refused
		if refused == 0 || from.Pending() == 0 {
			t.Errorf("size %d: refused %d, pending %d", size, refused, from.Pending())
		}
		for i := 0; !p.quiet(); i++ {
			if err := p.step(tick, 1100); err != nil || i > 100_000 {
				t.Fatalf("size %d: %v after %d steps, pending %d", size, err, i, from.Pending())
			}
		}
		t.Logf("size %d: %d messages, refused %d", size, from.sent.delivered, refused)
	}
}

// A message may have at most MaxMessage bytes, in whatever order it arrives.
func TestAMessageThatIsTooLong(t *testing.T) {
	for _, backwards := range []bool{false, true} {
		for _, extra := range []int{0, 1} {
			c, err := New(Config{MaxMessage: 10 * 100})
			if err != nil {
				t.Fatal(err)
			}
			for i := range uint64(10) {
				if backwards {
					i = 9 - i
				}
				length := 100
				if i == 5 {
					length += extra
				}
				if _, e := c.Consume(oneFragment(i, length, i != 9), 0); e != nil {
					err = e
				}
			}
			if want := extra > 0; errors.Is(err, ErrTooLong) != want {
				t.Errorf("backwards %v, %d too many: %v", backwards, extra, err)
			}
			if got := len(all(c)); got != 1-extra {
				t.Errorf("%d messages", got)
			}
		}
	}
}

// A peer that sends well-formed sections that are otherwise random is served
// within the limits or detected as broken.
func TestRandomFragmentsAreBounded(t *testing.T) {
	rounds := 100
	if testing.Short() {
		rounds = 10
	}
	for range rounds {
		seed := anySeed()
		random := rand.New(rand.NewPCG(seed, 0))
		c, _ := twoEnds(t)
		var err error
		for range 2000 {
			number := c.receiver.arrived + uint64(random.IntN(Window))
			_, err = c.Consume(oneFragment(number, 1+random.IntN(MaxFragment), random.IntN(20) > 0), 0)
			if random.IntN(50) == 0 {
				c.Next()
			}
			if got := memory(c); got > most {
				t.Fatalf("-reliable.seed=%d: holds %d bytes", seed, got)
			}
		}
		if err != nil && !errors.Is(err, ErrTooLong) {
			t.Errorf("-reliable.seed=%d: %v", seed, err)
		}
	}
}

// The first copy of a fragment counts; others are duplicates whatever they hold.
func TestTheFirstCopyCounts(t *testing.T) {
	a, b := twoEnds(t)
	mustSend(t, a, "one", "two")
	section := a.Append(nil, 1000, 0)
	second := []byte("\x01\x01\x0cTWO")
	mustConsume(t, b, second, []byte("\x01\x01\x0ctwo"), section, second)
	if got := all(b); len(got) != 2 || got[1] != "TWO" {
		t.Errorf("messages are %q", got)
	}
	if s := b.Stats(); s.Received != 2 || s.Duplicates != 3 {
		t.Errorf("stats are %+v", s)
	}
}
