package ggpo_test

import (
	"fmt"

	ggpo "github.com/tickback/tickback/compat/ggpo/ikemen"
	"github.com/tickback/tickback/compat/ggpo/ikemen/transport/udp"
)

// Race is a game for that library: positions, and states that are stored by number.
type Race struct {
	backend ggpo.Backend
	at      [2]int
	saved   map[int][2]int
}

func (r *Race) SaveGameState(id int) int { r.saved[id] = r.at; return ggpo.DefaultChecksum }
func (r *Race) LoadGameState(id int)     { r.at = r.saved[id] }
func (r *Race) OnEvent(*ggpo.Event)      {}

// AdvanceFrame simulates a frame again, as the loop does for the first time.
func (r *Race) AdvanceFrame(int) {
	inputs, err := r.backend.SyncInput(nil)
	if err != nil {
		return
	}
	for i, in := range inputs {
		r.at[i] += int(in[0])
	}
	_ = r.backend.AdvanceFrame(ggpo.DefaultChecksum)
}

// NewRace joins a race over UDP, as player 1.
func NewRace() (*Race, error) {
	r := &Race{saved: map[int][2]int{}}
	socket := udp.NewUdp(7000)
	_ = socket.AddPeer(2, "192.0.2.7", 7000) // before the players are added, or after it
	peer := ggpo.NewPeer(r, 2, 1)
	if err := peer.InitializeTransport(socket); err != nil { // the port is taken
		return nil, err
	}
	r.backend = &peer
	players := []ggpo.Player{ggpo.NewLocalPlayer(20, 1), ggpo.NewRemotePlayer(20, 2, 2)}
	for i := range players {
		var handle ggpo.PlayerHandle
		if err := peer.AddPlayer(&players[i], &handle); err != nil {
			return nil, err
		}
	}
	peer.Start()
	return r, nil
}

func ExampleNewPeer() {
	race, err := NewRace()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer race.backend.Close()
	// ... the loop, which calls Idle, AddLocalInput, SyncInput and AdvanceFrame
}
