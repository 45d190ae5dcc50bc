package words_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/words"
)

// Rule: a rate is formatted in a unit in which it is not zero.
func TestSpeed(t *testing.T) {
	for _, c := range []struct {
		frames uint32
		took   time.Duration
		want   string
	}{
		{0, time.Second, "-"},
		{5, 0, "-"},
		{22_400_000, time.Second, "22.4 Mframes/s"},
		{100_000, time.Second, "0.1 Mframes/s"},
		{24_000, time.Second, "24 kframes/s"},
		{5, time.Second, "1 kframes/s"},
	} {
		if got := words.Speed(c.frames, c.took); got != c.want {
			t.Errorf("%d frames in %v: %s, want %s", c.frames, c.took, got, c.want)
		}
	}
}
