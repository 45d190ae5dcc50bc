package cli_test

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/cmd/cli/internal/clitest"
	"github.com/tickback/tickback/rollback"
)

// end is a way in which a command in some role ends.
type end struct {
	what string
	play func(s *stage) *machine // returns the machine in this role
}

// toy is the toy game, changed.
func toy(change func(s *cli.Spec[clitest.Toy, clitest.Press])) cli.Game {
	spec := clitest.ToySpec()
	if change != nil {
		change(&spec)
	}
	return cli.NewGame(spec)
}

// anotherBuild differs from the build of the others.
func anotherBuild(s *cli.Spec[clitest.Toy, clitest.Press]) { s.Build = "another" }

// anotherStep computes different states.
func anotherStep(s *cli.Spec[clitest.Toy, clitest.Press]) {
	s.Game = rollback.Game[clitest.Toy, clitest.Press]{Step: func(t *clitest.Toy, k *clitest.ToyTick) {
		if t.Step(k); k.Frame() == 100 {
			t.Sum++
		}
	}}
}

// anotherStart refuses all matches.
func anotherStart(s *cli.Spec[clitest.Toy, clitest.Press]) {
	s.Start = func(tickback.Parameters) (func(*clitest.Toy), error) {
		return nil, errors.New("there is no such stage here")
	}
}

// The addresses of the players, and of late joiners.
var at = []string{"", "127.0.0.1:7001", "127.0.0.1:7002", "127.0.0.1:7003"}

// player runs player number p of n.
func (s *stage) player(g cli.Game, p, n int, more ...string) *machine {
	args := []string{"match", "--players", fmt.Sprint(n), "--player", fmt.Sprint(p), "--listen", at[p]}
	for q := 1; q <= n; q++ {
		if q != p {
			args = append(args, "--peer", at[q])
		}
	}
	if s.lockstep {
		args = append(args, "--lockstep")
	}
	return s.run(g, append(args, more...)...)
}

// players runs all of n.
func (s *stage) players(n int, more ...string) (list []*machine) {
	for p := 1; p <= n; p++ {
		list = append(list, s.player(toy(nil), p, n, more...))
	}
	return list
}

var (
	theToken = tickback.NewToken().String()
	goesOn   = []string{"--on-leave", "continue", "--token", theToken}
)

var peerEnds = []end{
	{"the match has its length", func(s *stage) *machine { return s.players(2, "--frames", "200")[0] }},
	{"the game ends it", func(s *stage) *machine { return s.players(2, "--bot", "quitter")[1] }},
	{"it leaves (Ctrl-C)", func(s *stage) *machine {
		list := s.players(2)
		s.play(3 * time.Second)
		list[0].interrupt()
		return list[0]
	}},
	{"another player leaves before the length", func(s *stage) *machine {
		list := s.players(2, "--frames", "2000")
		s.play(3 * time.Second)
		list[1].interrupt()
		return list[0]
	}},
	{"another player leaves a match without a length", func(s *stage) *machine {
		list := s.players(2)
		s.play(3 * time.Second)
		list[1].interrupt()
		return list[0]
	}},
	{"another player is silent for Drop", func(s *stage) *machine {
		list := s.players(2)
		s.play(3 * time.Second)
		list[1].kill()
		return list[0]
	}},
	{"another player is silent for Drop, of three", func(s *stage) *machine {
		list := s.players(3)
		s.play(3 * time.Second)
		list[1].kill()
		return list[0]
	}},
	{"another player was killed and started again", func(s *stage) *machine {
		list := s.players(2)
		s.play(3 * time.Second)
		list[1].kill()
		s.player(toy(nil), 2, 2)
		return list[0]
	}},
	{"it was killed and started again itself", func(s *stage) *machine {
		list := s.players(2)
		s.play(3 * time.Second)
		list[1].kill()
		return s.player(toy(nil), 2, 2)
	}},
	{"the host kicks it", func(s *stage) *machine {
		s.player(toy(nil), 1, 3, append([]string{"--kick-at", "100,3", "--frames", "300"}, goesOn...)...)
		s.player(toy(nil), 2, 3, goesOn...)
		return s.player(toy(nil), 3, 3, goesOn...)
	}},
	{"it is out of reach, and the others go on without it", func(s *stage) *machine {
		list := s.players(3, append([]string{"--frames", "1000"}, goesOn...)...)
		s.play(3 * time.Second)
		list[2].reach(false)
		s.play(7 * time.Second)
		list[2].reach(true)
		return list[2]
	}},
	{"it is out of reach for Drop and Quorum", func(s *stage) *machine {
		list := s.players(3, append([]string{"--frames", "1000"}, goesOn...)...)
		s.play(3 * time.Second)
		list[2].reach(false)
		return list[2]
	}},
	{"all others leave, and it goes on to the length", func(s *stage) *machine {
		list := s.players(2, append([]string{"--frames", "500"}, goesOn...)...)
		s.play(3 * time.Second)
		list[1].interrupt()
		return list[0]
	}},
	{"nobody answers", func(s *stage) *machine { return s.player(toy(nil), 1, 2) }},
	{"another player has another build", func(s *stage) *machine {
		s.player(toy(anotherBuild), 2, 2)
		return s.player(toy(nil), 1, 2)
	}},
	{"another player has its place", func(s *stage) *machine {
		s.run(toy(nil), "match", "--player", "1", "--listen", at[2], "--peer", at[1])
		return s.player(toy(nil), 1, 2)
	}},
	{"another player cannot start the match", func(s *stage) *machine {
		s.player(toy(anotherStart), 2, 2)
		return s.player(toy(nil), 1, 2)
	}},
	{"it cannot start the match itself", func(s *stage) *machine {
		s.player(toy(nil), 1, 2)
		return s.player(toy(anotherStart), 2, 2)
	}},
	{"another player comes to other states", func(s *stage) *machine {
		s.player(toy(anotherStep), 2, 2)
		return s.player(toy(nil), 1, 2, "--frames", "200", "--desync", s.t.TempDir()+"/report.tbd")
	}},
	{"it joins with another token", func(s *stage) *machine {
		s.players(2, append([]string{"--frames", "1000"}, goesOn...)...)
		s.play(3 * time.Second)
		return s.run(toy(nil), "match", "--players", "2", "--player", "2", "--join", at[1], "--token", tickback.NewToken().String())
	}},
	{"it joins where nobody is", func(s *stage) *machine {
		return s.run(toy(nil), "match", "--players", "2", "--player", "2", "--join", at[1], "--token", theToken)
	}},
}

