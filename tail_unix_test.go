//go:build unix

package tickback_test

import (
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/transport/udp"
)

// disturbed is a real match for two over loopback whose first machine is measured, while a game does what games
// do: it allocates 1 MB a second, the match is recorded, a spectator comes every five seconds, and after a third
// of the time the machines get different states, which they then explain.
type disturbed struct {
	tb     testing.TB
	ends   [2]*udp.Conn
	stop   chan struct{}
	waste  [64][]byte // what the game holds for a second
	frames int
}

func (d *disturbed) start(me int, desyncAt uint64, record *os.File) *tickback.Match[nearlyEmpty, uint32] {
	game := nearlyEmpty{}.game()
	step := game.Step
	game.Step = func(s *nearlyEmpty, t *rollback.Tick[uint32]) {
		if step(s, t); me == 1 && uint64(t.Frame()) == desyncAt {
			s.Sum++
		}
	}
	o := tickback.Options[nearlyEmpty, uint32]{
		Transport: d.ends[me], Peers: tickback.Mesh(tickback.Player(me), d.ends[1-me].LocalAddr()),
		Spectators: tickback.Spectators{Max: 4},
		Sample:     func(p tickback.Player) uint32 { return uint32(time.Now().UnixMilli()/150+int64(p)) % 16 },
	}
	if record != nil {
		o.Record = record
	}
	m, err := tickback.P2P(game, o)
	if err != nil {
		d.tb.Fatal(err)
	}
	return m
}

// other plays the second machine until it is told to stop.
func (d *disturbed) other(m *tickback.Match[nearlyEmpty, uint32]) {
	for wait := time.Duration(0); ; m.Wait(wait) {
		select {
		case <-d.stop:
			_ = m.Close()
			return
		default:
		}
		wait, _ = m.Update()
	}
}

// watch has a spectator come, see two seconds and go, again and again.
func (d *disturbed) watch() {
	for {
		select {
		case <-d.stop:
			return
		case <-time.After(3 * time.Second):
		}
		conn, err := udp.ListenPolled("127.0.0.1:0")
		if err != nil {
			return
		}
		s, err := tickback.Spectate(nearlyEmpty{}.game(), tickback.SpectatorOptions[nearlyEmpty, uint32]{
			Hosts: []netip.AddrPort{d.ends[0].LocalAddr()}, Transport: conn,
		})
		if err != nil {
			return
		}
		for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
			wait, err := s.Update()
			if err != nil {
				break
			}
			s.Wait(wait)
		}
		_ = s.Close()
	}
}

// play measures Update of the first machine whenever a frame has run, and returns how long each took.
func (d *disturbed) play(length time.Duration) (took []time.Duration, reported bool) {
	for i := range d.ends {
		c, err := udp.ListenPolled("127.0.0.1:0")
		if err != nil {
			d.tb.Fatal(err)
		}
		d.ends[i] = c
	}
	file, err := os.Create(filepath.Join(d.tb.TempDir(), "match.tbr"))
	if err != nil {
		d.tb.Fatal(err)
	}
	defer file.Close()
	desyncAt := uint64(length/3) * 60 / uint64(time.Second)
	m := d.start(0, desyncAt, file)
	d.stop = make(chan struct{})
	go d.other(d.start(1, desyncAt, nil))
	go d.watch()
	frame, seconds := tickback.Frame(0), time.Now()
	for end := time.Now().Add(length); time.Now().Before(end); {
		begin := time.Now()
		wait, err := m.Update()
		spent := time.Since(begin)
		if err != nil {
			d.tb.Fatal(err)
		}
		if f := m.View().Frame; f != frame && begin.Sub(seconds) > time.Second {
			took, frame = append(took, spent), f
			for range 17 { // 1 MB a second
				d.waste[d.frames%len(d.waste)] = make([]byte, 1000)
				d.frames++
			}
		}
		for _, e := range m.Events() {
			reported = reported || e.What == tickback.Reported
		}
		m.Wait(wait)
	}
	close(d.stop)
	_ = m.Close()
	return took, reported
}

// BenchmarkTail is how long Update of a machine takes in the frames of a real match, at the median and beyond.
func BenchmarkTail(b *testing.B) {
	var all []time.Duration
	for b.Loop() {
		took, reported := (&disturbed{tb: b}).play(60 * time.Second)
		all = append(all, took...)
		if !reported {
			b.Error("the machines differ, and nobody reports it")
		}
	}
	slices.Sort(all)
	at := func(share float64) float64 { return float64(all[int(share*float64(len(all)-1))].Nanoseconds()) / 1000 }
	b.ReportMetric(float64(len(all)), "frames")
	b.ReportMetric(at(0.5), "p50-us")
	b.ReportMetric(at(0.99), "p99-us")
	b.ReportMetric(at(0.999), "p99.9-us")
	b.ReportMetric(at(1), "worst-us")
	b.ReportMetric(0, "ns/op")
}
