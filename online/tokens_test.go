//go:build !js

package online

import (
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/rooms"
)

// A member is kicked from a match, and from the room: with the room's new link another one
// joins that match.
func TestAMatchIsJoinedAfterSomebodyWasSentAway(t *testing.T) {
	t.Parallel()
	cfg := config("Ada")
	cfg.Seats = 3
	const frames = 20_000 // more than are played
	a := must(t)(Create(within(t), serveRooms(t), cfg))
	b := must(t)(Join(within(t), a.Link(), config("Bob")))
	troll := must(t)(Join(within(t), a.Link(), config("Cy")))
	sees(t, a, "three", func(s rooms.State) bool { return len(s.Members) == 3 })
	a.Start()
	for _, r := range []*Room{a, b, troll} {
		wait(t, r)
	}
	var all sync.WaitGroup
	joined := make(chan struct{})
	done := func() bool {
		select {
		case <-joined:
			return true
		default:
			return false
		}
	}
	first, second, third := match(t, a, frames), match(t, b, frames), match(t, troll, frames)
	kicked := false
	all.Go(func() {
		until(t, "Ada", first, func() bool {
			if !kicked && first.View().Frame > 60 {
				kicked = true
				if err := first.Kick(tickback.SetOf(2), ""); err != nil {
					t.Error(err)
				}
				if err := a.Kick(troll.Me().ID); err != nil {
					t.Error(err)
				}
			}
			return done()
		})
	})
	all.Go(func() { until(t, "Bob", second, done) })
	all.Go(func() {
		for err := error(nil); err == nil && !done(); time.Sleep(time.Millisecond) {
			_, err = third.Update()
		}
		third.Close()
	})
	sees(t, b, "two", func(s rooms.State) bool { return len(s.Members) == 2 })
	d := must(t)(Join(within(t), b.Link(), config("Di")))
	wait(t, d)
	late := match(t, d, frames)
	came := false
	until(t, "Di", late, func() bool {
		for _, e := range late.Events() {
			came = came || e.What == tickback.Joined
		}
		return came
	})
	close(joined)
	all.Wait()
	if !came {
		t.Error("nobody joins the match any more")
	}
}
