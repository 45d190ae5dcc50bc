package reliable

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

var seedFlag = flag.Uint64("reliable.seed", 0, "replay the random test of this seed")

// anySeed returns the one to replay, or a new one.
func anySeed() uint64 {
	if *seedFlag != 0 {
		return *seedFlag
	}
	return rand.Uint64() | 1
}

// Whatever is lost, duplicated, reordered or discarded, however the room, the
// application and the settings vary, both ends deliver what the other one sent:
// complete, in order, once. Then both fall silent.
func TestEverythingArrivesInOrderAndOnce(t *testing.T) {
	if *seedFlag != 0 {
		if _, err := converse(*seedFlag); err != nil {
			t.Fatal(err)
		}
		return
	}
	conversations, seen := 5000, map[string]int{}
	if testing.Short() {
		conversations = 200
	}
	for range conversations {
		seed := anySeed()
		c, err := converse(seed)
		if err != nil {
			t.Fatalf("-reliable.seed=%d: %v", seed, err)
		}
		c.count(seen)
	}
	t.Log(seen)
	for _, what := range []string{"messages", "resent", "duplicates", "refused", "full", "interruptions", "discarded"} {
		if seen[what] == 0 {
			t.Errorf("never seen: %s", what)
		}
	}
}

// conversation is a random run of a pair.
type conversation struct {
	*pair
	largest       int
	slow          int // percent of steps in which an end takes no messages
	interruption  time.Duration
	interruptions int
	full          int
	discarded     int
}

func (c *conversation) count(seen map[string]int) {
	for _, e := range c.ends {
		seen["messages"] += e.sent.delivered
		seen["resent"] += int(e.Stats().Resent)
		seen["duplicates"] += int(e.Stats().Duplicates)
		seen["refused"] += int(e.Stats().Refused)
	}
	seen["full"] += c.full
	seen["interruptions"] += c.interruptions
	seen["discarded"] += c.discarded
	seen["longest, s"] = max(seen["longest, s"], int(c.now/time.Second))
}

func converse(seed uint64) (*conversation, error) {
	random := rand.New(rand.NewPCG(seed, 1))
	l := link{
		loss: random.IntN(61), duplicate: random.IntN(2) * random.IntN(40),
		delay:  time.Duration(random.IntN(200)) * time.Millisecond,
		jitter: time.Duration(random.IntN(2)*random.IntN(300)) * time.Millisecond,
	}
	largest := []int{1, 20, 300, 3000, MaxMessage}[random.IntN(5)]
	config := Config{MaxMessage: largest, Backlog: largest + messageCost + random.IntN(2*largest+1000)}
	c := &conversation{pair: newPair(seed, l, config, config), largest: largest, slow: random.IntN(2) * 95}
	volume := 1 + random.IntN(60_000)
	for volume > 0 {
		for _, e := range c.ends {
			volume -= c.say(e)
		}
		if err := c.wander(); err != nil {
			return c, err
		}
	}
	c.slow = 0
	for deadline := c.now + 10*time.Minute; !c.quiet(); {
		if err := c.wander(); err != nil {
			return c, err
		}
		if c.now > deadline {
			return c, fmt.Errorf("not quiet at %v: %+v, %+v", c.now, c.ends[0].sender, c.ends[1].sender)
		}
	}
	return c, nil
}

// say sends a few messages and returns how much of the volume that was.
func (c *conversation) say(e *end) (volume int) {
	for range c.random.IntN(8) {
		size := 1 + c.random.IntN(1+c.random.IntN(c.largest))
		if err := e.say(c.message(size)); errors.Is(err, ErrFull) {
			c.full++
		} else if err != nil {
			panic(err)
		}
		volume += size + 20
	}
	return volume
}

// wander takes a step of random kind.
func (c *conversation) wander() error {
	c.now += time.Duration(c.random.IntN(20)) * time.Millisecond
	if c.random.IntN(5000) == 0 {
		c.interruption = c.now + 10*time.Second
		c.interruptions++
	}
	for i, e := range c.ends {
		other := c.ends[1-i]
		if err := e.read(other, c.now); err != nil {
			return err
		}
		if c.random.IntN(100) >= c.slow {
			if err := e.take(other, 1+c.random.IntN(10)); err != nil {
				return err
			}
		}
		c.adjust(e)
		for range c.random.IntN(3) {
			if err := e.write(c.room(), c.now); err != nil {
				return fmt.Errorf("end %d: %w", i, err)
			}
		}
	}
	if c.now < c.interruption {
		c.ends[0].out.underWay, c.ends[1].out.underWay = nil, nil
	}
	return nil
}

// room returns a random room, which is large enough for everything at times.
func (c *conversation) room() int {
	if c.random.IntN(3) == 0 {
		return FullRoom + c.random.IntN(200)
	}
	return c.random.IntN(FullRoom)
}

// adjust changes settings now and then, and discards a section.
func (c *conversation) adjust(e *end) {
	switch c.random.IntN(60) {
	case 0:
		e.SetEager(c.random.IntN(2) == 0)
	case 1:
		e.SetTimeout(time.Duration(c.random.IntN(3000)) * time.Millisecond)
	case 2:
		e.Append(nil, c.room(), c.now)
		c.discarded++
	}
}

// The negative control of the model: it detects a message that is missing,
// duplicated, swapped or altered.
func TestTheModelObjects(t *testing.T) {
	for name, delivered := range map[string][]string{
		"missing": {"b"}, "doubled": {"a", "a"}, "swapped": {"b", "a"},
		"altered": {"A"}, "shorter": {""}, "invented": {"a", "b", "c"},
	} {
		m := model{}
		m.send([]byte("a"))
		m.send([]byte("b"))
		var err error
		for _, d := range delivered {
			err = errors.Join(err, m.deliver([]byte(d)))
		}
		if !errors.Is(err, errDelivery) {
			t.Errorf("%s: no objection", name)
		}
	}
}
