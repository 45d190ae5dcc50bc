package tickback_test

import (
	"io"
	"testing"
	"time"

	"github.com/tickback/tickback"
)

// BenchmarkRecord measures a frame of a local match that is not recorded, and of one that is, at the speed of the
// slower of two goroutines: the one that plays and the one that writes.
func BenchmarkRecord(b *testing.B) {
	for _, c := range []struct {
		name string
		out  io.Writer
	}{{"Without", nil}, {"With", io.Discard}} {
		b.Run(c.name, func(b *testing.B) {
			w, n := newWatch(), uint32(0)
			o := tickback.Options[counter, uint32]{Players: 2, Record: c.out}
			o.Recording.Wait = true // it plays faster than any real match
			o.Advanced.Now = w.Now
			o.Sample = func(tickback.Player) uint32 { n++; return n / 6 }
			m, err := tickback.Local(counting, o)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := m.Advance(); err != nil {
					b.Fatal(err)
				}
				w.advance(time.Second / 60)
			}
			b.StopTimer()
			m.Close()
		})
	}
}
