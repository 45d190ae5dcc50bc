//go:build linux

// Toll measures what a match that a server owns costs the server over WebRTC, compared to UDP: processor time per
// client and tick, and bytes with and without the framing. The server is this process; the clients, bots that play
// tanks, and the server of rooms are another one. All of it is on loopback.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/tickback/tickback/games/tanks"
)

func main() {
	be := flag.Bool("clients", false, "be the clients of the servers whose addresses are on the standard input")
	matches := flag.Int("matches", 4, "how many matches there are")
	players := flag.Int("players", tanks.MaxPlayers, "how many clients each has")
	length := flag.Duration("length", 15*time.Second, "how long to measure")
	over := flag.String("over", "webrtc", "what carries them: webrtc or udp")
	flag.Parse()
	err := error(nil)
	if *be {
		err = play(*players)
	} else {
		err = measure(*over, *matches, *players, *length)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "toll:", err)
		os.Exit(1)
	}
}

// patience is the maximum time until all clients have a place.
const patience = 90 * time.Second

// used returns the processor time of this process.
func used() (time.Duration, error) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, err
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), nil
}

// measure runs the matches, and prints what they cost.
func measure(over string, matches, players int, length time.Duration) error {
	ctx, stop := context.WithTimeout(context.Background(), patience+length+time.Minute)
	defer stop()
	clients := exec.CommandContext(ctx, os.Args[0], "-clients", "-players", fmt.Sprint(players))
	clients.Stderr = os.Stderr
	in, err := clients.StdinPipe()
	if err != nil {
		return err
	}
	out, err := clients.StdoutPipe()
	if err != nil {
		return err
	}
	if err := clients.Start(); err != nil {
		return err
	}
	defer func() { in.Close(); _ = clients.Wait() }() // the process of the clients ends with its input
	page, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return err
	}
	var all []*house
	defer func() {
		for _, h := range all {
			h.close()
		}
	}()
	for range matches {
		h, err := open(ctx, over, strings.TrimSpace(page), players)
		if err != nil {
			return err
		}
		all = append(all, h)
		fmt.Fprintln(in, h.address)
	}
	for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		here := 0
		for _, h := range all {
			here += h.look().players
		}
		if here == matches*players {
			break
		}
		if time.Since(begin) > patience {
			return fmt.Errorf("%d of %d clients have come", here, matches*players)
		}
	}
	time.Sleep(3 * time.Second) // time for the first full states, and for connections to be made
	return report(over, all, players, length)
}

// report measures for a while, and prints a line.
func report(over string, all []*house, players int, length time.Duration) error {
	sum := func() (t totals) {
		for _, h := range all {
			t = t.plus(h.look())
		}
		return t
	}
	before, from := sum(), time.Now()
	start, err := used()
	if err != nil {
		return err
	}
	time.Sleep(length)
	end, err := used()
	if err != nil {
		return err
	}
	after, passed := sum(), time.Since(from)
	if after.players != len(all)*players {
		return errors.New("a client has left meanwhile")
	}
	each := float64(after.ticks-before.ticks) * float64(players)
	cost := float64(end-start) / each
	clients := float64(len(all) * players)
	rate := func(a, b uint64) float64 { return float64(b-a) / clients / passed.Seconds() }
	datagrams := rate(before.datagrams, after.datagrams)
	fmt.Printf("%s: %d matches of %d: %.1f us for a client and tick, %.0f clients for a core; down %.0f B/s in %.1f datagrams, up %.0f B/s",
		over, len(all), players, cost/1000, float64(time.Second)/(cost*tanks.TicksPerSecond), rate(before.sent, after.sent), datagrams, rate(before.received, after.received))
	if after.framedSent > 0 {
		fmt.Printf("; framed down %.0f B/s, up %.0f B/s", rate(before.framedSent, after.framedSent), rate(before.framedReceived, after.framedReceived))
	}
	fmt.Println()
	return nil
}
