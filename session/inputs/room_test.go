package inputs

import (
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule (docs/reference/wire.md): a large datagram has room for the longest orders that travel with
// inputs, of all players on a machine at once; longer ones do not travel with inputs.
func TestOrdersOfAllHaveRoom(t *testing.T) {
	for players := 1; players < datagram.MaxPlayers; players++ {
		var local []Player
		for p := range Player(players) {
			local = append(local, p)
		}
		s := New(Config{Players: players, Local: local, MaxOrders: 4000}, newScript(t, 2))
		_, orders := s.rooms(Datagram{Most: datagram.MaxSize})
		b, all := book{}, 0
		b.note(7, s.inline)
		for i := range players {
			n := orders.of(i)
			if all += n; b.limit(7, 8, n, s.inline) != 8 {
				t.Errorf("%d players: %d bytes of orders of player %d do not fit into %d", players, s.inline, i, n)
			}
		}
		if all > ordersRoom || s.inline > inlineOrders || s.inline < min(inlineOrders, ordersRoom/players-2*datagram.OrderSize) {
			t.Errorf("%d players: up to %d bytes each, %d in all", players, s.inline, all)
		}
	}
}

// Orders take their bytes and a header that says whose they are; longer ones, which travel
// separately, only take the header. Without orders, nothing is needed.
func TestHowManyOrdersFit(t *testing.T) {
	b := book{}
	if b.note(3, 0); b.limit(3, 9, 0, 20) != 9 || b.sizes != nil {
		t.Errorf("without orders, they fit up to frame %d", b.limit(3, 9, 0, 20))
	}
	for f, n := range []int{0, 20, 0, 21, 1} {
		b.note(510+uint32(f), n) // the ring begins anew within them
	}
	const head = datagram.OrderSize
	for _, c := range []struct {
		room int
		want uint32
	}{
		{0, 511},
		{head + 19, 511},
		{head + 20, 513},
		{2*head + 19, 513},
		{2*head + 20, 514},
		{3*head + 20, 514},
		{3*head + 21, 515},
	} {
		if got := b.limit(510, 515, c.room, 20); got != c.want {
			t.Errorf("in %d bytes they fit up to frame %d, want %d", c.room, got, c.want)
		}
	}
}

// The maximum data of one machine fits into a large datagram at once, and into small ones in turn:
// each player makes progress, and all together take no more than the available room.
func TestEveryPlayerHasRoomInTurn(t *testing.T) {
	for _, most := range []int{datagram.MinSize, datagram.MaxSize} {
		for players := 1; players < datagram.MaxPlayers; players++ {
			for _, need := range []int{2, 5, datagram.TokenSize(datagram.MaxWidth), inlineOrders + datagram.OrderSize} {
				bytes := most - 171
				if need > inlineOrders {
					bytes = min(ordersRoom, bytes/2)
					need = min(need, ordersRoom/players)
				}
				served := 0
				for turn := range players {
					r, all := room{players, turn, bytes, need}, 0
					for i := range players {
						n := r.of(i)
						if all += n; n >= need {
							served |= 1 << i
						} else if n != 0 || most == datagram.MaxSize && players*need <= bytes {
							t.Errorf("%d bytes, %d players, turn %d: player %d has %d of %d", most, players, turn, i, n, need)
						}
					}
					if all > bytes {
						t.Errorf("%d bytes, %d players: %d of %d", most, players, all, bytes)
					}
				}
				if served != 1<<players-1 {
					t.Errorf("%d bytes, %d players who need %d: only %b have room", most, players, need, served)
				}
			}
		}
	}
}

// If there is no room for all, it goes to as many as it is enough for, or to one, even if it is not
// enough: in turn, the next ones in order.
func TestRoomGoesRound(t *testing.T) {
	for _, c := range []struct {
		all  int
		want [3][3]int // by turn
	}{
		{30, [3][3]int{{10, 10, 10}, {10, 10, 10}, {10, 10, 10}}},
		{29, [3][3]int{{14, 14, 0}, {0, 14, 14}, {14, 0, 14}}},
		{19, [3][3]int{{19, 0, 0}, {0, 19, 0}, {0, 0, 19}}},
		{9, [3][3]int{{9, 0, 0}, {0, 9, 0}, {0, 0, 9}}},
		{0, [3][3]int{}},
	} {
		for turn := range 3 {
			r := room{3, turn, c.all, 10}
			if got := [3]int{r.of(0), r.of(1), r.of(2)}; got != c.want[turn] {
				t.Errorf("of %d bytes, in turn %d they have %v, want %v", c.all, turn, got, c.want[turn])
			}
		}
	}
}

// Rule (docs/reference/wire.md): turns change with pairs of datagrams, since every second one may
// have no inputs. Of a large datagram, 512 bytes are for orders; without orders, all is for inputs.
func TestWhoseTurnItIs(t *testing.T) {
	large := New(Config{Players: 1, Local: []Player{0}, MaxOrders: 1}, newScript(t, 2))
	if inputs, orders := large.rooms(Datagram{Most: 1200}); orders.all != 512 || inputs.all != 517 || orders.need != 128+datagram.OrderSize {
		t.Errorf("%d bytes for inputs, %+v for orders", inputs.all, orders)
	}
	for _, orders := range []int{0, 100} {
		s := New(Config{Players: 3, Local: []Player{0, 2}, MaxOrders: orders}, newScript(t, 2))
		for n := range uint64(9) {
			inputs, forOrders := s.rooms(Datagram{Number: n, Most: 512})
			if want := int(n / 2 % 2); inputs.turn != want || orders > 0 && forOrders.turn != want {
				t.Errorf("in datagram %d it is the turn of %d, and for orders of %d", n, inputs.turn, forOrders.turn)
			}
			all := 512 - datagram.TagSize - 3 - positions
			if want := min(orders*512, all/2); forOrders.all != want || forOrders.need != s.inline+datagram.OrderSize || inputs.all != all-want {
				t.Errorf("%d bytes for inputs, %d for orders", inputs.all, forOrders.all)
			}
		}
	}
}
