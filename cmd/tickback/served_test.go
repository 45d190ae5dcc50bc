package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/rooms/roomstest"
)

// commandOf is a command that runs beside others.
type commandOf struct {
	out, errs output
	code      int
}

func (c *commandOf) run(ctx context.Context, args ...string) {
	var out bytes.Buffer
	c.code = cli.Run(ctx, "tickback", args, strings.NewReader(""), &out, &c.errs, games()...)
	c.out.Write(out.Bytes())
}

// A server, two bots in one process and one in another play tanks, with full and partial sight; all end with the
// server's state, and verifying its recording gives that state.
func TestTanksAtAServer(t *testing.T) {
	t.Parallel()
	for _, sight := range []string{"full", "partial"} {
		t.Run(sight, func(t *testing.T) {
			t.Parallel()
			at := freePorts(t, "udp4", "127.0.0.1", 1)[0]
			file := filepath.Join(t.TempDir(), "match.tbr")
			const token = "0410-6105-0r3g-g28a-1c60-t3gf-22af-9h5v"
			var server, bots, alone commandOf
			var wg sync.WaitGroup
			with := func(args ...string) []string {
				return append(append([]string{"tanks"}, args...), "--players", "4", "--sight", sight, "--json", "--token", token)
			}
			serve := []string{"serve", "--listen", at, "--length", "4s", "--status", "500ms", "--record", file}
			if sight == "full" {
				serve = append(serve, "--seed", "5")
			}
			wg.Go(func() { server.run(t.Context(), with(serve...)...) })
			wg.Go(func() { bots.run(t.Context(), with("bots", at, "--count", "2", "--bot", "calm")...) })
			wg.Go(func() { alone.run(t.Context(), with("join", at, "--net", "lan")...) })
			wg.Wait()
			if server.code != 0 || bots.code != 0 || alone.code != 0 {
				t.Fatalf("exit codes %d, %d, %d\n%s\n%s\n%s", server.code, bots.code, alone.code, server.errs.String(), bots.errs.String(), alone.errs.String())
			}
			s, a := objects(t, server.out.String())[0], objects(t, alone.out.String())[0]
			sum := s["checksum"].(string)
			want, seed, seedRight := sum, 5.0, s["seed"] == 5.0
			if sight == "partial" {
				want, seed = "", 0 // a client does not have that state, and does not receive the seed
				seedRight = s["seed"].(float64) > 1<<32
			}
			if s["frames"] != 80.0 || s["peak"] != 3.0 || s["reason"] != "length" || !seedRight || sum == "" {
				t.Errorf("the server: %v", s)
			}
			if a["checksum"] != want || a["health"] != "healthy" || a["frames"] != 80.0 || a["reason"] != "length" || a["seed"] != seed {
				t.Errorf("the client: %v", a)
			}
			if n := strings.Count(bots.out.String(), `"reason":"length"`); n != 2 {
				t.Errorf("%d bots have played to the end: %s", n, bots.out.String())
			}
			if said := server.errs.String(); !strings.Contains(said, "3 of 4 places taken") || strings.Count(said, " joined from 127.0.0.1:") != 3 {
				t.Errorf("the server said\n%s", said)
			}
			if _, stderr, code := run(t, "replay", "verify", file, "--expect", sum); code != 0 {
				t.Error(stderr)
			}
		})
	}
}

