package commands_test

import (
	"net"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// A wrong flag is exit code 2 and one line about it, and nothing is opened.
func TestWrongUsageOfMatch(t *testing.T) {
	const place = " --listen 127.0.0.1:0 --peer 127.0.0.1:9"
	for _, c := range []struct{ args, want string }{
		{"match", "--player is missing: which player, 1 to 2, plays here?"},
		{"match --player 0", "--player 0: the players are 1 to 2"},
		{"match --player -1", "--player -1: the players are 1 to 2"},
		{"match --player 3" + place, "--player 3: the players are 1 to 2"},
		{"match --player 1", "--listen is missing"},
		{"match --player 1 --listen :7000", "--peer is missing, and 1 other player is there at first: give its address"},
		{"match --players 3 --player 1" + place, "--peer was given once, and 2 other players are there at first: give the address of each, lowest player first"},
		{"match --players 4 --player 1" + place, "--players 4: toy is for 2 to 3 players"},
		{"match --player 1 --game chess" + place, `no game "chess"; there are: toy`},
		{"match --player 1 --bot hal" + place, `toy has no bot "hal"; there are: fidget, quitter, crasher`},
		{"match --player 1 --bot keyboard" + place, "--bot keyboard needs a terminal"},
		{"match --player 1 --seed 13" + place, "--seed 13: 13 is bad luck"},
		{"match --player 1 --net moon" + place, `--net: no network profile "moon": there are lan, wifi`},
		{"match --player 1 --on-leave stay" + place, `--on-leave "stay": there are: end, continue`},
		{"match --player 1 --token 0123" + place, "--token is for those who join later, which takes --on-leave continue"},
		{"match --player 1 --on-leave continue --token secret" + place, "--token: this is no token: it has 6 letters and digits, a token has 32"},
		{"match --player 1 --players 3 --reserved 3" + place, "--reserved is for those who join later"},
		{"match --player 1 --players 3 --on-leave continue --reserved 4" + place, "--reserved 4: the players are 1 to 3"},
		{"match --player 1 --players 3 --on-leave continue --reserved some" + place, `--reserved "some": must be a list of players, such as 3,4`},
		{"match --player 2 --players 3 --on-leave continue --reserved 1" + place, "--reserved 1: player 1 is the host"},
		{"match --player 2 --players 3 --on-leave continue --reserved 2" + place, "--reserved 2: that is who plays here"},
		{"match --player 1 --players 3 --on-leave continue --reserved 3 --peer 127.0.0.1:10" + place, "--peer was given 2 times, and 1 other player is there at first: give its address; those who are --reserved have none"},
		{"match --player 1 --join 127.0.0.1:9", "--join needs the --token of the match"},
		{"match --player 1 --join 127.0.0.1:9,", "--join has an empty address"},
		{"match --player 1 --join 127.0.0.1:9 --on-leave end", "--join: a match with --on-leave end ends when somebody leaves"},
		{"match --player 1 --join 127.0.0.1:9" + place, "--join finds the others by itself: give no --peer"},
		{"match --player 1 --join 127.0.0.1:9 --reserved 2", "--reserved is for who begins a match"},
		{"match --player 1 --join there --token 0410-6105-0r3g-g28a-1c60-t3gf-22af-9h5v", `--join: cannot resolve "there": bad address`},
		{"match --player 1 --join 127.0.0.1:9 --token 0410-6105-0r3g-g28a-1c60-t3gf-22af-9h5v --wire rbn1", "--join is not for rbn1"},
		{"match --player 1 --stand-in hal --on-leave continue" + place, `--stand-in "hal": there are: fidget`},
		{"match --player 1 --stand-in fidget" + place, "--stand-in is for a match that goes on without a player"},
		{"match --player 2 --stand-in fidget --on-leave continue" + place, "--stand-in is for player 1 to say"},
		{"match --player 1 --pause-at 100" + place, `--pause-at "100": must be FRAME,FRAMES, two numbers: the frame to pause at, and for how many frames, 1 to 65535`},
		{"match --player 1 --pause-at 0,0" + place, `--pause-at "0,0": must be FRAME,FRAMES, two numbers: the frame to pause at, and for how many frames, 1 to 65535`},
		{"match --player 1 --players 0" + place, "--players 0: toy is for 2 to 3 players"},
		{"match --player 1 --window 0" + place, "--window 0: must be 1 to 120; --lockstep predicts nothing"},
		{"match --player 1 --on-leave continue --token x" + place, "--token: this is no token: it has one letter or digit, a token has 32"},
		{"match --player 1 --desync nowhere/at/all.tbd" + place, "--desync nowhere/at/all.tbd: there is no folder nowhere/at"},
		{"match --player 1 --pause-at 100,10 --wire rbn1" + place, "--pause-at is not for rbn1"},
		{"match --player 1 --kick-at x,2" + place, `--kick-at "x,2": must be FRAME,PLAYER, two numbers: the frame, and the player to send away, which can only be 2`},
		{"match --player 1 --kick-at 10,2" + place, "--kick-at is for a match that goes on"},
		{"match --player 2 --kick-at 10,1 --on-leave continue" + place, "--kick-at is for player 1, the host"},
		{"match --player 1 --kick-at 10,3 --on-leave continue" + place, `--kick-at "10,3": must be FRAME,PLAYER, two numbers: the frame, and the player to send away, which can only be 2`},
		{"match --player 1 --delay often" + place, `--delay "often": must be auto, or 0 to 60 frames`},
		{"match --player 1 --delay 61" + place, `--delay "61"`},
		{"match --player 1 --window 121" + place, "--window 121: must be 1 to 120"},
		{"match --player 1 --lockstep --window 4" + place, "--lockstep predicts nothing"},
		{"match --player 1 --timeout -1s" + place, "--timeout -1s: must be longer than nothing"},
		{"match --player 1 --drop -1s" + place, "--drop -1s: must be a second to 2m"},
		{"match --player 1 --drop 999ms" + place, "--drop 999ms: must be a second to 2m"},
		{"match --player 1 --drop 121s" + place, "--drop 2m1s: must be a second to 2m"},
		{"match --player 1 --wire smoke" + place, `--wire "smoke": there are: tickback, rbn1`},
		{"match --player 1 --players 3 --wire rbn1 --peer 127.0.0.1:10" + place, "--wire rbn1 is for games of two players"},
		{"match --player 1 --wire rbn1 --delay auto" + place, "--delay auto needs a ping"},
		{"match --player 1 --wire rbn1 --delay 40" + place, "with rbn1 at most 31"},
		{"match --player 1 --wire rbn1 --on-leave continue" + place, "--on-leave continue is not for rbn1"},
		{"match --player 1 --listen here --peer 127.0.0.1:9", `--listen: cannot listen on "here": bad address`},
		{"match --player 1 --listen 127.0.0.1:0 --peer there", `--peer: cannot resolve "there": bad address`},
		{"match --player 1 --players 3 --listen 127.0.0.1:0 --peer 127.0.0.1:9 --peer 127.0.0.1:9", "--peer 127.0.0.1:9 is given twice"},
		{"toy surplus", `toybox toy has no command "surplus"; there are: bots, join, serve`},
	} {
		stdout, stderr, code := clitest.Run(t, nil, strings.Fields(c.args)...)
		if code != 2 || stdout != "" {
			t.Errorf("%q: exit code %d, stdout %q", c.args, code, stdout)
		}
		if !strings.HasPrefix(stderr, "toybox: ") || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 2 {
			t.Errorf("%q: stderr %q, want %q", c.args, stderr, c.want)
		}
	}
}

// A player whose own address is given as another player's would wait for ever.
func TestOwnAddress(t *testing.T) {
	at := clitest.FreePorts(t, 1)[0]
	_, stderr, code := clitest.Run(t, nil, "toy", "--player", "1", "--listen", at, "--peer", at)
	if want := "toybox: --peer " + at + " is where this player listens"; code != 2 || !strings.HasPrefix(stderr, want) {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
}

// A game that cannot be played over RBN1 or at a keyboard gives an error.
func TestGamesWithoutEverything(t *testing.T) {
	spec := clitest.ToySpec()
	spec.Classic, spec.Screen = nil, nil
	for args, want := range map[string]string{
		"toy --player 1 --listen 127.0.0.1:0 --peer 127.0.0.1:9 --wire rbn1":    "toy for 2 is not one",
		"toy --player 1 --listen 127.0.0.1:0 --peer 127.0.0.1:9 --bot keyboard": "toy cannot be played in a terminal; its bots are",
		"sim --record x.rplk": "toy for 2 players cannot be recorded",
	} {
		var errs strings.Builder
		code := cli.Run(t.Context(), "toybox", strings.Fields(args), nil, &errs, &errs, cli.NewGame(spec))
		if code != 2 || !strings.Contains(errs.String(), want) {
			t.Errorf("%q: exit code %d, %q", args, code, errs.String())
		}
	}
}

// A player for whom no peer appears gives up, over both protocols.
func TestNobodyThere(t *testing.T) {
	for _, wire := range []string{"tickback", "rbn1"} {
		all := clitest.Seats(t, 2, "--timeout", "200ms", "--wire", wire)
		e := clitest.Player(t.Context(), t, clitest.ToyGame(), all[0])
		e.Said(t, 1, "nobody is there: no answer from player 2 at 127.0.0.1:")
		if r := e.Result; r["error"] == "" || r["reason"] != "failed" || r["frames"] != 0.0 || r["checksum"] != "" {
			t.Errorf("%s: %v", wire, r)
		}
	}
}

func TestPortInUse(t *testing.T) {
	taken, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	address := taken.LocalAddr().String()
	e := clitest.Player(t.Context(), t, clitest.ToyGame(), []string{"toy", "--json", "--player", "1", "--listen", address, "--peer", "127.0.0.1:9"})
	e.Said(t, 1, "cannot listen on "+address+": the port is in use")
	if e.Result["error"] == "" {
		t.Errorf("%v", e.Result)
	}
}

func TestNamesThatDoNotResolve(t *testing.T) {
	e := clitest.Player(t.Context(), t, clitest.ToyGame(), strings.Fields("toy --player 1 --listen 127.0.0.1:0 --peer no.such.name.invalid:9"))
	e.Said(t, 1, `cannot resolve "no.such.name.invalid": the name does not resolve`)
	e = clitest.Player(t.Context(), t, clitest.ToyGame(), strings.Fields("toy --player 1 --listen no.such.name.invalid:9 --peer 127.0.0.1:9"))
	e.Said(t, 1, `cannot listen on "no.such.name.invalid"`)
}

// Peers that cannot play together are both told why, whichever of them was started first.
func TestMismatches(t *testing.T) {
	clitest.Slow(t)
	type mismatch struct {
		change func(*cli.Spec[clitest.Toy, clitest.Press])
		words  string
	}
	clitest.AtOnce(
		mismatch{func(s *cli.Spec[clitest.Toy, clitest.Press]) { s.ID = "teddy" }, "plays another game: here"},
		mismatch{func(s *cli.Spec[clitest.Toy, clitest.Press]) { s.Build = "newer" }, "has another build of the game: here"},
		mismatch{func(s *cli.Spec[clitest.Toy, clitest.Press]) { s.TickRate = 60 }, "cannot play with us: the tick rate differs: here"},
	)(func(c mismatch) {
		all := clitest.Seats(t, 2)
		ends := clitest.PlayGames(t, all, func(p int) cli.Game {
			spec := clitest.ToySpec()
			if p == 1 {
				c.change(&spec)
			}
			return cli.NewGame(spec)
		})
		ends[0].Said(t, 1, "player 2 "+c.words)
		ends[1].Said(t, 1, "player 1 "+c.words)
	})

	// The same place twice.
	all := clitest.Seats(t, 2)
	for i, arg := range all[1] {
		if arg == "--player" {
			all[1][i+1] = "1"
		}
	}
	ends := clitest.PlayAll(t, all)
	ends[0].Said(t, 1, "each needs a --player of its own")
	ends[1].Said(t, 1, "we are player 1, and so is the machine that should be player 2")
}

// A seed that only another player's game refuses is reported to both.
func TestRefusedParameters(t *testing.T) {
	clitest.Slow(t)
	ends := clitest.PlayGames(t, clitest.Seats(t, 2, "--seed", "13"), func(p int) cli.Game {
		spec := clitest.ToySpec()
		if p == 0 {
			spec.Start = nil
		}
		return cli.NewGame(spec)
	})
	ends[0].Said(t, 1, "player 2 refused the match: 13 is bad luck")
	ends[1].Said(t, 1, "cannot play what player 1 proposes: 13 is bad luck")
}
