package window_test

import (
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/play/app"
)

// agreed fails if clients did not end with the same state, or if one of them is not healthy.
func agreed(t *testing.T, ends ...app.Status) {
	t.Helper()
	for i, e := range ends {
		if e.Outcome == nil || e.Verdict != "healthy" || e.Outcome.Checksum == "" || *e.Outcome != *ends[0].Outcome {
			t.Fatalf("client %d ends with %+v, %s; the first with %+v", i, e.Outcome, e.Verdict, ends[0].Outcome)
		}
	}
}

func hosts(s app.Status) bool { return s.Mode == "room" && len(s.Members) == 1 }

// together reports whether two are in the room, and connected to each other.
func together(s app.Status) bool {
	connected := 0
	for _, m := range s.Members {
		if m.Connection == "connected" {
			connected++
		}
	}
	return len(s.Members) == 2 && connected == 1
}

// Two programs play two rounds of a duel over UDP, and agree on their ends.
func TestTwoWindowsPlayADuel(t *testing.T) {
	s, at := display(t), address(t)
	ada := s.start("Ada", "-auto", "-seed", "5", "-host", at, "-search-port", "-1", "-frames", "310", "-matches", "2")
	ada.until("it hosts", hosts)
	bo := s.start("Bo", "-auto", "-join", at, "-matches", "2")
	a, b := ada.end(), bo.end()
	agreed(t, a, b)
	if a.Matches != 2 || b.Matches != 2 || a.Rounds != 2 || a.Wins != b.Wins || a.Seat != 0 || b.Seat != 1 {
		t.Errorf("they end with %+v and %+v", a, b)
	}
	t.Logf("the second round ends with frame %d, in state %s", a.Outcome.Frame, a.Outcome.Checksum)
}

// Of four players in the arena one is killed; the others continue, and agree.
func TestFourWindowsAndOneIsKilled(t *testing.T) {
	const frames = 1500
	s, at := display(t), address(t)
	clients := []*client{s.start("Ada", "-auto", "-seed", "5", "-host", at, "-search-port", "-1",
		"-game", "arena", "-players", "4", "-frames", "1500", "-matches", "1")}
	clients[0].until("it hosts", hosts)
	for _, name := range []string{"Bo", "Cy", "Dot"} {
		clients = append(clients, s.start(name, "-auto", "-join", at, "-matches", "1"))
	}
	for _, c := range clients {
		c.until("the match is on", func(s app.Status) bool { return s.Agreed.Frame > 60 })
	}
	cy := clients[2]
	if err := cy.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-cy.ended
	at2 := cy.now().Frame
	a, b, d := clients[0].end(), clients[1].end(), clients[3].end()
	agreed(t, a, b, d)
	if a.Outcome.Frame != frames || at2 >= frames || a.Players != 4 {
		t.Errorf("one was killed at frame %d, and the others end with %+v", at2, a)
	}
}

// A guest in a room is told when the host ends, and the host when a guest does.
func TestTheOthersAreTold(t *testing.T) {
	s, at := display(t), address(t)
	ada := s.start("Ada", "-host", at, "-search-port", "-1")
	ada.until("it hosts", hosts)
	bo := s.start("Bo", "-join", at)
	ada.until("both are there", together)
	bo.until("both are there", together)
	if got := bo.stop(); got.Mode != "room" || got.Seat != 1 {
		t.Errorf("the guest ends with %+v", got)
	}
	ada.until("the guest has gone", hosts)
	cy := s.start("Cy", "-join", at)
	cy.until("both are there", together)
	ada.stop()
	got := cy.until("it is told", func(s app.Status) bool { return s.Mode == "failed" })
	if !strings.HasPrefix(got.Message, "The host has left: ") {
		t.Errorf("the guest says %q", got.Message)
	}
	cy.stop()
}

// Each reason for not getting in has its message.
func TestMessagesOfTheLocalNetwork(t *testing.T) {
	s := display(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for says, flags := range map[string][]string{
		"Nobody hosts there: ":          {"-join", address(t)},
		"The port is in use: ":          {"-host", l.Addr().String()},
		"Nothing can be hosted there: ": {"-host", "192.0.2.77:7717"},
	} {
		c := s.start("Ada", flags...)
		got := c.until("it has failed", func(s app.Status) bool { return s.Mode == "failed" })
		if !strings.HasPrefix(got.Message, says) {
			t.Errorf("%q: %q", flags, got.Message)
		}
		c.stop()
	}
}

// The screens of the local network: the room, hosting and joining, with a host that was found automatically, and a
// failure.
func TestSeenOfTheLocalNetwork(t *testing.T) {
	s, at := display(t), address(t)
	_, port, err := net.SplitHostPort(address(t))
	if err != nil {
		t.Fatal(err)
	}
	arena := []string{"-host", at, "-search-port", port, "-game", "arena", "-players", "4"}
	for _, c := range []struct {
		name, scene string
		flags       []string
		before      func()
	}{
		{"lan-room", "room", arena, func() {}},
		{"lan-setup", "lan", []string{"-mode", "lan", "-search-port", port}, func() {
			s.start("Eve", arena...).until("it hosts", hosts)
			s.start("Bo", "-join", at).until("it is there", together)
		}},
		{"lan-failed", "failed", []string{"-join", address(t)}, func() {}},
	} {
		c.before()
		shot := filepath.Join(t.ArtifactDir(), c.name+".png")
		flags := append([]string{"-silent", "-forget", "-name", "Ada", "-pictures", "60", "-screenshot", shot, "-report", "json"}, c.flags...)
		if got := s.startWith(nil, c.name, flags...).end(); got.Mode != c.scene || len(got.Errors) > 0 {
			t.Errorf("%s: %+v", c.name, got)
		}
		if n := colours(t, shot); n < 60 {
			t.Errorf("%s has %d colours", c.name, n)
		}
	}
}
