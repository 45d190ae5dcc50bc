package clitest

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/rollback"
)

// Till is the state of a game in which players only give orders: it adds up their bytes.
type Till struct {
	Sum   uint64
	Given [4]uint32 // the sum of the bytes of each player
}

// TillInput is the input of a player: it has no data.
type TillInput struct{}

// Step runs a frame.
func (s *Till) Step(k *rollback.Tick[TillInput]) {
	for p := range k.Players() {
		for _, b := range k.Orders(p) {
			s.Sum = s.Sum*31 + uint64(b) + uint64(p)
			s.Given[p]++
		}
	}
}

// TillOrders is the maximum size of a player's orders in a frame, in bytes.
const TillOrders = 6

// TillGame is the game of [TillSpec].
func TillGame() cli.Game { return cli.NewGame(TillSpec()) }

// TillSpec describes the game: it begins with the sum of its settings, which is at most 50 and must not be 7.
func TillSpec() cli.Spec[Till, TillInput] {
	return cli.Spec[Till, TillInput]{
		ID: "till", About: "adds up orders", Build: "test", TickRate: 50, MaxPlayers: 4, MaxOrders: TillOrders,
		Game: rollback.Game[Till, TillInput]{Step: (*Till).Step},
		Start: func(p tickback.Parameters) (func(*Till), error) {
			sum := uint64(3)
			if len(p.Data) == 2 {
				sum = uint64(p.Data[0]) + uint64(p.Data[1])
			}
			if sum == 7 {
				return nil, fmt.Errorf("%d is bad luck", sum)
			}
			return func(s *Till) { s.Sum = sum }, nil
		},
		Settings: []cli.Setting{{Name: "sum", About: "what is in the till", Usual: 3, Max: 50}, {Name: "tip", About: "what is beside it", Max: 9}},
		Data:     func(v []int) []byte { return []byte{byte(v[0]), byte(v[1])} },
		Bots: []cli.Bot[Till, TillInput]{{Name: "giver", Orders: func(seed uint64) func([]byte, tickback.Player, tickback.Frame, *Till) []byte {
			return func(b []byte, p tickback.Player, f tickback.Frame, s *Till) []byte {
				if f%5 != 0 {
					return b
				}
				return append(b, byte(seed), byte(f), byte(s.Given[p]))
			}
		}}},
		Scripts: []cli.Script[TillInput]{{Name: "count", Orders: func(uint64) func([]byte, tickback.Player, tickback.Frame) []byte {
			return func(b []byte, p tickback.Player, f tickback.Frame) []byte { return append(b, byte(f), byte(p)) }
		}}},
	}
}
