package session

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// newcomer makes a newcomer known to all members; it is not in the match yet.
func (m *mesh) newcomer(player int, host *node) *node {
	m.Helper()
	n := m.join(m.somewhere(), player, host.addr)
	for range 500 {
		known := true
		for _, o := range m.nodes {
			if o == n || o.down || o.Phase() == Over {
				continue
			}
			known = known && len(o.newcomers) == 1 && o.newcomers[0].state == connected
		}
		if known {
			return n
		}
		m.run(10 * time.Millisecond)
	}
	m.dump()
	m.Fatal("the newcomer is not known")
	return nil
}

// slander sends messages that a newcomer must not send before it is a member.
func slander(n *node, kind byte, body []byte) {
	for _, l := range n.links {
		if l.state == connected {
			_ = l.Channel.Send(append(le.AppendUint32([]byte{kind}, n.match.Number()), body...))
		}
	}
}

var slanders = [...][]byte{nil, {0}, slices.Repeat([]byte{0xff}, 40), make([]byte, 40), append([]byte{10, 0, 0, 0}, make([]byte, 8)...)}

// slandered are the kinds of messages that are tried: with -short, only those that once
// did harm.
func slandered() (kinds []byte) {
	if testing.Short() {
		return []byte{messageLeave, messageChain, messageKick}
	}
	for k := range byte(messageNewcomer + 3) {
		kinds = append(kinds, k)
	}
	return append(kinds, messageDesync, messageDesync+1, 255)
}

// Whatever a newcomer says that is about to join, the match goes on, healthy, and the
// next newcomer that wants the place gets it.
func TestANewcomerHasNoPartInTheMatchYet(t *testing.T) {
	for _, kind := range slandered() {
		for i, body := range slanders[shortly(2):] {
			m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.ChainEvery, c.Match.Frames = 10, 400 })
			m.playing()
			m.run(time.Second)
			n := m.newcomer(3, m.nodes[0])
			slander(n, kind, body)
			m.run(100 * time.Millisecond)
			n.down = true
			m.run(500 * time.Millisecond)
			back := m.join(m.somewhere(), 3, addrOf(1))
			m.until(fmt.Sprintf("the return after message %d with body %d", kind, i), 10*time.Second, func() bool { _, c := back.saw(Joined); return c == 1 })
			m.theEnd(60 * time.Second)
			for _, n := range append(m.nodes[:3:3], back) {
				if o, over := n.Outcome(); !over || o.Left != 0 || o.Health != Healthy {
					m.dump()
					t.Fatalf("message %d with body %d: %v, %+v", kind, i, over, o)
				}
			}
		}
	}
}

// A newcomer that wants the host's place can neither kick people nor end the match before
// it has the place.
func TestWhoWantsToBeTheHostIsNotYet(t *testing.T) {
	for _, kind := range slandered() {
		for i, body := range slanders[shortly(2):] {
			m := newMesh(t, 4, 0, func(_ int, c *Config) { c.ChainEvery, c.Match.Frames = 10, 400 })
			m.playing()
			m.run(time.Second)
			m.nodes[0].Leave("bye")
			m.until("the end of the host", 5*time.Second, func() bool { return m.nodes[0].Phase() == Over })
			m.run(500 * time.Millisecond)
			n := m.newcomer(0, m.nodes[1])
			slander(n, kind, body)
			m.run(100 * time.Millisecond)
			n.down = true
			m.theEnd(60 * time.Second)
			for _, n := range m.nodes[1:4] {
				if o, over := n.Outcome(); !over || o.Frames != 400 || o.Health != Healthy {
					m.dump()
					t.Fatalf("message %d with body %d: %v, %+v", kind, i, over, o)
				}
			}
		}
	}
}

// Messages of a newcomer about another match are ignored, even if they are too short; a
// message about the current match that is cut is an error.
func TestWhatANewcomerSaysOfAnotherMatch(t *testing.T) {
	m := newMesh(t, 4, 0b1000, func(_ int, c *Config) { c.Match.Frames = 0 })
	m.playing()
	m.run(time.Second)
	m.newcomer(3, m.nodes[0])
	host := m.nodes[0]
	c := host.newcomers[0]
	for _, kind := range []byte{messageMember, messageOrders, messageLeave} {
		if err := host.receiveNewcomer(c, about(kind, host.match.Number()+1)); err != nil || c.state != connected {
			t.Errorf("message %d of another match: %v", kind, err)
		}
		if err := host.receiveNewcomer(c, about(kind, host.match.Number())[:4]); err == nil {
			t.Errorf("message %d without a match is none", kind)
		}
	}
	if err := host.receiveNewcomer(c, about(messageMember, host.match.Number(), byte(0xFF))); err == nil {
		t.Error("a message of the log that is none")
	}
	if err := host.receiveNewcomer(c, about(messageOrders, host.match.Number())); err == nil {
		t.Error("orders for nobody are none")
	}
	if err := host.receiveNewcomer(c, about(messageLeave, host.match.Number(), NoFrame)); err != nil || c.state == gone || !c.said {
		t.Errorf("one that is in already, as it sees it, leaves: %v", err)
	}
	if err := host.receiveNewcomer(c, about(messageLeave, host.match.Number())); err != nil || c.state != gone {
		t.Errorf("it leaves: %v", err)
	}
}
