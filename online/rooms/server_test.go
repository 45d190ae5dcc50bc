//go:build !js

package rooms

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
)

// The member that makes a room is its host; members that join get the next seat, and
// then watch; all see the same, and only those with a seat know the token.
func TestARoomFillsUp(t *testing.T) {
	_, url := serve(t, Config{})
	host := enter(t, url, Entry{Name: "Ada", Seats: 2, Spectators: 1, Settings: "best of 3"})
	room := host.State().Room
	if len(room) < 22 {
		t.Errorf("the ID %q has less than 128 bits", room)
	}
	second := enter(t, url, Entry{Name: "Bob", Room: room})
	third := enter(t, url, Entry{Room: room})
	for i, c := range []*Client{host, second, third} {
		sees(t, c, "three members", func(s *State) bool { return len(s.Members) == 3 })
		s := c.State()
		if s.Host != host.You() || s.Settings != "best of 3" || s.Members[0].Name != "Ada" || s.Members[1].Seat != 1 || s.Members[2].Seat != NoSeat {
			t.Errorf("client %d sees %+v", i, s)
		}
	}
	if _, err := tickback.ParseToken(host.Token()); err != nil || host.Token() != second.Token() {
		t.Errorf("the tokens are %q and %q: %v", host.Token(), second.Token(), err)
	}
	if third.Token() != "" {
		t.Error("who watches knows the token")
	}
	_, err := Enter(within(t), url, Entry{GameID: "pong", Build: "1", Room: room})
	if !errors.Is(err, ErrFull) {
		t.Errorf("a fourth one gets %v", err)
	}
	second.Close()
	if err := third.TakeSeat(nil); err != nil {
		t.Fatal(err)
	}
	sees(t, third, "a seat", func(*State) bool { return third.Me().Seat == 1 && third.Token() == host.Token() })
}

