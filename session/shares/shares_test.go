package shares

import (
	"fmt"
	"net/netip"
	"testing"
)

func of(texts ...string) (list []Origin) {
	for _, t := range texts {
		list = append(list, Of(netip.MustParseAddr(t)))
	}
	return list
}

// An origin is the customer and its neighbourhood, however the address is written.
func TestOrigins(t *testing.T) {
	for address, want := range map[string][2]string{
		"192.0.2.7":              {"192.0.2.7/32", "192.0.2.0/24"},
		"::ffff:192.0.2.7":       {"192.0.2.7/32", "192.0.2.0/24"},
		"2001:db8:1:2ff:3::4":    {"2001:db8:1:2ff::/64", "2001:db8:1:200::/56"},
		"fe80::1%eth0":           {"fe80::/64", "fe80::/56"},
		"2001:db8:1:300:ffff::1": {"2001:db8:1:300::/64", "2001:db8:1:300::/56"},
	} {
		o := Of(netip.MustParseAddr(address))
		if o.Near.String() != want[0] || o.Wide.String() != want[1] {
			t.Errorf("%s: %v", address, o)
		}
	}
	if Of(netip.Addr{}) != (Origin{}) {
		t.Error("no address has an origin")
	}
}

// The origin with the fewest places gets one from the origin with the most, the newest
// first; no spectator is dismissed for an origin that has as many, or one fewer.
func TestWhoYields(t *testing.T) {
	a, b, c := "10.0.0.1", "10.0.1.1", "10.0.2.1"
	for name, v := range map[string]struct {
		holders  []string
		newcomer string
		keep     int
		want     int
	}{
		"nobody has a place":                     {nil, a, 0, -1},
		"one has all":                            {[]string{a, a, a, a}, b, 0, 3},
		"the same one comes again":               {[]string{a, a, a, a}, a, 0, -1},
		"as many as the newcomer would have":     {[]string{a, b}, c, 0, -1},
		"two more":                               {[]string{a, a, b}, c, 0, 1},
		"one more":                               {[]string{a, a, b}, b, 0, -1},
		"the heaviest of several":                {[]string{a, b, b, b, a}, c, 0, 3},
		"what a prefix keeps":                    {[]string{a, a, a, a}, b, 4, -1},
		"what is above it":                       {[]string{a, a, a, a, a}, b, 4, 4},
		"neighbours count together":              {[]string{"10.0.0.1", "10.0.0.2", "10.0.0.3", b}, c, 0, 2},
		"in a neighbourhood, who has most":       {[]string{"10.0.0.1", "10.0.0.2", "10.0.0.1", b}, c, 0, 2},
		"a neighbour of who has most":            {[]string{"10.0.0.1", "10.0.0.1", "10.0.0.1", b}, "10.0.0.2", 0, 2},
		"a neighbour who has as much":            {[]string{"10.0.0.1", "10.0.0.2", b}, "10.0.0.1", 0, -1},
		"a neighbour of many with one each":      {[]string{"10.0.0.1", "10.0.0.2", "10.0.0.3"}, "10.0.0.4", 0, -1},
		"a neighbour of who has two":             {[]string{"10.0.0.1", "10.0.0.1"}, "10.0.0.2", 0, 1},
		"a neighbour, one less than who has two": {[]string{"10.0.0.1", "10.0.0.1", "10.0.0.2"}, "10.0.0.2", 0, -1},
	} {
		got := Evict(of(v.holders...), Of(netip.MustParseAddr(v.newcomer)), v.keep)
		if got != v.want {
			t.Errorf("%s: %d, want %d", name, got, v.want)
		}
	}
}

// However often one prefix asks, each other prefix gets its share of the places, and a
// place that was taken is never taken back at once: the division settles.
func TestTheDivisionSettles(t *testing.T) {
	const places = 32
	var holders []Origin
	come := func(address string) bool {
		o := Of(netip.MustParseAddr(address))
		if len(holders) < places {
			holders = append(holders, o)
			return true
		}
		i := Evict(holders, o, 0)
		if i < 0 {
			return false
		}
		holders = append(append(holders[:i:i], holders[i+1:]...), o)
		return true
	}
	for i := range 100 {
		come(fmt.Sprintf("10.0.0.%d", i)) // a whole neighbourhood
	}
	for round := range 20 {
		moved := false
		for p := 1; p < 8; p++ {
			moved = come(fmt.Sprintf("10.0.%d.%d", p, round)) || moved
		}
		if round > places/8 && moved {
			t.Fatalf("round %d still moves somebody", round)
		}
	}
	have := map[netip.Prefix]int{}
	for _, h := range holders {
		have[h.Wide]++
	}
	for p, n := range have {
		if n < places/8-1 || n > places/8+1 {
			t.Errorf("%v has %d of %d places", p, n, places)
		}
	}
}