// A server opens a room, whose link is all that three bots need; one more joins over UDP. All end with the server's
// state, and verifying its recording gives that state.
func TestTanksInARoom(t *testing.T) {
	t.Parallel()
	page, _ := roomstest.Serve(t, rooms.Config{})
	at := freePorts(t, "udp4", "127.0.0.1", 1)[0]
	file := filepath.Join(t.TempDir(), "match.tbr")
	var server, bots, alone commandOf
	var wg sync.WaitGroup
	wg.Go(func() {
		server.run(t.Context(), "tanks", "serve", "--room", page, "--listen", at, "--length", "5s", "--record", file, "--json", "--players", "6")
	})
	link := ""
	for range 1000 {
		if _, rest, ok := strings.Cut(server.errs.String(), "pages join at: "); ok {
			link, _, _ = strings.Cut(rest, "\n")
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	wg.Go(func() { bots.run(t.Context(), "tanks", "bots", link, "--count", "3", "--players", "6", "--json") })
	wg.Go(func() { alone.run(t.Context(), "tanks", "join", at, "--players", "6", "--json") })
	wg.Wait()
	if server.code != 0 || bots.code != 0 || alone.code != 0 {
		t.Fatalf("exit codes %d, %d, %d\n%s\n%s\n%s", server.code, bots.code, alone.code, server.errs.String(), bots.errs.String(), alone.errs.String())
	}
	s := objects(t, server.out.String())[0]
	sum := s["checksum"].(string)
	if s["frames"] != 100.0 || s["peak"] != 4.0 || sum == "" {
		t.Errorf("the server: %v", s)
	}
	if n := strings.Count(bots.out.String()+alone.out.String(), `"checksum":"`+sum); n != 4 {
		t.Errorf("%d clients end with the server's state: %s%s", n, bots.out.String(), alone.out.String())
	}
	for _, want := range []string{"joined from the room (busy 1)", "joined from the room (busy 3)", "joined from 127.0.0.1:"} {
		if !strings.Contains(server.errs.String(), want) {
			t.Errorf("the server does not say %q:\n%s", want, server.errs.String())
		}
	}
	if _, stderr, code := run(t, "replay", "verify", file, "--expect", sum); code != 0 {
		t.Error(stderr)
	}
}

// A reason that keeps several bots out is printed once.
func TestBotsSayOnceWhyNot(t *testing.T) {
	t.Parallel()
	at := freePorts(t, "udp4", "127.0.0.1", 1)[0]
	ctx, cancel := context.WithCancel(t.Context())
	var server commandOf
	var wg sync.WaitGroup
	wg.Go(func() {
		server.run(ctx, "tanks", "serve", "--listen", at, "--players", "4", "--token", "0410-6105-0r3g-g28a-1c60-t3gf-22af-9h5v", "--quiet")
	})
	_, stderr, code := run(t, "tanks", "bots", at, "--count", "4", "--players", "4", "--quiet")
	if code != 1 || strings.Count(stderr, "4 of 4: the server "+at+" does not let us in") != 1 || strings.Count(stderr, "--token") != 1 || strings.Contains(stderr, `\n`) {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	cancel()
	wg.Wait()
}

// The reason why a server cannot be joined is printed in one line.
func TestTanksSayWhyNot(t *testing.T) {
	t.Parallel()
	at := freePorts(t, "udp4", "127.0.0.1", 2)
	ctx, cancel := context.WithCancel(t.Context())
	var server commandOf
	var wg sync.WaitGroup
	wg.Go(func() {
		server.run(ctx, "tanks", "serve", "--listen", at[0], "--players", "2", "--token", "0410-6105-0r3g-g28a-1c60-t3gf-22af-9h5v", "--json")
	})
	for args, want := range map[string]string{
		at[0]:                                  "the server has 2 places: give --players 2",
		at[0] + " --players 2":                 "the token is not that of the match: none was given here; ask its players for it (see --token)",
		at[0] + " --players 2 --sight partial": "the other kind of --sight",
		at[1] + " --timeout 1s":                "nobody is there: no answer from the server " + at[1],
	} {
		stdout, stderr, code := run(t, append([]string{"tanks", "join", "--json"}, strings.Fields(args)...)...)
		if code != 1 || !strings.Contains(stderr, want) || objects(t, stdout)[0]["error"] == "" {
			t.Errorf("%s: exit code %d\n%s%s", args, code, stderr, stdout)
		}
	}
	cancel()
	wg.Wait()
	if s := objects(t, server.out.String())[0]; server.code != 1 || s["reason"] != "interrupted" || s["joins"] != 0.0 {
		t.Errorf("the server: exit code %d, %v", server.code, s)
	}
}

func TestServeAndJoinRefuseWrongUsage(t *testing.T) {
	for args, want := range map[string]string{
		"serve --players 0":                               "--players 0: tanks has 1 to 16 places",
		"serve --players 17":                              "--players 17",
		"serve --sight some":                              `--sight "some": there are: full, partial`,
		"serve --token abc":                               "--token: this is no token: it has 3 letters and digits, a token has 32",
		"serve --length -1s":                              "--length -1s",
		"serve --states 21":                               "--states 21: must be 1 to 20",
		"serve --status -1s":                              "--status -1s",
		"serve --spectators 33":                           "--spectators 33: must be 0 to 32",
		"serve --spectator-delay -1":                      "--spectator-delay -1",
		"serve --listen nowhere":                          "--listen",
		"serve --net nice":                                "--net",
		"serve --drop 1ms":                                "--drop 1ms",
		"serve --room nowhere":                            `--room "nowhere": must be the address of a page`,
		"serve --states 0":                                "--states 0: must be 1 to 20",
		"serve --spectators-live":                         "--spectators-live goes with --sight partial",
		"join http://127.0.0.1:1/":                        `"http://127.0.0.1:1/" is no link of a room`,
		"serve --room http://127.0.0.1:1/#room=a":         "--room is the address of a page",
		"serve --room http://127.0.0.1:1/ --token new":    "--token and --watch-token go with UDP alone",
		"serve --sight partial --seed 7":                  "a client that guesses it predicts what is hidden",
		"serve more":                                      `has no use for "more"`,
		"join":                                            "needs the ADDRESS of a server",
		"join a b":                                        "needs one ADDRESS, not 2",
		"join nowhere":                                    "the server's address",
		"join 127.0.0.1:1 --bot nobody":                   `tanks has no bot "nobody"; there are: busy, calm`,
		"join 127.0.0.1:1 --bot keyboard":                 "needs a terminal",
		"join 127.0.0.1:1 --token new":                    "--token new is for those who begin a match",
		"join 127.0.0.1:1 --per-tick 5":                   "--per-tick 5",
		"join 127.0.0.1:1 --behind 2s":                    "--behind 2s",
		"join 127.0.0.1:1 --timeout 1ms":                  "--timeout 1ms",
		"join 127.0.0.1:1 --sight partial --record":       "--record needs a value",
		"join 127.0.0.1:1 --sight partial --record m.tbr": "--record needs full sight",
		"bots 127.0.0.1:1 --count 17":                     "--count 17: must be 1 to 16",
		"bots 127.0.0.1:1 --bot keyboard":                 "--bot keyboard: there are: busy, calm",
	} {
		stdout, stderr, code := run(t, append([]string{"tanks"}, strings.Fields(args)...)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %q\n%s", args, code, stdout, stderr)
		}
	}
	for _, command := range []string{"serve", "join", "bots"} {
		stdout, _, code := run(t, "tanks", command, "--help")
		if code != 0 || !strings.Contains(stdout, "Exit codes: 0 the match came to its end") || !strings.Contains(stdout, "tickback tanks "+command) {
			t.Errorf("%s --help: %d\n%s", command, code, stdout)
		}
	}
	if _, stderr, code := run(t, "duel", "serve"); code != 2 || !strings.Contains(stderr, `has no use for "serve"`) {
		t.Errorf("duel serve: %d, %s", code, stderr)
	}
}

// A shot in an input that came too late is fired in the next tick; the rest of the input is dropped.
func TestHooksOfServedTanks(t *testing.T) {
	late := tanks.Input{Turn: 5, Throttle: 6, Buttons: tanks.Fire, Seen: 7}
	if got, want := tanks.Carry(late, tanks.Input{Turn: 1, Seen: 2}), (tanks.Input{Turn: 1, Seen: 2, Buttons: tanks.Fire}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for ticks, want := range map[int]uint8{-1: 0, 0: 0, 3: 3, 11: tanks.Rewind, 1000: tanks.Rewind} {
		if got := seenTanks(tanks.Input{Turn: 1}, ticks); got != (tanks.Input{Turn: 1, Seen: want}) {
			t.Errorf("%d ticks ago: %+v", ticks, got)
		}
	}
}
