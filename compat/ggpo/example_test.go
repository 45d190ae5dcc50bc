package ggpo_test

import (
	"fmt"

	"github.com/tickback/tickback/compat/ggpo"
	"github.com/tickback/tickback/transport/memory"
)

// Race is a game for two. Whoever holds the button runs.
type Race struct {
	backend ggpo.Backend
	me      ggpo.PlayerHandle
	place   [2]int // the state
	frame   int    // of the state
	saved   map[int]Race
}

// SaveGameState stores the state under a number.
func (r *Race) SaveGameState(stateID int) int {
	r.saved[stateID] = Race{place: r.place, frame: r.frame}
	return ggpo.DefaultChecksum
}

// LoadGameState brings it back.
func (r *Race) LoadGameState(stateID int) {
	s := r.saved[stateID]
	r.place, r.frame = s.place, s.frame
}

// AdvanceFrame simulates a frame again.
func (r *Race) AdvanceFrame(int) {
	var disconnected int
	if inputs, err := r.backend.SyncInput(&disconnected); err == nil {
		r.step(inputs)
	}
}

// OnEvent tells what has happened.
func (r *Race) OnEvent(info *ggpo.Event) {
	switch info.Code {
	case ggpo.EventCodeDisconnectedFromPeer:
		fmt.Println("player", info.Player, "has left:", info.Text)
	case ggpo.EventCodeDesync:
		fmt.Println("the states differ at frame", info.NumFrameOfDesync)
	}
}

// step is a frame of the game.
func (r *Race) step(inputs [][]byte) {
	for p, in := range inputs {
		r.place[p] += int(in[0])
	}
	r.frame++
	_ = r.backend.AdvanceFrame(uint32(r.place[0]<<16 | r.place[1]))
}

// Update is a turn of the game's loop.
func (r *Race) Update(button byte) error {
	if err := r.backend.Idle(0); err != nil {
		return err
	}
	if r.backend.AddLocalInput(r.me, []byte{button}, 1) != nil {
		return nil // the match has not begun, or waits for the other
	}
	var disconnected int
	inputs, err := r.backend.SyncInput(&disconnected)
	if err != nil {
		return err
	}
	r.step(inputs)
	return nil
}

// newRace makes the game of player 1 or 2.
func newRace(number int, conn *memory.Conn, other *memory.Conn) (*Race, error) {
	r := &Race{saved: map[int]Race{}}
	peer := ggpo.NewPeer(r, 7000, 2, 1)
	r.backend = &peer
	if err := peer.InitializeConnection(conn); err != nil { // without a transport, it opens port 7000
		return nil, err
	}
	at := other.LocalAddr()
	for n := 1; n <= 2; n++ {
		player := ggpo.NewRemotePlayer(20, n, at.Addr().String(), int(at.Port()))
		if n == number {
			player = ggpo.NewLocalPlayer(20, n)
		}
		var handle ggpo.PlayerHandle
		if err := peer.AddPlayer(&player, &handle); err != nil {
			return nil, err
		}
		if n == number {
			r.me = handle
		}
	}
	peer.Start()
	return r, nil
}

// Two games in one program play against each other.
func Example() {
	net := memory.New()
	conns := []*memory.Conn{net.Open(), net.Open()}
	var races []*Race
	for i := range conns {
		r, err := newRace(i+1, conns[i], conns[1-i])
		if err != nil {
			fmt.Println(err)
			return
		}
		races = append(races, r)
	}
	for races[0].frame < 100 || races[1].frame < 100 {
		for i, r := range races {
			button := byte(0)
			if r.frame < 10*(i+1) {
				button = 1
			}
			if err := r.Update(button); err != nil {
				fmt.Println(err)
				return
			}
		}
	}
	for i, r := range races {
		fmt.Println("machine", i+1, "has player 1 at", r.place[0], "and player 2 at", r.place[1])
	}
	left := make(chan error, 1)
	go func() { left <- races[0].backend.Close() }() // it returns when the other knows
	for len(left) == 0 {
		if err := races[1].Update(0); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println("closed:", <-left, races[1].backend.Close())
	// Output:
	// machine 1 has player 1 at 10 and player 2 at 20
	// machine 2 has player 1 at 10 and player 2 at 20
	// player 1 has left: closed
	// closed: <nil> <nil>
}

// A game with a variable that it does not save.
func ExampleNewSyncTest() {
	r := &Race{saved: map[int]Race{}}
	test := ggpo.NewSyncTest(r, 2, 7, 1, true)
	r.backend = &test
	test.Start()
	for n := 1; n <= 2; n++ {
		player, handle := ggpo.NewLocalPlayer(20, n), ggpo.PlayerHandle(0)
		if err := test.AddPlayer(&player, &handle); err != nil {
			fmt.Println(err)
			return
		}
	}
	defer test.Close()
	for range 5 {
		for handle := range ggpo.PlayerHandle(2) {
			if err := test.AddLocalInput(handle, []byte{1}, 1); err != nil {
				fmt.Println(err)
				return
			}
		}
		inputs, err := test.SyncInput(nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		for p, in := range inputs {
			r.place[p] += int(in[0])
		}
		r.frame++
		if err := test.AdvanceFrame(uint32(r.place[0]<<16 | r.place[1])); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println("the states of", r.frame, "frames come out the same")
	// Output: the states of 5 frames come out the same
}