// Each reason for not getting in has its own error.
func TestRefusals(t *testing.T) {
	_, url := serve(t, Config{MaxRooms: 1, Games: []string{"pong"}})
	host := enter(t, url, Entry{Seats: 2})
	room := host.State().Room
	for name, c := range map[string]struct {
		entry Entry
		want  error
	}{
		"gone":         {Entry{GameID: "pong", Build: "1", Room: newID()}, ErrGone},
		"a bad ticket": {Entry{GameID: "pong", Build: "1", Ticket: ticket(room, newID())}, ErrMember},
		"seat taken":   {Entry{GameID: "pong", Build: "1", Room: room, Seat: new(0)}, ErrSeatTaken},
		"no such seat": {Entry{GameID: "pong", Build: "1", Room: room, Seat: new(2)}, ErrSeatTaken},
		"no watching":  {Entry{GameID: "pong", Build: "1", Room: room, Role: Spectator}, ErrFull},
		"server full":  {Entry{GameID: "pong", Build: "1", Seats: 2}, ErrServerFull},
		"other game":   {Entry{GameID: "chess", Seats: 2}, ErrGame},
		"no seat":      {Entry{GameID: "pong", Seats: 0}, ErrBadMessage},
		"no game":      {Entry{Seats: 2}, ErrBadMessage},
	} {
		if _, err := Enter(within(t), url, c.entry); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	var other *MismatchError
	_, err := Enter(within(t), url, Entry{GameID: "pong", Build: "2", Room: room})
	if !errors.As(err, &other) || *other != (MismatchError{"build", "2", "1"}) {
		t.Errorf("another build gets %v", err)
	}
	_, err = Enter(within(t), url, Entry{GameID: "chess", Build: "1", Room: room})
	if !errors.As(err, &other) || *other != (MismatchError{"game", "chess", "pong"}) {
		t.Errorf("another game gets %v", err)
	}
	if _, err = Enter(within(t), "ws://127.0.0.1:1/", Entry{GameID: "pong", Seats: 2}); !errors.Is(err, ErrUnreachable) {
		t.Errorf("without a server: %v", err)
	}
}

// Signals go to one member, with the sender.
func TestSignals(t *testing.T) {
	s, url := serve(t, Config{})
	a := enter(t, url, Entry{Seats: 3})
	b := enter(t, url, Entry{Room: a.State().Room})
	c := enter(t, url, Entry{Room: a.State().Room})
	text := "<offer>\r\n\"" + strings.Repeat("x", MaxSignal-100)
	if err := a.Signal(b.You(), text); err != nil {
		t.Fatal(err)
	}
	if e := hears(t, b, Signalled); e.From != a.You() || e.Data != text {
		t.Errorf("%d bytes from %d", len(e.Data), e.From)
	}
	if err := b.Signal(a.You(), strings.Repeat("x", MaxSignal+1)); !errors.Is(err, ErrBadMessage) {
		t.Errorf("a signal that is too long: %v", err)
	}
	if err := c.Signal(a.You(), "last"); err != nil {
		t.Fatal(err)
	}
	if e := hears(t, a, Signalled); e.From != c.You() || e.Data != "last" {
		t.Errorf("%+v", e)
	}
	if n := s.Stats().Signals; n != 2 {
		t.Errorf("%d signals are counted", n)
	}
}

// Only the host changes the settings and starts a match; members present then are
// starters; the match ends when nobody plays it any more.
func TestAMatch(t *testing.T) {
	_, url := serve(t, Config{})
	a := enter(t, url, Entry{Seats: 3})
	b := enter(t, url, Entry{Room: a.State().Room})
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	if e := hears(t, b, Refused); !errors.Is(e.Err, ErrHost) {
		t.Errorf("who is not the host may start: %v", e.Err)
	}
	a.SetSettings("fast")
	a.Start()
	sees(t, a, "a match", func(s *State) bool { return s.Match == 1 })
	c := enter(t, url, Entry{Room: a.State().Room})
	sees(t, c, "a match", func(s *State) bool { return s.Match == 1 && s.Settings == "fast" })
	s := c.State()
	if len(s.Starters) != 2 || s.Starters[0] != (Starter{ID: a.You(), Seat: 0}) || s.Starters[1] != (Starter{ID: b.You(), Seat: 1}) || s.Members[2].Playing != 0 {
		t.Errorf("%+v", s)
	}
	a.Start()
	if e := hears(t, a, Refused); !errors.Is(e.Err, ErrNotReady) {
		t.Errorf("a second match at once: %v", e.Err)
	}
	c.Playing(1)
	sees(t, a, "a third player", func(s *State) bool { return len(s.Members) == 3 && s.Members[2].Playing == 1 })
	a.Ended(1)
	b.Close()
	sees(t, c, "two who have stopped", func(s *State) bool { return len(s.Members) == 2 && s.Match == 1 })
	c.Ended(1)
	sees(t, a, "the end", func(s *State) bool { return s.Match == 0 })
	a.Start()
	sees(t, a, "the next match", func(s *State) bool { return s.Match == 2 && len(s.Starters) == 2 })
}

// A broken connection is made again, and the member keeps its identity: it still plays.
func TestAConnectionThatBreaks(t *testing.T) {
	s, url := serve(t, Config{})
	a := enter(t, url, Entry{Seats: 2})
	b := enter(t, url, Entry{Room: a.State().Room})
	a.Start()
	sees(t, b, "a match", func(s *State) bool { return s.Match == 1 })
	b.SetStatus("away")
	id := b.You()
	breakOff(s, id)
	hears(t, b, Away)
	hears(t, b, Back)
	b.SetSettings("") // refused, when all messages of b have arrived
	hears(t, b, Refused)
	sees(t, a, "b again", func(s *State) bool {
		m, ok := s.Member(id)
		return ok && m.Connected && m.Playing == 1 && m.Status == "away" && m.Seat == 1
	})
	if n := s.Stats().Rejoined; n != 1 {
		t.Errorf("it came back %d times", n)
	}
}

// breakOff breaks the connection of a member.
func breakOff(s *Server, id uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		if c.at.member.ID == id {
			c.cut()
		}
	}
}

// A reloaded page has its seat, and plays nothing; the previous page is told.
func TestATicket(t *testing.T) {
	_, url := serve(t, Config{})
	a := enter(t, url, Entry{Seats: 2})
	b := enter(t, url, Entry{Room: a.State().Room})
	a.Start()
	sees(t, b, "a match", func(s *State) bool { return s.Match == 1 })
	again := enter(t, url, Entry{Ticket: b.Ticket()})
	if again.You() != b.You() || again.Me().Seat != 1 || again.Me().Playing != 0 || RoomOf(b.Ticket()) != a.State().Room {
		t.Errorf("%+v", again.State())
	}
	if e := hears(t, b, Closed); !errors.Is(e.Err, ErrReplaced) || !errors.Is(b.Err(), ErrReplaced) {
		t.Errorf("the one before ends with %v", e.Err)
	}
	again.Abandon()
	sees(t, a, "nobody there", func(s *State) bool { return len(s.Members) == 2 && !s.Members[1].Connected })
	third := enter(t, url, Entry{Ticket: again.Ticket()})
	if third.Me().Seat != 1 {
		t.Errorf("%+v", third.Me())
	}
}

