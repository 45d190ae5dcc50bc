package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

func TestSmoke(t *testing.T) {
	game, _ := duel.Game(7)
	f, err := New(Setup[duel.State, duel.Input]{
		Game: game, Players: 2, Seed: 1,
		Input:     func(p session.Player, n int) duel.Input { return duel.Input(n/6*7+int(p)) & 15 },
		Configure: func(_ int, c *session.Config) { c.Match.Frames = 600 },
		Link:      netem.Link{Delay: 50 * time.Millisecond, Loss: 5 * netem.Percent},
	})
	if err != nil {
		t.Fatal(err)
	}
	f.RunUntil(30*time.Second, func() bool {
		return f.Peers[0].Phase() == session.Lobby && f.Peers[1].Phase() == session.Lobby && f.Now > time.Second
	})
	t.Log(f.Now)
	for _, p := range f.Peers {
		for _, e := range p.Events {
			t.Log(p.Index, e)
		}
		o, ok := p.Outcome()
		t.Logf("%+v %v", o, ok)
		st := p.Stats(nil)
		st.Engine.Histogram = nil
		t.Logf("%+v err %v", st, p.Err())
	}
}