func (s *stage) spectator(g cli.Game, more ...string) *machine {
	return s.run(g, append([]string{"spectate", "--host", at[1]}, more...)...)
}

var spectatorEnds = []end{
	{"the match has its length", func(s *stage) *machine { s.players(2, "--frames", "200"); return s.spectator(toy(nil)) }},
	{"the game ends it", func(s *stage) *machine { s.players(2, "--bot", "quitter"); return s.spectator(toy(nil)) }},
	{"it leaves (Ctrl-C)", func(s *stage) *machine {
		s.players(2, "--frames", "500")
		m := s.spectator(toy(nil))
		s.play(3 * time.Second)
		m.interrupt()
		return m
	}},
	{"its host leaves, which ends the match", func(s *stage) *machine {
		list, m := s.players(2, "--frames", "500"), s.spectator(toy(nil))
		s.play(3 * time.Second)
		list[0].interrupt()
		return m
	}},
	{"another player leaves, which ends the match", func(s *stage) *machine {
		list, m := s.players(2, "--frames", "500"), s.spectator(toy(nil))
		s.play(3 * time.Second)
		list[1].interrupt()
		return m
	}},
	{"its host leaves, and the match goes on", func(s *stage) *machine {
		list, m := s.players(2, append([]string{"--frames", "500"}, goesOn...)...), s.spectator(toy(nil), "--token", theToken)
		s.play(3 * time.Second)
		list[0].interrupt()
		return m
	}},
	{"its host leaves, and it watches another one", func(s *stage) *machine {
		list, m := s.players(2, append([]string{"--frames", "500"}, goesOn...)...), s.spectator(toy(nil), "--token", theToken, "--host", at[2])
		s.play(3 * time.Second)
		list[0].interrupt()
		return m
	}},
	{"its host is silent", func(s *stage) *machine {
		list, m := s.players(2), s.spectator(toy(nil))
		s.play(3 * time.Second)
		list[0].kill()
		return m
	}},
	{"its host was killed and started again", func(s *stage) *machine {
		list, m := s.players(2), s.spectator(toy(nil))
		s.play(3 * time.Second)
		list[0].kill()
		list[1].kill()
		s.players(2, "--frames", "200")
		return m
	}},
	{"nobody answers", func(s *stage) *machine { return s.spectator(toy(nil)) }},
	{"its host has another build", func(s *stage) *machine { s.players(2, "--frames", "500"); return s.spectator(toy(anotherBuild)) }},
	{"it has no token", func(s *stage) *machine {
		s.players(2, append([]string{"--frames", "500"}, goesOn...)...)
		return s.spectator(toy(nil))
	}},
	{"it has another token", func(s *stage) *machine {
		s.players(2, append([]string{"--frames", "500"}, goesOn...)...)
		return s.spectator(toy(nil), "--token", tickback.NewToken().String())
	}},
	{"it comes to other states", func(s *stage) *machine { s.players(2, "--frames", "300"); return s.spectator(toy(anotherStep)) }},
	{"the match of a server has its length", func(s *stage) *machine { s.serve("--length", "5s"); return s.spectator(toy(nil)) }},
	{"the game ends that of a server", func(s *stage) *machine {
		s.serve()
		s.client(toy(nil), "--bot", "quitter")
		return s.spectator(toy(nil))
	}},
	{"the server is shut down (Ctrl-C)", func(s *stage) *machine {
		server, m := s.serve(), s.spectator(toy(nil))
		s.play(3 * time.Second)
		server.interrupt()
		return m
	}},
	{"the server is silent", func(s *stage) *machine {
		server, m := s.serve(), s.spectator(toy(nil))
		s.play(3 * time.Second)
		server.kill()
		return m
	}},
}

