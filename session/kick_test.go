package session

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
)

// A kicked machine learns of it and why, immediately, even if the others need nobody's
// consent to go on; and all that remain go on.
func TestWhoIsKickedLearnsWhy(t *testing.T) {
	for _, players := range []int{2, 3} {
		tr := newTrio(t, players, func(c *Config) { c.OnLeave, c.Lobby = Continue, true })
		tr.reach(Playing)
		last := players - 1
		if err := tr.peers[0].Kick(rollback.SetOf(Player(last)), "rude"); err != nil {
			t.Fatal(err)
		}
		tr.run(DefaultLinger + time.Second)
		var removed *RemovedError
		if err := tr.peers[last].Err(); !errors.As(err, &removed) || !removed.Kicked || removed.Reason != "rude" {
			t.Errorf("of %d, who was kicked ends with %v", players, err)
		}
		if n := tr.count(last, Dropped) + tr.count(last, Left); n > 0 {
			t.Errorf("of %d, who was kicked has gone on without somebody: %v", players, tr.seen[last])
		}
		for i := range last {
			if o, over := tr.peers[i].Outcome(); !over || o.Frames != 100 {
				t.Errorf("of %d, peer %d is %v, with %+v", players, i, tr.peers[i].Phase(), o)
			}
		}
	}
}

// A newcomer that wants to become the host, and is not yet, kicks nobody, even if it does
// not follow the rules.
func TestAHostThatIsNoneYetKicksNobody(t *testing.T) {
	m := newMesh(t, 3, 0, nil)
	m.playing()
	m.nodes[0].down = true
	m.until("the drop", 5*time.Second, func() bool { _, c := m.nodes[2].saw(Dropped); return c == 1 })
	back := m.join(m.somewhere(), 0, addrOf(1))
	m.until("the way to the others", 5*time.Second, func() bool {
		return back.Phase() == Playing && !back.match.Log().Member() && back.links[1].state == connected
	})
	if err := back.Kick(0b100, "early"); !errors.Is(err, ErrPhase) {
		t.Errorf("the error is %v", err)
	}
	for _, l := range back.links {
		if err := l.Channel.Send(append(back.begins(messageKick), "early"...)); err != nil {
			t.Fatal(err)
		}
	}
	m.until("the return", 10*time.Second, func() bool { _, c := back.saw(Joined); return c == 1 })
	m.run(3 * time.Second)
	for _, n := range m.nodes[1:] {
		if n.Phase() != Playing || len(n.Log()) == 0 || n.Log()[len(n.Log())-1].Kind != EntryJoin {
			t.Errorf("%v: %v, log %v", n.addr, n.Phase(), n.Log())
		}
	}
}

// A kicked player does not come back with the token that it knows: not at the host, not at
// another machine, not as another player, and not when the host has gone in the meantime.
// It learns why from a typed error. With another token, anyone who knows it can join.
func TestAKickRevokesTheToken(t *testing.T) {
	m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match.Frames = 3000 })
	m.playing()
	if err := m.nodes[0].Kick(0b100, "rude"); err != nil {
		t.Fatal(err)
	}
	m.until("the end of who was kicked", 5*time.Second, func() bool { return m.nodes[2].Phase() == Over })
	refused := func(player int, hosts ...netip.AddrPort) {
		t.Helper()
		back := m.join(m.somewhere(), player, hosts...)
		m.until("the refusal", 5*time.Second, func() bool { return back.Phase() == Over })
		var e *JoinError
		if err := back.Err(); !errors.As(err, &e) || !e.Revoked || !strings.Contains(err.Error(), "revoked") {
			t.Errorf("player %d at %v: %v", player, hosts, err)
		}
		back.down = true
	}
	refused(2, addrOf(0))
	refused(2, addrOf(1), addrOf(0))
	refused(3, addrOf(1)) // a place that is free
	m.nodes[0].Leave("enough")
	m.until("the host's leave", 5*time.Second, func() bool { return m.nodes[0].Phase() == Over })
	refused(2, addrOf(1))
	refused(0, addrOf(1))
	if _, n := m.nodes[1].saw(Revoked); n != 1 {
		t.Errorf("%d times revoked", n)
	}
	if err := m.nodes[1].SetToken([]byte("short")); err == nil {
		t.Error("a token of five bytes is taken")
	}
	if err := m.nodes[1].SetToken([]byte("another token, for friends")); err != nil {
		t.Fatal(err)
	}
	refused(2, addrOf(1))
	friend := m.joinWith([]byte("another token, for friends"), m.somewhere(), 3, addrOf(1))
	m.until("the friend", 10*time.Second, func() bool { _, n := friend.saw(Joined); return n == 1 })
}

