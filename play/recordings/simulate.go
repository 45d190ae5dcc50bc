package recordings

import (
	"bytes"
	"fmt"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
)

// Simulate records a match between bots, in virtual time: the same arguments return the same bytes. frames is the
// length of the match, 0 leaves it to the rules; a match that is not over after longest updates is an error.
func Simulate[S any, I comparable](
	game rollback.Game[S, I], players int, id string, seed uint64, frames tickback.Frame, about Info, o tickback.RecordOptions, longest int,
	bot func(tickback.Player, tickback.Frame, *S) I,
) ([]byte, error) {
	var out bytes.Buffer
	now := time.Unix(1_700_000_000, 0)
	options := about.Options()
	options.HashEvery, options.KeyframeEvery = o.HashEvery, o.KeyframeEvery
	var m *tickback.Match[S, I]
	m, err := tickback.Local(game, tickback.Options[S, I]{
		Players: players, GameID: id, Match: tickback.Parameters{Seed: seed, Frames: frames}, Record: &out, Recording: options,
		Sample: func(p tickback.Player) I {
			v := m.View()
			return bot(p, v.Frame, v.Current)
		},
		Advanced: tickback.Advanced{Now: func() time.Time { return now }},
	})
	if err != nil {
		return nil, err
	}
	for range longest {
		now = now.Add(time.Second / 60)
		if _, err := m.Update(); err != nil {
			return nil, err
		}
		if _, over := m.Outcome(); over {
			err := m.Close() // afterwards everything is written
			return out.Bytes(), err
		}
	}
	return nil, fmt.Errorf("recordings: the match of seed %d does not end", seed)
}