func (s *stage) serve(more ...string) *machine {
	return s.run(toy(nil), append([]string{"toy", "serve", "--listen", at[1]}, more...)...)
}

func (s *stage) client(g cli.Game, more ...string) *machine {
	return s.run(g, append([]string{"toy", "join", at[1]}, more...)...)
}

var clientEnds = []end{
	{"the match has its length", func(s *stage) *machine { s.serve("--length", "5s"); return s.client(toy(nil)) }},
	{"the game ends it", func(s *stage) *machine { s.serve(); return s.client(toy(nil), "--bot", "quitter") }},
	{"it leaves (Ctrl-C)", func(s *stage) *machine {
		s.serve("--length", "5s")
		m := s.client(toy(nil))
		s.play(3 * time.Second)
		m.interrupt()
		return m
	}},
	{"the server is shut down (Ctrl-C)", func(s *stage) *machine {
		server, m := s.serve(), s.client(toy(nil))
		s.play(3 * time.Second)
		server.interrupt()
		return m
	}},
	{"the game fails at the server", func(s *stage) *machine {
		s.run(toy(fails), "toy", "serve", "--listen", at[1])
		return s.client(toy(nil))
	}},
	{"the server is silent for Drop", func(s *stage) *machine {
		server, m := s.serve(), s.client(toy(nil))
		s.play(3 * time.Second)
		server.kill()
		return m
	}},
	{"the server was killed and started again: it plays the new match", func(s *stage) *machine {
		server, m := s.serve(), s.client(toy(nil))
		s.play(3 * time.Second)
		server.kill()
		s.serve("--length", "5s")
		return m
	}},
	{"nobody answers", func(s *stage) *machine { return s.client(toy(nil)) }},
	{"there are peers, and no server", func(s *stage) *machine { s.players(2, "--frames", "500"); return s.client(toy(nil)) }},
	{"the server has another build", func(s *stage) *machine { s.serve("--length", "5s"); return s.client(toy(anotherBuild)) }},
	{"the server has more places", func(s *stage) *machine { s.serve("--length", "5s"); return s.client(toy(nil), "--players", "2") }},
	{"all places are taken", func(s *stage) *machine {
		s.serve("--length", "5s", "--players", "2")
		s.client(toy(nil), "--players", "2")
		s.client(toy(nil), "--players", "2")
		s.play(time.Second)
		return s.client(toy(nil), "--players", "2")
	}},
	{"it has no token", func(s *stage) *machine { s.serve("--length", "5s", "--token", theToken); return s.client(toy(nil)) }},
	{"it has another token", func(s *stage) *machine {
		s.serve("--length", "5s", "--token", theToken)
		return s.client(toy(nil), "--token", tickback.NewToken().String())
	}},
	{"it comes to other states", func(s *stage) *machine {
		s.serve("--length", "5s")
		return s.client(toy(anotherStep), "--desync", s.t.TempDir()+"/report.tbd")
	}},
}

// fails panics in the middle of the match.
func fails(s *cli.Spec[clitest.Toy, clitest.Press]) {
	s.Game = rollback.Game[clitest.Toy, clitest.Press]{Step: func(t *clitest.Toy, k *clitest.ToyTick) {
		if t.Step(k); k.Frame() == 100 {
			panic("out of fuel")
		}
	}}
}

