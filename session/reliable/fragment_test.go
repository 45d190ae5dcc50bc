package reliable

import (
	"strings"
	"testing"
)

// Fragments are no larger than they may be, and as many can be under way as of large ones.
func TestFragmentsAreAsSmallAsTheyMustBe(t *testing.T) {
	for most, want := range map[int]int{0: MinFragment, 248: 248, MaxFragment: MaxFragment, 5000: MaxFragment} {
		c, err := New(Config{Backlog: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		c.SetFragment(most)
		long := strings.Repeat("x", MaxMessage)
		mustSend(t, c, long, long, long, long)
		for range 2 * Window {
			c.Append(nil, want, 0) // so that each is cut off
		}
		if s := &c.sender; s.next != Window {
			t.Errorf("%d fragments of %d bytes are under way, not %d", s.next, want, Window)
		}
		for n := range c.sender.next {
			if f := c.sender.fragment(n); f.length > want {
				t.Fatalf("fragment %d has %d bytes, not %d at most", n, f.length, want)
			}
		}
	}
}
