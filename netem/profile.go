package netem

import (
	"fmt"
	"strings"
	"time"
)

// Profile is a link with a name, for tests and command lines. The documentation of the package has a table of them.
type Profile struct {
	Name  string
	About string
	Link  Link
}

// Lan is a switch and some metres of cable: practically perfect.
func Lan() Link {
	return Link{
		Bandwidth: 125_000_000, Queue: 512 << 10, Overhead: OverheadIPv4, // 1 Gbit/s
		Loss:  10,
		Delay: 200 * time.Microsecond, Jitter: 50 * time.Microsecond, Distribution: Exponential,
	}
}

// Wifi is a wireless network at home, with a peer in the same region. Retransmissions over the radio delay everything
// that follows: there is much jitter, but no reordering.
func Wifi() Link {
	return Link{
		Bandwidth: 2_500_000, Queue: 256 << 10, Overhead: OverheadIPv4, // 20 Mbit/s
		Loss:  Percent / 10,
		Burst: Burst{Begin: 3 * Percent / 10, End: 30 * Percent, Loss: 40 * Percent},
		Delay: 8 * time.Millisecond, Jitter: 4 * time.Millisecond, Distribution: Exponential,
		Duplicate: 50,
	}
}

// Mobile is a phone in a 4G network, with a peer in the same region: retransmissions over the radio, handovers, and a
// deep queue.
func Mobile() Link {
	return Link{
		Bandwidth: 625_000, Queue: 128 << 10, Overhead: OverheadIPv4, // 5 Mbit/s
		Loss:  3 * Percent / 10,
		Burst: Burst{Begin: Percent / 2, End: 15 * Percent, Loss: 50 * Percent},
		Delay: 30 * time.Millisecond, Jitter: 15 * time.Millisecond, Distribution: Exponential,
		Duplicate: 100,
	}
}

// Intercontinental is a connection with wires at both ends and an ocean in between: far, steady, and sometimes over
// another route.
func Intercontinental() Link {
	return Link{
		Bandwidth: 2_500_000, Queue: 256 << 10, Overhead: OverheadIPv4, // 20 Mbit/s
		Loss:  Percent / 5,
		Burst: Burst{Begin: Percent / 10, End: 25 * Percent, Loss: 50 * Percent},
		Delay: 90 * time.Millisecond, Jitter: 10 * time.Millisecond, Distribution: Normal,
		Reorder: true,
	}
}

// Awful is worse than any network on which people would play: everything that can go wrong does so within seconds.
func Awful() Link {
	return Link{
		Bandwidth: 64_000, Queue: 16 << 10, Overhead: OverheadIPv4, // 512 kbit/s
		Loss:  3 * Percent,
		Burst: Burst{Begin: 2 * Percent, End: 20 * Percent, Loss: 60 * Percent},
		Delay: 100 * time.Millisecond, Jitter: 50 * time.Millisecond, Distribution: Exponential,
		Reorder:   true,
		Duplicate: Percent / 2,
		Corrupt:   Percent / 10,
	}
}

// Profiles returns all profiles, the best one first.
func Profiles() []Profile {
	return []Profile{
		{"lan", "a switch and some metres of wire", Lan()},
		{"wifi", "wireless at home, a peer in the same region", Wifi()},
		{"mobile", "a telephone in a 4G network, in the same region", Mobile()},
		{"intercontinental", "wired, with an ocean in between", Intercontinental()},
		{"awful", "worse than anybody plays on willingly", Awful()},
	}
}

// ProfileNamed returns the profile with a name, in upper or lower case. The error lists the names.
func ProfileNamed(name string) (Profile, error) {
	var names []string
	for _, p := range Profiles() {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Profile{}, fmt.Errorf("no network profile %q: there are %s", name, strings.Join(names, ", "))
}