var serverEnds = []end{
	{"the match has its length", func(s *stage) *machine { m := s.serve("--length", "5s"); s.client(toy(nil)); return m }},
	{"the game ends it", func(s *stage) *machine { m := s.serve(); s.client(toy(nil), "--bot", "quitter"); return m }},
	{"it is shut down (Ctrl-C)", func(s *stage) *machine {
		m := s.serve()
		s.client(toy(nil))
		s.play(3 * time.Second)
		m.interrupt()
		return m
	}},
	{"all clients leave, and it goes on to the length", func(s *stage) *machine {
		m, c := s.serve("--length", "5s"), s.client(toy(nil))
		s.play(2 * time.Second)
		c.interrupt()
		return m
	}},
	{"all clients are silent, and it goes on to the length", func(s *stage) *machine {
		m, c := s.serve("--length", "20s"), s.client(toy(nil))
		s.play(2 * time.Second)
		c.kill()
		return m
	}},
	{"nobody ever comes, and it goes on to the length", func(s *stage) *machine { return s.serve("--length", "5s") }},
	{"the game fails", func(s *stage) *machine {
		m := s.run(toy(fails), "toy", "serve", "--listen", at[1])
		s.client(toy(nil))
		return m
	}},
}

// The sessions of other programs; all have the same tick rate.
func peerOf(me, other int, frames tickback.Frame) opener {
	return func(t tickback.Transport, log *slog.Logger) (toySession, error) {
		p := tickback.Player(me - 1)
		return tickback.P2P(toyRules, tickback.Options[clitest.Toy, clitest.Press]{
			Transport: t, Peers: tickback.Mesh(p, netip.MustParseAddrPort(at[other])), Match: tickback.Parameters{Frames: frames}, Sample: nothing, Log: log,
		})
	}
}

func alone(frames tickback.Frame) opener {
	return func(t tickback.Transport, log *slog.Logger) (toySession, error) {
		return tickback.Local(toyRules, tickback.Options[clitest.Toy, clitest.Press]{
			Players: 2, Transport: t, Spectators: tickback.Spectators{Max: 1}, Match: tickback.Parameters{Frames: frames}, Sample: nothing, Log: log,
		})
	}
}

func serving(frames tickback.Frame) opener {
	return func(t tickback.Transport, log *slog.Logger) (toySession, error) {
		return tickback.Serve(toyRules, tickback.ServerOptions[clitest.Toy, clitest.Press]{
			Players: 2, Transport: t, TickRate: 60, Spectators: tickback.Spectators{Max: 1}, Match: tickback.Parameters{Frames: frames}, Log: log,
		})
	}
}

func watching(t tickback.Transport, log *slog.Logger) (toySession, error) {
	return tickback.Spectate(toyRules, tickback.SpectatorOptions[clitest.Toy, clitest.Press]{Hosts: []netip.AddrPort{theHost}, Transport: t, Log: log})
}

func connected(t tickback.Transport, log *slog.Logger) (toySession, error) {
	return tickback.Connect(toyRules, tickback.ClientOptions[clitest.Toy, clitest.Press]{Server: theHost, Transport: t, Players: 2, TickRate: 60, Sample: nothing, Log: log})
}

var (
	toyRules = rollback.Game[clitest.Toy, clitest.Press]{Step: (*clitest.Toy).Step}
	theHost  = netip.MustParseAddrPort(at[1])
)

func nothing(tickback.Player) clitest.Press { return 0 }

// programs are sessions that a program continues to update when the match is over.
var programEnds = []end{
	{"a peer: the others leave after the match", func(s *stage) *machine {
		s.program(at[2], peerOf(2, 1, 100), func(m toySession, over bool) bool { return over })
		return s.program(at[1], peerOf(1, 2, 100), nil)
	}},
	{"a spectator: its host leaves after the match", func(s *stage) *machine {
		s.program(at[1], alone(100), func(m toySession, over bool) bool { return over })
		return s.program(":0", watching, nil)
	}},
	{"a spectator: the match of the server is over", func(s *stage) *machine {
		s.program(at[1], serving(100), nil)
		return s.program(":0", watching, nil)
	}},
	{"a client: the match is over", func(s *stage) *machine {
		s.program(at[1], serving(100), nil)
		return s.program(":0", connected, nil)
	}},
	{"a client: it is kicked", func(s *stage) *machine {
		s.program(at[1], serving(1000), func(m toySession, over bool) bool {
			if m.View().Frame == 100 {
				_ = m.(*tickback.Server[clitest.Toy, clitest.Press]).Kick(0, "rude")
			}
			return over
		})
		return s.program(":0", connected, nil)
	}},
	{"a client: the server is closed", func(s *stage) *machine {
		s.program(at[1], serving(1000), func(m toySession, _ bool) bool { return m.View().Frame >= 100 })
		return s.program(":0", connected, nil)
	}},
	{"the server: the match is over", func(s *stage) *machine { return s.program(at[1], serving(100), nil) }},
	{"any: it is closed here", func(s *stage) *machine {
		return s.program(at[1], serving(1000), func(m toySession, _ bool) bool { return m.View().Frame >= 100 })
	}},
}

