package replay_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
)

// Rule: for any file, the tools end without a panic; and a file that is OK has the frames
// and the states that it claims.
func FuzzTools(f *testing.F) {
	m := worldMatch(150)
	f.Add(record(f, m))
	m.header.First = 70
	f.Add(record(f, m))
	m.cut = true
	f.Add(record(f, m))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := openQuietly(b)
		if err != nil || r.Next()-r.First() > 5000 {
			return
		}
		v, err := replay.Verify(t.Context(), r, m.game, replay.VerifyOptions{Workers: 1})
		if err == nil && v.OK() && (v.Frames != r.Next()-r.First() || !v.LastKnown) {
			t.Errorf("OK: %+v", v)
		}
		if s, err := replay.Measure(t.Context(), r); err != nil || s.Damage == nil && len(s.Players) != r.Header().Shape.Players {
			t.Errorf("%+v, %v", s, err)
		}
		if c, err := replay.Compare(t.Context(), r, r); err == nil && (len(c.Header) > 0 || c.Frame != nil || c.Hash != nil) {
			t.Errorf("it differs from itself: %+v", c)
		}
		_ = replay.Cut(t.Context(), io.Discard, r, m.game, r.First()+(r.Next()-r.First())/2, r.Next())
		var joined bytes.Buffer
		if replay.Join(t.Context(), &joined, []*tbr.Reader{r}, m.game) == nil {
			if again, err := openQuietly(joined.Bytes()); err != nil || again.Next() != r.Next() {
				t.Errorf("what was joined cannot be read: %v", err)
			}
		}
	})
}
