package classic_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/classic/rbn1"
)

// What cannot be true is counted, by kind, and changes nothing.
func TestImplausiblePacketsAreIgnored(t *testing.T) {
	s := playing(t, nil)
	s.wait(200 * time.Millisecond)
	s.from(joinAt, packet(0, 12, 3, 1))
	before := s.m.Stats()
	text := func(b string) string { return b }
	for _, c := range []struct {
		name     string
		datagram string
		counter  func(i *classic.Ignored) *uint64
	}{
		{"garbage", text("hello"), func(i *classic.Ignored) *uint64 { return &i.Malformed }},
		{"nothing", text(""), func(i *classic.Ignored) *uint64 { return &i.Malformed }},
		{"text with more", text("HELLO\n"), func(i *classic.Ignored) *uint64 { return &i.Malformed }},
		{"cut", packet(12, 3, 3, 1)[:18], func(i *classic.Ignored) *uint64 { return &i.Malformed }},
		{"answer to a joiner", packet(12, 33-1, 3, 1)[:3], func(i *classic.Ignored) *uint64 { return &i.Malformed }},
		{"gap", packet(13, 1, 3, 1), func(i *classic.Ignored) *uint64 { return &i.Ahead }},
		{"far ahead", packet(1_000_000, 32, 3, 1), func(i *classic.Ignored) *uint64 { return &i.Ahead }},
		{"wrapping", packet(0xFFFFFFFA, 32, 3, 1), func(i *classic.Ignored) *uint64 { return &i.Ahead }},
		{"acknowledges the next", packet(12, 1, 12, 1), func(i *classic.Ignored) *uint64 { return &i.BadAcks }},
		{"acknowledges far ahead", packet(12, 1, 0xFFFFFFFE, 1), func(i *classic.Ignored) *uint64 { return &i.BadAcks }},
		{"conflict", packet(11, 2, 5, 2), func(i *classic.Ignored) *uint64 { return &i.Conflicts }},
	} {
		sent := s.from(joinAt, c.datagram)
		got := s.m.Stats()
		want := before
		want.PacketsReceived++
		want.BytesReceived += uint64(len(c.datagram))
		*c.counter(&want.Ignored)++
		if got.Ignored != want.Ignored || got.PacketsReceived != want.PacketsReceived || got.BytesReceived != want.BytesReceived {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
		if got.Confirmed != before.Confirmed || got.Acked != before.Acked || sent != nil {
			t.Errorf("%s: it had an effect", c.name)
		}
		before = got
	}
	s.from(joinAt, packet(12, 32, 5, 1)) // the match goes on
	s.from(joinAt, packet(10, 1, 3, 1))  // this one has been overtaken
	if st := s.m.Stats(); st.Acked != 6 || s.m.Phase() != classic.Playing || st.Ignored != before.Ignored {
		t.Errorf("%+v", st)
	}
	if p := decode(t, s.wait(20 * time.Millisecond)[0]); p.StartFrame != 6 || p.AckFrame != 43 {
		t.Errorf("%+v", p.Header)
	}
}

// A packet that was on its way for long is no sign of life, nor are true ones that
// bring nothing new.
func TestOldNewsIsNoSignOfLife(t *testing.T) {
	s := playing(t, nil)
	for f := uint32(0); f < 600; f++ {
		ack := f - 1
		if f == 0 {
			ack = rbn1.NoFrame
		}
		s.wait(time.Second / 60)
		s.from(joinAt, packet(f, 1, ack, 1))
	}
	frame := s.m.Frame()
	if frame < 590 {
		t.Fatalf("only frame %d", frame)
	}
	for range 60 {
		s.wait(100 * time.Millisecond)
		s.from(joinAt, packet(0, 32, rbn1.NoFrame, 0))
		s.from(joinAt, packet(599, 1, 598, 1))
	}
	if !is(s.m.Err(), classic.ErrLost) || s.m.Stats().Ignored.Stale == 0 {
		t.Errorf("%v, %+v", s.m.Err(), s.m.Stats().Ignored)
	}
}

// A side that is slow takes no more inputs than it has room for, and acknowledges
// no more; the rest comes again.
func TestFastPeerHasToWait(t *testing.T) {
	s := playing(t, func(c *config) { c.TickRate = 1 })
	first, most := uint32(0), uint32(0)
	for second := range uint32(300) {
		got := s.wait(time.Second)
		if len(got) != 1 {
			t.Fatalf("after %d s: %d packets, %v", second, len(got), s.m.Err())
		}
		p := decode(t, got[0])
		if first = p.AckFrame + 1; second == 20 {
			most = first
		}
		s.from(joinAt, packet(first, 32, p.StartFrame+uint32(len(p.Buttons))-1, 1))
	}
	if i := s.m.Stats().Ignored; i != (classic.Ignored{}) {
		t.Errorf("%+v", i)
	}
	if frame := uint32(s.m.Frame()); frame != 300 || most < 2*rbn1.MaxInputs || first < frame || first > frame+512 {
		t.Errorf("frame %d; inputs of the other side: %d after 20 s, %d now", frame, most, first)
	}
}

// Inputs beyond the end are left out, from the first one on; those before count.
func TestInputsBeyondTheEnd(t *testing.T) {
	for frames, beyond := range map[uint32]uint64{5: 0, 6: 1, 9: 1} {
		s := playing(t, func(c *config) { c.Frames = 5 })
		s.wait(200 * time.Millisecond)
		s.from(joinAt, packet(0, frames, 4, 1))
		s.wait(20 * time.Millisecond)
		if st := s.m.Stats(); st.Ignored.Beyond != beyond || st.Confirmed != 5 || s.m.Phase() != classic.Lingering {
			t.Errorf("%d frames: %v, %+v", frames, s.m.Phase(), st)
		}
	}
}