// roles are the kinds of sessions, with the ways in which each ends.
var roles = []struct {
	title string
	ends  []end
}{
	{"A peer", peerEnds}, {"A spectator", spectatorEnds}, {"A client of a server", clientEnds}, {"A server", serverEnds}, {"Programs that stay", programEnds},
}

var (
	framesText = regexp.MustCompile(`\b(frame|after) \d+\b|\b\d+ frames`)
	number     = regexp.MustCompile(`\d+`)
	fraction   = regexp.MustCompile(`(\d+)\.\d+(s| s)\b`)
	line       = regexp.MustCompile(`\.go:\d+`)
)

// plain returns a text without the numbers that vary between runs.
func plain(text string) string {
	text = framesText.ReplaceAllStringFunc(text, func(m string) string { return number.ReplaceAllString(m, "N") })
	return line.ReplaceAllString(fraction.ReplaceAllString(text, "$1$2"), ".go:N")
}

// row says how a session has ended.
func (m *machine) row(t *testing.T, what string) string {
	level, text, once := m.heard("closed")
	if !once {
		t.Errorf("%s: the end is not logged once:\n%s", what, m.output.String())
	}
	row := fmt.Sprintf("| %s | %s: %s | %s |", what, strings.ToLower(level), plain(text), plain(strings.TrimPrefix(m.said(), "toybox: ")))
	if !m.program {
		row += fmt.Sprintf(" %d |", m.code)
	}
	return row + "\n"
}

// row plays a session to its end, and returns its row.
func (e *end) row(t *testing.T) (row string) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		m := e.play(s)
		<-m.done
		row = m.row(t, e.what)
		s.wait()
	})
	return row
}

const endsPage = "../../docs/reference/ends.md"

var rewrite = flag.Bool("rewrite", false, "write the tables of "+endsPage)

// Rule: whatever ends a session, its error, its log and the output of the command are those on the page of ends, and
// each row of the page was played.
func TestThePageOfEndsIsWhatHappens(t *testing.T) {
	b, err := os.ReadFile(endsPage)
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	for _, role := range roles {
		table := "| what happens | the log: `closed` | the command says | exit |\n|---|---|---|---|\n"
		if role.ends[0].what == programEnds[0].what {
			table = "| what happens | the log: `closed` | the error of `Update` |\n|---|---|---|\n"
		}
		for _, e := range role.ends {
			t.Run(role.title+"/"+e.what, func(t *testing.T) { table += e.row(t) })
		}
		before, rest, found := strings.Cut(page, "## "+role.title+"\n")
		at := strings.Index(rest, "| what happens")
		if !found || at < 0 {
			t.Fatalf("%s has no table %q", endsPage, role.title)
		}
		_, after, _ := strings.Cut(rest[at:], "\n\n")
		page = before + "## " + role.title + "\n" + rest[:at] + table + "\n" + after
	}
	page = strings.TrimRight(page, "\n") + "\n"
	switch {
	case *rewrite:
		if err := os.WriteFile(endsPage, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	case page != string(b):
		was := strings.Split(string(b), "\n")
		for i, line := range strings.Split(page, "\n") {
			if i >= len(was) || line != was[i] {
				t.Errorf("line %d of %s is to be\n%s\n(go test -run ThePageOfEnds -rewrite writes it)", i+1, endsPage, line)
			}
		}
	}
}

// Rule: without prediction, matches end in the same ways.
func TestLockstepEndsAlike(t *testing.T) {
	for _, e := range peerEnds[:7] {
		t.Run(e.what, func(t *testing.T) {
			usual := e.row(t)
			lockstep := end{e.what, func(s *stage) *machine { s.lockstep = true; return e.play(s) }}
			if got := lockstep.row(t); got != usual {
				t.Errorf("with --lockstep\n%s, without\n%s", got, usual)
			}
		})
	}
}
