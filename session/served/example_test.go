package served_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/served"
)

// flight is the state of a game in which player 0 shoots at something that player 1 steers along a line.
type flight struct {
	Tick        uint32
	Place       int32
	Trail       [32]int32 // the last places, by tick
	Shots, Hits int32
}

// act is what a player does in a tick: player 1 steers, player 0 shoots at a place.
type act struct {
	Steer int32
	Fire  bool
	Aim   int32
	Seen  uint8 // the age in ticks of the picture that it aims by
}

// farthest is the maximum number of ticks that a shot goes back, whatever is claimed.
const farthest = 20

func fly(s *flight, t *rollback.Tick[act]) {
	if shot := t.Input(0); shot.Fire {
		s.Shots++
		then := s.Tick - min(uint32(shot.Seen), farthest, s.Tick)
		if s.Trail[then%32] == shot.Aim { // it was there in the picture
			s.Hits++
		}
	}
	s.Tick++
	s.Place += t.Input(1).Steer
	s.Trail[s.Tick%32] = s.Place
}

// duel plays ten seconds of the game on a network, 50 ms each way, and returns the percentage of shots that hit. aim is
// what player 0 does in its tick f, at a place that it sees.
func duel(aim func(f rollback.Frame, seen served.Shown[flight], place int32) act) int32 {
	game := rollback.Game[flight, act]{Step: fly}
	about := served.Game{ID: "flight", Players: 2, TickRate: 20}
	random := rand.New(rand.NewPCG(1, 2))
	server, err := served.NewServer(game, served.ServerConfig{Game: about, Random: random.Uint64}, served.ServerHooks[flight, act]{
		Correct: func(_ *flight, _ rollback.Player, in act, behind int) act {
			const picture = 2 // ticks by which a picture is older than the newest known state: the default of Behind, 100 ms
			in.Seen = uint8(min(int(in.Seen), behind+picture))
			return in
		},
	})
	if err != nil {
		return -1
	}
	var now time.Duration
	clients := make([]*served.Client[flight, act], 2)
	sample := func(p rollback.Player) act {
		if p == 1 {
			return act{Steer: 1}
		}
		f := clients[0].Frame()
		seen, ok := clients[0].Shown(now)
		if !ok || f < 60 || f%5 != 0 {
			return act{}
		}
		nearest := seen.Before
		if seen.Passed > seen.Period/2 {
			nearest = seen.After
		}
		return aim(f, seen, nearest.Place)
	}
	for i := range clients {
		clients[i], err = served.NewClient(game, served.ClientConfig{Game: about, Server: addr(0), Random: random.Uint64}, served.ClientHooks[flight, act]{Sample: sample})
		if err != nil {
			return -1
		}
	}
	net, err := netem.NewDatagrams(3, 1, 100)
	if err != nil {
		return -1
	}
	if net.SetAll(netem.Link{Delay: 50 * time.Millisecond}) != nil {
		return -1
	}
	for ; now < 10*time.Second; now += time.Millisecond {
		for d, any := net.Receive(now); any; d, any = net.Receive(now) {
			if d.To == 0 {
				server.Receive(now, addr(d.From), d.Payload)
			} else {
				clients[d.To-1].Receive(now, addr(0), d.Payload)
			}
		}
		server.Update(now)
		for to, b := range server.Outgoing() {
			net.Send(now, 0, int(to.Addr().As4()[2]), b)
		}
		for i, c := range clients {
			c.Update(now)
			for _, b := range c.Outgoing() {
				net.Send(now, i+1, 0, b)
			}
		}
	}
	return 100 * server.State().Hits / max(server.State().Shots, 1)
}

// A player shoots at where the others are drawn, which is some ticks ago: [served.Client.Shown] says how many. It puts that
// into its input, and the step goes back by it. The server believes it as far as it has measured how late the
// player's pictures can be: see [served.ServerHooks].
func Example_lagCompensation() {
	fmt.Println("who shoots at what is seen, without saying when that was, hits", duel(func(_ rollback.Frame, _ served.Shown[flight], place int32) act {
		return act{Fire: true, Aim: place}
	}), "%")
	fmt.Println("who says when it was hits", duel(func(_ rollback.Frame, seen served.Shown[flight], place int32) act {
		return act{Fire: true, Aim: place, Seen: uint8(seen.Seen)}
	}), "%")
	fmt.Println("who claims an older picture, of what is known meanwhile, hits", duel(func(_ rollback.Frame, seen served.Shown[flight], place int32) act {
		const older = 6
		return act{Fire: true, Aim: place - older, Seen: uint8(seen.Seen + older)}
	}), "%")
	// Output:
	// who shoots at what is seen, without saying when that was, hits 0 %
	// who says when it was hits 100 %
	// who claims an older picture, of what is known meanwhile, hits 0 %
}
