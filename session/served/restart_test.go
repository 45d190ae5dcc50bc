package served

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/stream"
)

// Rule: when its server is restarted, a client ends the inquiry that it has begun, with an event that names the lost
// match; an inquiry that was reported before is not reported again. The restart itself is an event only if there was a
// match.
func TestARestartEndsAnInquiry(t *testing.T) {
	for _, c := range []struct {
		stage stage
		told  bool
		why   string
	}{{unnoticed, false, ""}, {noticed, true, errRestarted.Error()}, {asked, true, errRestarted.Error()}, {ended, true, "it was found"}, {reported, false, ""}} {
		f := newFixture(t)
		k := f.other
		k.Events()
		k.server.again.lost, k.server.again.of = true, 7
		k.clientMatch.inquiry.stage, k.clientMatch.inquiry.why = c.stage, "it was found"
		restartMatch(k)
		list := k.Events()
		if c.told != (len(list) == 2) || c.told && (list[0].What != event.Reported || list[0].Match != 7 || list[0].Text != c.why || list[0].Data != nil) {
			t.Errorf("at stage %d it says %v", c.stage, list)
		}
		if last := list[len(list)-1]; last.What != event.Restarted || last.Text != serverAddr.String() || k.Phase() != session.Connecting {
			t.Errorf("at stage %d it is %v, and says %v", c.stage, k.Phase(), last)
		}
		if restartMatch(k); len(k.Events()) != 0 {
			t.Errorf("at stage %d a restart before a match is told", c.stage)
		}
	}
}

var errBroken = errors.New("the step is broken")

// failing is a game that cannot run a tick.
type failing struct{ world }

func (failing) run([][]byte, [][]byte, []int, PlayerSet, taker) error { return errBroken }

// watched is a game that records which players were absent in the last tick.
type watched struct {
	world
	gone *PlayerSet
}

func (w watched) run(inputs, orders [][]byte, behind []int, gone PlayerSet, to taker) error {
	*w.gone = gone
	return w.world.run(inputs, orders, behind, gone, to)
}

// Rule: the absent players of a tick are those without a client, and none above the number of players.
func TestWhoIsAbsent(t *testing.T) {
	f := newFixture(t)
	var gone PlayerSet
	f.server.Host.world = watched{f.server.Host.world, &gone}
	f.run(2 * period)
	if want := PlayerSet(7) &^ f.server.Members(); gone != want || gone.Len() != 1 {
		t.Errorf("of three players, two of which play, %v are absent, want %v", gone, want)
	}
	f.other.Leave("")
	f.run(10 * period)
	if want := PlayerSet(7) &^ f.server.Members(); gone != want || gone.Len() != 2 {
		t.Errorf("of three players, one of which plays, %v are absent, want %v", gone, want)
	}
}

// Rule: a server whose game cannot run a tick is over at once, with its error, and tells that to all clients.
func TestAServerWhoseGameFailsIsOver(t *testing.T) {
	f := newFixture(t)
	f.server.Events()
	ran := f.server.Frame()
	f.server.Host.world = failing{f.server.Host.world}
	f.run(100 * period)
	if f.server.Phase() != session.Over || f.server.Err() != errBroken || f.server.Frame() != ran || !f.server.Done() {
		t.Errorf("%v: %v, %d ticks later; done %v", f.server.Phase(), f.server.Err(), f.server.Frame()-ran, f.server.Done())
	}
	list := f.server.Events()
	if i := slices.IndexFunc(list, func(e Event) bool { return e.What == event.Closed }); i < 0 || list[i].Text != errBroken.Error() {
		t.Errorf("it says %v", list)
	}
	for _, c := range []*Client[count, uint16]{f.honest, f.other} {
		var bye *ByeError
		if !errors.As(c.Err(), &bye) || !strings.Contains(bye.Error(), errBroken.Error()) {
			t.Errorf("a client is over with %v", c.Err())
		}
	}
}

// Rule: a client whose game cannot run a tick is over at once, with its error.
func TestAClientWhoseGameFailsIsOver(t *testing.T) {
	hit, other := effects.OneShot[struct{}](1, "hit"), effects.OneShot[struct{}](2, "other")
	game := countGame()
	step, wrong := game.Step, false
	game.Effects = []effects.Declaration{hit}
	game.Step = func(s *count, k *rollback.Tick[uint16]) {
		step(s, k)
		if wrong {
			other.Emit(k.Effects(), 1, struct{}{}) // it is not declared
		}
	}
	f := newFixture(t)
	c := newClient(t, game, one, nil)
	f.other = c
	f.run(2 * second)
	if c.Phase() != session.Playing {
		t.Fatalf("it is %v: %v", c.Phase(), c.Err())
	}
	wrong = true
	if ran, err := c.clientMatch.run(); ran || err == nil {
		t.Errorf("the tick has run: %v, %v", ran, err)
	}
	f.run(2 * period)
	if c.Phase() != session.Over || c.Err() == nil || !strings.Contains(c.Err().Error(), "not declared") {
		t.Errorf("it is %v: %v", c.Phase(), c.Err())
	}
}

