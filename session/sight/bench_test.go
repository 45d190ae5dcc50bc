package sight_test

import (
	"testing"

	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
)

// BenchmarkTell measures the cost of a tick of 16 tanks to a server per client, with a baseline
// three ticks old: the share of adding the tick, and the update. It reports the bytes.
func BenchmarkTell(b *testing.B) {
	for _, c := range []struct {
		name string
		mood tanks.Mood
		look func(*tanks.State, rollback.Player) rollback.PlayerSet
	}{
		{"full/busy", tanks.Busy, nil},
		{"full/calm", tanks.Calm, nil},
		{"partial/busy", tanks.Busy, tanks.Sight},
		{"partial/calm", tanks.Calm, tanks.Sight},
	} {
		b.Run(c.name, func(b *testing.B) {
			const ticks = 1000
			m := newMatch(b, 1, c.mood, c.look)
			var inputs [ticks][]tanks.Input
			for i := range inputs {
				m.tick()
				inputs[i] = append([]tanks.Input(nil), m.inputs...)
			}
			var buffer []byte
			sent, updates := 0, 0
			for b.Loop() {
				t := m.truth
				t.Begin(0, &m.states[0], 0)
				for i := range inputs {
					t.Add(inputs[i], nil, 0, &m.states[i+1], 0)
					if i < 3 {
						continue
					}
					for p := range rollback.Player(players) {
						var err error
						if buffer, err = t.Append(buffer[:0], p, t.Newest()-3, false, 1100); err == nil {
							sent += len(buffer)
							updates++
						}
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(updates), "ns/update")
			b.ReportMetric(float64(sent)/float64(updates), "bytes/update")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkTake measures the cost of an update to the client.
func BenchmarkTake(b *testing.B) {
	for name, look := range map[string]func(*tanks.State, rollback.Player) rollback.PlayerSet{"full": nil, "partial": tanks.Sight} {
		b.Run(name, func(b *testing.B) {
			m := newMatch(b, 1, tanks.Busy, look)
			for range 60 {
				m.tick()
			}
			whole, err := m.truth.AppendWhole(nil, 1, m.run.Marshal)
			if err != nil {
				b.Fatal(err)
			}
			base := m.truth.Newest()
			for range 3 {
				m.tick()
			}
			update, err := m.truth.Append(nil, 1, base, false, 1100)
			if err != nil {
				b.Fatal(err)
			}
			k := m.mirror(1)
			for b.Loop() {
				k.Forget()
				if _, err := k.Whole(base, whole); err != nil {
					b.Fatal(err)
				}
				if _, err := k.Apply(m.truth.Newest(), update); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
