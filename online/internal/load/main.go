//go:build !js

// Load measures a server of rooms under load: honest members who make rooms and join them, and at the same time
// attackers, all on loopback, each from its own address in 127.0.0.0/8. The server is another process with its default
// limits. "make load" runs it.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"

	"github.com/tickback/tickback/online/serve"
)

func main() {
	server := flag.Bool("server", false, "be the server: until the standard input ends")
	members := flag.Int("members", 2000, "honest members, two to a room")
	rate := flag.Int("rate", 100, "of them come each second")
	one := flag.String("attacks", "", "measure beside these alone, of rooms, pings, halves and guesses; each and all unless told")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := error(nil)
	if *server {
		err = beServer(ctx)
	} else {
		err = measure(ctx, *members, *rate, *one)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

// beServer runs the server, and prints its address, until the parent process ends.
func beServer(ctx context.Context) error {
	s, err := serve.New(serve.Config{})
	if err != nil {
		return err
	}
	page, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	figures, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	go func() {
		defer stop()
		_, _ = bufio.NewReader(os.Stdin).ReadByte() // only waits for the end of the input
	}()
	go func() { _ = s.ServeMetrics(ctx, figures) }()
	fmt.Println(page.Addr(), figures.Addr())
	return s.Serve(ctx, page)
}

// measure runs the members alone, then with each attack, and then with all of them; or only with the given attack.
func measure(ctx context.Context, members, rate int, one string) error {
	kinds := []string{"", attackRooms, attackPings, attackHalves, attackGuesses, attackRooms + "," + attackPings + "," + attackHalves + "," + attackGuesses}
	if one != "" {
		kinds = []string{one}
	}
	fmt.Println("| beside the members | served | p50 ms | p99 ms | worst ms | attempts | of them let in | server's memory MB | its CPU s |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, kind := range kinds {
		var list []string
		if kind != "" {
			list = strings.Split(kind, ",")
		}
		if err := round(ctx, members, rate, list); err != nil {
			return err
		}
	}
	return nil
}

// round measures one line of the table, with a new server.
func round(ctx context.Context, members, rate int, attacks []string) error {
	cmd := exec.CommandContext(ctx, os.Args[0], "-server")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return err
	}
	at, figures, _ := strings.Cut(strings.TrimSpace(line), " ")
	w := newWorld(at)
	stop := w.attack(ctx, attacks, attackers)
	peak := watch(figures)
	w.honest(ctx, members, time.Second/time.Duration(rate))
	memory, cpu := peak()
	stop()
	name := "nobody"
	if len(attacks) > 0 {
		name = strings.Join(attacks, ", ")
	}
	fmt.Printf("| %s | %d of %d | %.1f | %.1f | %.1f | %d | %d | %.0f | %.1f |\n", name, len(w.joins), members,
		w.quantile(0.5), w.quantile(0.99), w.quantile(1), w.attempts.Load(), w.letIn.Load(), memory/(1<<20), cpu)
	_ = in.Close()
	w.close()
	return cmd.Wait()
}