// Rule: an invalid configuration is an error of NewServer and NewClient.
func TestNothingIsMadeOfAWrongConfiguration(t *testing.T) {
	var wrong *ConfigError
	if s, err := NewServer(countGame(), ServerConfig{}, ServerHooks[count, uint16]{}); s != nil || !errors.As(err, &wrong) {
		t.Errorf("a server: %v", err)
	}
	if c, err := NewClient(countGame(), ClientConfig{}, ClientHooks[count, uint16]{Sample: func(Player) uint16 { return 0 }}); c != nil || !errors.As(err, &wrong) {
		t.Errorf("a client: %v", err)
	}
}

// Rule: an error of Start is an error of NewServer, and ends a client.
func TestAMatchThatCannotBegin(t *testing.T) {
	start := func(stream.Parameters) (func(s *count), error) { return nil, errBroken }
	_, err := NewServer(countGame(), ServerConfig{Game: countAbout, Random: one}, ServerHooks[count, uint16]{Start: start})
	if !errors.Is(err, errBroken) {
		t.Errorf("a server: %v", err)
	}
	f := newFixture(t)
	c := f.other
	c.hooks.Start, c.phase = start, session.Connecting
	c.begin()
	if !errors.Is(c.Err(), errBroken) || c.Phase() != session.Over {
		t.Errorf("a client is %v: %v", c.Phase(), c.Err())
	}
}

// Rule: a spectator of a server cannot ask for a place. It gets an encoded state.
func TestNoNewcomersAtAServer(t *testing.T) {
	g := newGate(t, nil)
	s := spectateMatch{g.server.Host}
	if why := s.Admit(1, 2, honestAddr); why == "" || s.Joined(1, 2) || s.MayJoin(1, 2) {
		t.Errorf("a newcomer is let in: %q", why)
	}
	if s.Items() != g.server.admitter.items {
		t.Errorf("a spectator compares %+v", s.Items())
	}
	if !s.Marshals() {
		t.Error("a spectator is given no state, though the game can encode one")
	}
	if b, f, err := s.Marshal([]byte{9}); err != nil || len(b) < 2 || b[0] != 9 || Frame(f) != g.server.Frame() {
		t.Errorf("the state of a spectator is %d, %v", f, err)
	}
}

// Rule: a connection that is over sends nothing, and asks to be called once a second.
func TestAConnectionThatIsOverIsSilent(t *testing.T) {
	f := newFixture(t)
	r := &f.other.server
	r.fail(rollback.ErrFrames)
	for range 3 {
		f.now += DefaultDropAfter
		if next := r.update(f.now); next != f.now+second || r.out.Len() != 0 || r.err != rollback.ErrFrames {
			t.Errorf("it wants to be called in %v, sends %d datagrams, and is over with %v", next-f.now, r.out.Len(), r.err)
		}
	}
}

// Rule: a client has been told the end when it holds the last state and has acknowledged everything that was sent to it.
func TestWhoHasBeenToldTheEnd(t *testing.T) {
	f := newFixture(t)
	l := &f.server.clients
	for _, c := range l.list {
		c.view.any, c.view.newest = true, 10
	}
	c := l.list[1]
	pending := c.pipe.Channel.Pending()
	if pending != 0 || !l.told(10) || l.told(11) {
		t.Errorf("%d bytes wait; of state 10: %v, of state 11: %v", pending, l.told(10), l.told(11))
	}
	if c.view.any = false; l.told(10) {
		t.Error("one holds no state")
	}
	c.view.any = true
	if c.post([]byte{messageBye}); l.told(10) {
		t.Error("one has not acknowledged a message")
	}
}

// Rule: an input of a player that the server has told to be absent in that tick is left out, and is no error. Other
// errors of the engine are errors.
func TestInputsThatTheEngineRefuses(t *testing.T) {
	f := newFixture(t)
	c := f.other
	if err := c.engine.Disconnect(c.server.player, c.engine.Frame()); err != nil {
		t.Fatal(err)
	}
	if err := act(c, c.engine.Frame()); err != nil {
		t.Errorf("absent: %v", err)
	}
	c.server.player = 9
	if err := act(c, c.engine.Frame()); err == nil {
		t.Error("a player that does not exist has an input")
	}
	c.timing.due = c.now
	if c.tick(); c.Phase() != session.Over || c.Err() == nil {
		t.Errorf("with an input that is refused it is %v: %v", c.Phase(), c.Err())
	}
}

// Rule: a player who was asked for an input of a match that is lost is asked again for the next match.
func TestARestartForgetsTheNextInput(t *testing.T) {
	f := newFixture(t)
	k, asked := f.other, 0
	k.nextInput.sample = func(Player) uint16 { asked++; return 1 }
	ask := func() { k.nextInput.ask(k.server.player, k.engine.Frame(), k.server.pipe.Channel.Send) }
	ask()
	if ask(); asked != 1 {
		t.Fatalf("for a tick it is asked %d times", asked)
	}
	restartMatch(k)
	if ask(); asked != 2 {
		t.Errorf("after a restart it has been asked %d times in all", asked)
	}
}
