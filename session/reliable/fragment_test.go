package reliable

import (
	"strings"
	"testing"
)

// Fragments are no larger than allowed, and as many small ones can be in flight as large
// ones.
func TestFragmentsAreAsSmallAsTheyMustBe(t *testing.T) {
	for _, most := range []int{0, MinFragment - 1, MaxFragment + 1, -1} {
		if _, err := New(Config{Fragment: most}); (err != nil) != (most != 0) {
			t.Errorf("fragments of %d bytes: %v", most, err)
		}
	}
	for most, want := range map[int]int{0: MaxFragment, MinFragment: MinFragment, 248: 248, MaxFragment: MaxFragment} {
		c, err := New(Config{Backlog: 1 << 20, Fragment: most})
		if err != nil {
			t.Fatal(err)
		}
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
