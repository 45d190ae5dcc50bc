//go:build !js

package lan

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// key is a random number of a transport, never 0. Two transports that know each other's keys have met in the room.
type key uint64

const (
	// maxWays is the maximum number of addresses of one machine: several networks with an address of each family, and
	// those of virtual machines.
	maxWays = 16
	// maxSignal is an upper bound for the length of a signal: addresses have at most 60 bytes.
	maxSignal = 2048
	// signalName is the beginning of every signal, with the version.
	signalName = "tickback-lan-1"
)

// greeting is a signal: the sender's key, the receiver's key if the sender knows it, and the sender's possible
// addresses.
type greeting struct {
	mine  key // the sender's key
	yours key // the receiver's key; 0 if not known
	ways  []netip.AddrPort
}

// encode writes a greeting. Zones are left out: they mean nothing on another machine.
func (g *greeting) encode() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %016x %016x", signalName, uint64(g.mine), uint64(g.yours))
	for _, w := range g.ways[:min(len(g.ways), maxWays)] {
		fmt.Fprintf(&b, " %v", netip.AddrPortFrom(w.Addr().WithZone(""), w.Port()))
	}
	return b.String()
}

var errSignal = errors.New("lan: a signal that makes no sense")

// decodeGreeting reads a peer's signal, which is not trusted.
func decodeGreeting(text string) (g greeting, err error) {
	if len(text) > maxSignal {
		return g, errSignal
	}
	fields := strings.Fields(text)
	if len(fields) < 3 || len(fields) > 3+maxWays || fields[0] != signalName {
		return g, errSignal
	}
	mine, err1 := strconv.ParseUint(fields[1], 16, 64)
	yours, err2 := strconv.ParseUint(fields[2], 16, 64)
	if err1 != nil || err2 != nil || mine == 0 {
		return g, errSignal
	}
	g = greeting{mine: key(mine), yours: key(yours)}
	for _, text := range fields[3:] {
		w, err := netip.ParseAddrPort(text)
		if err != nil || !usable(w) {
			return greeting{}, errSignal
		}
		g.ways = append(g.ways, netip.AddrPortFrom(w.Addr().Unmap(), w.Port()))
	}
	return g, nil
}

// usable reports whether an address can be that of one machine.
func usable(w netip.AddrPort) bool {
	a := w.Addr().Unmap()
	return w.Port() != 0 && a.IsValid() && !a.IsUnspecified() && !a.IsMulticast() && a.Zone() == "" &&
		a != netip.AddrFrom4([4]byte{255, 255, 255, 255})
}
