package classic_test

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// Two sides in one process, whose datagrams arrive at once. With sockets each
// side has a loop of its own, of the same steps.
func Example() {
	game, err := duel.Game(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	addresses := [2]netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:7000"), netip.MustParseAddrPort("192.0.2.2:7000")}
	var sides [2]*classic.Match[duel.State, duel.Input]
	for p := range sides {
		sides[p], err = classic.New(classic.Config[duel.State, duel.Input]{
			Game: game, Host: p == 0, Peer: addresses[1-p], Frames: 600,
			Buttons:  func(i duel.Input) uint16 { return uint16(i) },
			Input:    func(b uint16) duel.Input { return duel.Input(b) },
			Checksum: duel.Checksum,
			Sample: func(p rollback.Player) duel.Input {
				return duel.Bot{Seed: 7}.Input(p, sides[p].Frame(), sides[p].State())
			},
		})
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	for now := time.Duration(0); !sides[0].Done() || !sides[1].Done(); now += time.Millisecond {
		for p, m := range sides {
			m.Advance(now) // 1. is below: Receive, when a datagram arrives
			for _, datagram := range m.Outgoing() {
				sides[1-p].Receive(now, addresses[p], datagram)
			}
			// Here one would draw m.State and play m.Effects.
		}
	}
	for _, m := range sides {
		checksum, ok := m.Result()
		fmt.Printf("player %d: %v, %d frames, %#08x %v, %v\n", m.Local(), m.Phase(), m.Frame(), checksum, ok, m.Stats().Health)
	}
	// Output:
	// player 0: over, 600 frames, 0x7c2e4b89 true, healthy
	// player 1: over, 600 frames, 0x7c2e4b89 true, healthy
}