// A member that is away for too long loses its place; an empty room ends, and so does
// one that is too old.
func TestTimesEnd(t *testing.T) {
	s, url := serve(t, Config{Grace: 30 * time.Millisecond, MaxAge: time.Hour})
	a := enter(t, url, Entry{Seats: 2})
	b := enter(t, url, Entry{Room: a.State().Room})
	sees(t, a, "two members", func(s *State) bool { return len(s.Members) == 2 })
	b.Abandon()
	sees(t, a, "one member", func(s *State) bool { return len(s.Members) == 1 })
	if _, err := Enter(within(t), url, Entry{GameID: "pong", Build: "1", Ticket: b.Ticket()}); !errors.Is(err, ErrMember) {
		t.Errorf("a ticket that is too old: %v", err)
	}
	a.Abandon()
	empties(t, s)
	if _, err := Enter(within(t), url, Entry{GameID: "pong", Build: "1", Room: a.State().Room}); !errors.Is(err, ErrGone) {
		t.Errorf("a room that has ended: %v", err)
	}
	_, old := serve(t, Config{MaxAge: 30 * time.Millisecond})
	if e := hears(t, enter(t, old, Entry{Seats: 2}), Closed); !errors.Is(e.Err, ErrExpired) {
		t.Errorf("a room that is too old ends with %v", e.Err)
	}
}

// A server that ends notifies all, and admits nobody any more.
func TestShutdown(t *testing.T) {
	s, url := serve(t, Config{})
	a := enter(t, url, Entry{Seats: 2})
	b := enter(t, url, Entry{Room: a.State().Room})
	if err := s.Close(within(t)); err != nil {
		t.Fatal(err)
	}
	for i, c := range []*Client{a, b} {
		if e := hears(t, c, Closed); !errors.Is(e.Err, ErrShutdown) {
			t.Errorf("client %d ends with %v", i, e.Err)
		}
	}
	if _, err := Enter(within(t), url, Entry{GameID: "pong", Seats: 2}); !errors.Is(err, ErrServerFull) || !strings.Contains(err.Error(), "shuts down") {
		t.Errorf("a newcomer gets %v", err)
	}
	if st := s.Stats(); st.Rooms+st.Members+st.Connections != 0 {
		t.Errorf("%+v is left", st)
	}
}

// An address has a limited number of rooms and connections.
func TestLimitsOfAnAddress(t *testing.T) {
	s, url := serve(t, Config{RoomsPerAddress: 1, PerAddress: 2})
	a := enter(t, url, Entry{Seats: 2})
	if _, err := Enter(within(t), url, Entry{GameID: "pong", Seats: 2}); !errors.Is(err, ErrRate) {
		t.Errorf("a second room: %v", err)
	}
	counts(t, s, "one connection", func(n Stats) bool { return n.Connections == 1 }) // the other one has gone
	enter(t, url, Entry{Room: a.State().Room})
	if _, err := Enter(within(t), url, Entry{GameID: "pong", Build: "1", Room: a.State().Room}); !errors.Is(err, ErrRate) {
		t.Errorf("a third connection: %v", err)
	}
	if n := s.Stats().Refused["rate"]; n != 2 {
		t.Errorf("%d refusals are counted", n)
	}
	_, few := serve(t, Config{ConnectsPerMinute: 1})
	enter(t, few, Entry{Seats: 2})
	if _, err := Enter(within(t), few, Entry{GameID: "pong", Seats: 2}); !errors.Is(err, ErrRate) {
		t.Errorf("a second connection in a minute: %v", err)
	}
}

// A client that sends too much is cut off; the others are not.
func TestAFlood(t *testing.T) {
	_, url := serve(t, Config{Burst: 20, MessagesPerSecond: 1})
	a := enter(t, url, Entry{Seats: 2})
	b := enter(t, url, Entry{Room: a.State().Room})
	for i := range 40 {
		if b.Signal(a.You(), fmt.Sprint(i)) != nil {
			break
		}
	}
	if e := hears(t, b, Away); !errors.Is(e.Err, ErrRate) {
		t.Errorf("the flood ends with %v", e.Err)
	}
	if a.Err() != nil {
		t.Error(a.Err())
	}
}

// Closing a client twice is no error, even while it is away.
func TestClosing(t *testing.T) {
	s, url := serve(t, Config{})
	a := enter(t, url, Entry{Seats: 2})
	a.Close()
	a.Close()
	if err := a.Start(); !errors.Is(err, ErrClosed) || !errors.Is(a.Err(), ErrClosed) {
		t.Errorf("after Close: %v, %v", err, a.Err())
	}
	empties(t, s)
}
