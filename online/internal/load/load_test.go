//go:build linux

package main

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/serve"
)

// All honest clients are served, however many attackers there are; these are
// refused, and the memory that the server holds for all of them is bounded.
func TestHonestMembersAreServedBesideAttackers(t *testing.T) {
	const members, places = 64, 128
	s, err := serve.New(serve.Config{Rooms: rooms.Config{MaxRooms: places}})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	w := newWorld(l.Addr().String())
	stop := w.attack(ctx, []string{attackRooms, attackPings, attackHalves, attackGuesses}, 8)
	time.Sleep(500 * time.Millisecond) // they have begun
	w.honest(ctx, members, 50*time.Millisecond)
	st := s.Rooms().Stats()
	stop()
	w.close()
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if len(w.joins) != members || len(w.errs) != 0 {
		t.Errorf("%d of %d members are served: %v", len(w.joins), members, w.errs)
	}
	if refused := w.attempts.Load() - w.letIn.Load(); refused == 0 || st.Refused["rate"]+st.Refused["server-full"]+st.Refused["gone"] == 0 {
		t.Errorf("of %d attempts %d were let in: %+v", w.attempts.Load(), w.letIn.Load(), st)
	}
	if st.Rooms > places || st.Visitors > 200 {
		t.Errorf("the server holds %+v", st)
	}
}
