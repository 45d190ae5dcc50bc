package tickback_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
)

// viewing is a spectator, with all its events.
type viewing struct {
	*tickback.Spectator[counter, uint32]
	log    bytes.Buffer
	events []tickback.Event
	err    error
}

// patientDoor is a door whose owner waits at it, while other machines continue.
type patientDoor struct {
	*door
	meanwhile func()
}

func (d *patientDoor) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	if n, from, at, ok = d.door.Receive(buf); !ok && d.meanwhile != nil {
		d.meanwhile()
	}
	return n, from, at, ok
}

// show is a hall with players and spectators.
type show struct {
	*testing.T
	hall    *hall
	host    *patientDoor
	token   []byte
	players []*tickback.Match[counter, uint32]
	away    [8]bool // players whose machine is off
	viewers []*viewing
}

// play adds a player, who joins a match if addresses are given.
func (s *show) play(o tickback.Options[counter, uint32], join ...netip.AddrPort) *tickback.Match[counter, uint32] {
	s.Helper()
	o.Players, o.Token, o.Advanced.Now = 3, s.token, s.hall.Now
	o.Sample = func(p tickback.Player) uint32 { return 1 + uint32(p) }
	begin := tickback.P2P[counter, uint32]
	if join != nil {
		begin = func(g rollback.Definition[counter, uint32], o tickback.Options[counter, uint32]) (*tickback.Match[counter, uint32], error) {
			return tickback.Join(g, join, o)
		}
	}
	m, err := begin(counting, o)
	if err != nil {
		s.Fatal(err)
	}
	s.players = append(s.players, m)
	return m
}

func (s *show) watch() *viewing {
	s.Helper()
	v := new(viewing)
	var err error
	v.Spectator, err = tickback.Spectate(counting, tickback.SpectatorOptions[counter, uint32]{
		Hosts: []netip.AddrPort{s.host.here}, Transport: s.hall.door(), Token: s.token, Log: slog.New(slog.NewJSONHandler(&v.log, nil)),
		Advanced: tickback.Advanced{Now: s.hall.Now},
	})
	if err != nil {
		s.Fatal(err)
	}
	s.viewers = append(s.viewers, v)
	return v
}

func (s *show) run(d time.Duration) {
	for end := s.hall.now.Add(d); s.hall.now.Before(end); s.hall.deliver(5 * time.Millisecond) {
		for i, m := range s.players {
			if !s.away[i] {
				m.Update() // an error is the end of it
			}
		}
		for _, v := range s.viewers {
			if v.err == nil {
				_, v.err = v.Update()
				v.events = append(v.events, v.Events()...)
			}
		}
	}
}

// Rule: a spectator gets the event that a player has joined, also through the public API; the summary of each match has
// its number, also for a spectator that comes in the second one; and when everything has ended normally, nothing in the
// log is a warning or an error.
func TestLogOfASpectator(t *testing.T) {
	s := &show{T: t, hall: newHall(), token: tickback.NewToken()}
	var log bytes.Buffer // of a player
	s.host = &patientDoor{door: s.hall.door()}
	other := s.hall.door()
	for i, d := range []tickback.Transport{s.host, other} {
		o := tickback.Options[counter, uint32]{
			Transport: d, OnLeave: tickback.Continue, Reserved: tickback.SetOf(2), Lobby: true,
			Peers:      []tickback.Peer{{Players: tickback.SetOf(tickback.Player(1 - i)), Addr: []netip.AddrPort{other.here, s.host.here}[i]}},
			Spectators: tickback.Spectators{Max: 4},
		}
		if i == 1 {
			o.Log = slog.New(slog.NewJSONHandler(&log, nil))
		}
		s.play(o)
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	first := s.watch()
	s.run(time.Second)
	propose := func() {
		t.Helper()
		check(s.players[0].Propose(tickback.Parameters{Frames: 300}))
		s.run(200 * time.Millisecond)
		check(s.players[1].Accept()) // a player who has joined accepts by itself
		check(s.players[1].Ready())
	}
	propose()
	s.run(time.Second)
	third := s.play(tickback.Options[counter, uint32]{
		Local: tickback.SetOf(2), Transport: s.hall.door(), OnLeave: tickback.Continue,
	}, s.host.here)
	s.run(8 * time.Second)
	joined := told(t, third, tickback.Joined)
	var heard []tickback.Event
	for _, e := range first.events {
		if e.What == tickback.Joined || e.What == tickback.Left {
			heard = append(heard, e)
		}
	}
	if len(heard) != 1 || heard[0].What != tickback.Joined || heard[0].Players != tickback.SetOf(2) || heard[0].Frame != joined.Frame || joined.Frame == 0 {
		t.Errorf("the spectator has heard %v, the newcomer %v", heard, joined)
	}
	propose()
	s.run(time.Second)
	second := s.watch()
	s.run(8 * time.Second)
	s.away[0], s.host.meanwhile = true, func() { s.run(20 * time.Millisecond) }
	check(s.players[0].Close())
	s.run(40 * time.Second)

	for v, matches := range map[*viewing][]float64{first: {1, 2}, second: {2}} {
		if !errors.Is(v.err, tickback.ErrEnd) {
			t.Errorf("it is over with %v", v.err)
		}
		var numbers []float64
		list := records(t, &v.log)
		for _, r := range list {
			if r["msg"] == "summary" {
				numbers = append(numbers, r["match"].(float64))
			}
		}
		if len(numbers) != len(matches) || numbers[0] != matches[0] || numbers[len(numbers)-1] != matches[len(matches)-1] {
			t.Errorf("the summaries are of the matches %v, want %v", numbers, matches)
		}
		harmless(t, list)
	}
	list := records(t, &log)
	find(t, list, "closed") // since the host has left
	harmless(t, list)
}

// harmless fails if a record is a warning or an error.
func harmless(t *testing.T, list []map[string]any) {
	t.Helper()
	for _, r := range list {
		if r["level"] != "INFO" {
			t.Errorf("%v", r)
		}
	}
}
