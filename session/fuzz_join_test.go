package session

import (
	"testing"
	"time"
)

// Whatever the machine that we ask says about who plays, we know either all of the
// players, or none; and nothing that follows panics or hangs.
func FuzzMeet(f *testing.F) {
	m := newMesh(f, 3, 0b100, nil)
	m.playing()
	roll := rollOf(m.nodes[0])
	f.Add(roll)
	f.Add(roll[:len(roll)-3])
	for _, at := range []int{4, 5, 8, 26, 40, len(roll) - 8, len(roll) - 1} {
		b := append([]byte(nil), roll...)
		b[at] ^= 0x85
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := newMesh(t, 3, 0b100, func(_ int, c *Config) { c.ConnectTimeout, c.Match.Frames = time.Second, 400 })
		m.playing()
		m.run(100 * time.Millisecond)
		n := m.join(m.somewhere(), 2, addrOf(1))
		m.until("the match", 5*time.Second, func() bool { return n.phase == Starting })
		n.receiveMemberList(data)
		all := PlayerSet(0)
		for _, l := range n.links {
			if l.players == 0 || l.players&(all|n.cfg.Local) != 0 || l.players&^n.cfg.everybody() != 0 {
				t.Fatalf("links to %v and %v", all, l.players)
			}
			all |= l.players
		}
		if len(n.links) > 0 && all != n.lateJoin.told.All() {
			t.Fatalf("links to %v of %v", all, n.lateJoin.told.All())
		}
		m.run(200 * time.Millisecond)
		n.Leave("")
		m.until("its end", 5*time.Second, func() bool { return n.Phase() == Over })
		if o := m.nodes[0]; o.Phase() == Over || o.Stats(nil).Stalls > 10 {
			t.Fatalf("the match is disturbed: %v, %v", o.Phase(), o.Err())
		}
	})
}

// Whatever a survivor fills in for a machine that is gone, nothing that is confirmed
// changes, and either the match goes on or the survivor is given up.
func FuzzFill(f *testing.F) {
	f.Add([]byte{2, 0, 0, 0, 0}, uint8(0))
	f.Add([]byte{2, 0, 0, 0, 0, 0, 0, 7, 0}, uint8(1))
	f.Add([]byte{2, 0, 0, 0, 0, 1, 0, 7, 0, 9, 255, 255, 7, 0}, uint8(3))
	f.Add([]byte{1, 255, 255, 255, 255, 0, 0, 7, 0}, uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, ahead uint8) {
		tr := newTrio(t, 3, func(c *Config) {
			shortWaits(c)
			c.OnLeave, c.Lobby, c.QuorumTimeout = Continue, true, time.Second
		})
		tr.reach(Playing)
		m := tr.peers[0]
		tr.forge = func(from, _ int, b []byte) []byte {
			if from == 2 {
				return nil
			}
			return b
		}
		m.match.Log().MarkGone(0b100)
		m.pollLog()
		confirmed, agreed := m.sim.Confirmed(), m.sim.Agreed()
		if len(data) >= 5 {
			le.PutUint32(data[1:], uint32(m.sim.Next(2))+uint32(ahead)%3)
		}
		if err := m.receiveFill(m.at[1], data); err != nil {
			m.lose(m.at[1], err.Error())
		}
		if m.sim.Confirmed() < confirmed || m.sim.Agreed() < agreed {
			t.Fatalf("confirmed %d of %d, agreed %d of %d", m.sim.Confirmed(), confirmed, m.sim.Agreed(), agreed)
		}
		tr.run(5 * time.Second)
		for i, p := range tr.peers[:2] {
			if ph := p.Phase(); ph != Over && ph != Lobby {
				t.Fatalf("peer %d hangs: %v, frame %d, %v", i, ph, p.Frame(), tr.seen[i])
			}
		}
	})
}
