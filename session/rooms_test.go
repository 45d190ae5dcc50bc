package session

import (
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule (docs/reference/wire.md): the longest orders that travel with inputs have room in a large
// datagram for all who play on a machine, at once; longer ones do not travel with them.
func TestOrdersOfAllHaveRoom(t *testing.T) {
	for players := 1; players < maxPlayers; players++ {
		c := Config{Players: maxPlayers, MaxOrders: 4000, Random: func() uint64 { return 4 }}
		for p := players; p < maxPlayers; p++ {
			c.Peers = append(c.Peers, Peer{rollback.SetOf(Player(p)), addrOf(p)})
		}
		s, err := New(sumGame(), c, Hooks[sum, uint16]{Sample: func(Player) uint16 { return 1 }})
		if err != nil {
			t.Fatal(err)
		}
		l, most := s.links[0], s.inlineLimit()
		r := s.rooms(l)
		book := orderBook{}
		book.note(7, most)
		all := 0
		for i := range players {
			room := r.orders(i)
			if all += room; book.limit(7, 8, room, most) != 8 {
				t.Errorf("%d players: %d bytes of orders of player %d do not fit into %d", players, most, i, room)
			}
		}
		if all > ordersRoom || most > inlineOrders || most < min(inlineOrders, ordersRoom/players-2*datagram.OrderSize) {
			t.Errorf("%d players: up to %d bytes each, %d in all", players, most, all)
		}
		book.note(7, most+1)
		if got := book.inline(7, most); got != datagram.OrderSize {
			t.Errorf("%d players: %d bytes of orders take %d", players, most+1, got)
		}
	}
}
