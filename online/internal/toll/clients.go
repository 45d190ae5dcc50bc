//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/digest"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/serve"
	"github.com/tickback/tickback/transport/udp"
)

// play serves rooms, and starts bots at each server whose address it reads, until the input ends.
func play(players int) error {
	s, err := serve.New(serve.Config{Rooms: rooms.Config{PerAddress: 4096, ConnectsPerMinute: 4096}})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() { _ = s.Serve(ctx, l) }() // ends with the process
	fmt.Printf("http://%s/\n", l.Addr())
	var all sync.WaitGroup
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		address := lines.Text()
		for i := range players {
			all.Go(func() {
				if err := bot(ctx, address, uint64(i)); err != nil && ctx.Err() == nil {
					fmt.Fprintln(os.Stderr, "toll:", err)
				}
			})
		}
	}
	stop()
	all.Wait()
	return nil
}

// bot plays until the context ends.
func bot(ctx context.Context, address string, seed uint64) error {
	var m *tickback.Client[tanks.State, tanks.Input]
	mind := tanks.Bot{Seed: seed, Mood: tanks.Busy}
	o := tickback.ClientOptions[tanks.State, tanks.Input]{
		Players: tanks.MaxPlayers, GameID: tanks.ID, Build: digest.Build(digest.Tanks), TickRate: tanks.TicksPerSecond, Start: startTanks,
		Timeouts: tickback.Timeouts{Connect: time.Minute},
		Sample: func(p tickback.Player) tanks.Input {
			v := m.View()
			return mind.Input(p, v.Frame, v.Current)
		},
	}
	if online.RoomOf(address) == "" {
		conn, err := udp.Listen("127.0.0.1:0")
		if err != nil {
			return err
		}
		if o.Server, err = netip.ParseAddrPort(address); err != nil {
			return err
		}
		o.Transport = conn
		if m, err = tickback.Connect(tanks.Game(0), o); err != nil {
			return err
		}
	} else {
		cfg := config("bot")
		cfg.Role = rooms.Spectator
		room, err := online.Join(ctx, address, cfg)
		if err != nil {
			return err
		}
		defer room.Close()
		if err := room.Wait(ctx); err != nil {
			return err
		}
		if m, err = online.Connect(room, tanks.Game(0), o); err != nil {
			return err
		}
	}
	defer m.Close()
	for ctx.Err() == nil {
		wait, err := m.Update()
		if err != nil {
			return err
		}
		m.Events()
		m.Effects()
		time.Sleep(min(wait, 20*time.Millisecond))
	}
	return nil
}