// A machine may have the new token before it hears of the kick that led to it: the message
// names the token that was valid then, and does not revoke the new one.
func TestTheNewTokenMayComeBeforeTheNewsOfTheKick(t *testing.T) {
	m := newMesh(t, 3, 0, func(_ int, c *Config) { c.Match.Frames = 3000 })
	m.playing()
	later := []byte("another token, for friends")
	if err := m.nodes[1].SetToken(later); err != nil {
		t.Fatal(err)
	}
	if err := m.nodes[0].Kick(0b100, "rude"); err != nil {
		t.Fatal(err)
	}
	if err := m.nodes[0].SetToken(later); err != nil {
		t.Fatal(err)
	}
	m.until("the end of who was kicked", 5*time.Second, func() bool { return m.nodes[2].Phase() == Over })
	m.run(500 * time.Millisecond)
	for i, n := range m.nodes[:2] {
		if !n.audience.Invitation().Good() {
			t.Errorf("machine %d: the new token is revoked", i)
		}
	}
	friend := m.joinWith(later, m.somewhere(), 2, addrOf(1))
	m.until("the friend", 10*time.Second, func() bool { _, n := friend.saw(Joined); return n == 1 })
	if err := m.nodes[0].Kick(0b010, "rude, too"); err != nil {
		t.Fatal(err)
	}
	m.until("the end of the second one", 5*time.Second, func() bool { return m.nodes[1].Phase() == Over })
	if m.nodes[0].audience.Invitation().Good() {
		t.Error("the second kick revokes nothing")
	}
}

// A token that was set since is not revoked by a late message about a kick; another kick
// revokes it.
func TestLateNewsOfAKickRevokesNothing(t *testing.T) {
	m := newMesh(t, 3, 0, func(_ int, c *Config) { c.Match.Frames = 3000 })
	m.playing()
	if err := m.nodes[0].Kick(0b100, "rude"); err != nil {
		t.Fatal(err)
	}
	m.run(500 * time.Millisecond)
	host, other := m.nodes[0], m.nodes[1]
	if err := host.SetToken(meshToken); err != nil {
		t.Fatal(err)
	}
	other.post(other.at[0], le.AppendUint64(append(other.begins(messageRevoke), 0b100), 0))
	m.run(500 * time.Millisecond)
	if !host.audience.Invitation().Good() {
		t.Error("the new token was revoked")
	}
	other.post(other.at[0], le.AppendUint64(append(other.begins(messageRevoke), 0b010), 0))
	m.run(500 * time.Millisecond)
	if host.audience.Invitation().Good() {
		t.Error("another kick does not revoke it")
	}
}

// A kicked machine cannot revoke a token that the others have set since, whatever it
// sends.
func TestWhoIsSentAwayRevokesNothing(t *testing.T) {
	m := newMesh(t, 3, 0, func(_ int, c *Config) { c.Match.Frames = 3000 })
	m.playing()
	host := m.nodes[0]
	kicked := host.at[2]
	if err := host.Kick(0b100, "rude"); err != nil {
		t.Fatal(err)
	}
	if err := host.SetToken([]byte("another token, for friends")); err != nil {
		t.Fatal(err)
	}
	for _, moment := range []string{"before it has gone", "afterwards"} {
		if err := host.receiveMessage(kicked, le.AppendUint64(append(host.begins(messageRevoke), 0b010), 0)); err != nil {
			t.Fatal(err)
		}
		if !host.audience.Invitation().Good() {
			t.Fatalf("the new token was revoked %s", moment)
		}
		m.run(2 * time.Second)
	}
	if kicked.state != gone {
		t.Errorf("who was kicked is %v", kicked.state)
	}
}

// The messages about two kicks in a row name the token that was valid before both: neither
// revokes one that was set since.
func TestTheNewTokenMayComeBeforeTheNewsOfTwoKicks(t *testing.T) {
	m := newMesh(t, 4, 0, func(_ int, c *Config) { c.Match.Frames = 3000 })
	m.playing()
	later := []byte("another token, for friends")
	if err := m.nodes[1].SetToken(later); err != nil {
		t.Fatal(err)
	}
	for _, players := range []PlayerSet{0b100, 0b1000} {
		if err := m.nodes[0].Kick(players, "rude"); err != nil {
			t.Fatal(err)
		}
	}
	m.until("the end of those who were kicked", 5*time.Second, func() bool {
		return m.nodes[2].Phase() == Over && m.nodes[3].Phase() == Over
	})
	m.run(500 * time.Millisecond)
	if !m.nodes[1].audience.Invitation().Good() {
		t.Error("the new token is revoked")
	}
	if m.nodes[0].audience.Invitation().Good() {
		t.Error("the old token is good")
	}
}
