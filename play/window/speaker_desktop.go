//go:build desktop && !js

package window

import (
	"fmt"
	"io"

	"github.com/ebitengine/oto/v3"

	"github.com/tickback/tickback/play/sound"
)

// speaker plays a stream. It does not use Ebitengine's own audio, which ends the game if there is no sound device, or
// if it disappears.
type speaker struct {
	context *oto.Context
	player  *oto.Player
	told    bool
}

// listen opens the sound device and starts playing.
func listen(stream io.Reader) (*speaker, error) {
	const channels, size = 2, 4
	context, _, err := oto.NewContext(&oto.NewContextOptions{
		SampleRate: sound.Rate, ChannelCount: channels, Format: oto.FormatFloat32LE, BufferSize: latency,
	})
	if err != nil {
		return nil, fmt.Errorf("no sound: %w", err)
	}
	s := &speaker{context: context, player: context.NewPlayer(stream)}
	s.player.SetBufferSize(int(latency.Seconds()*sound.Rate) * channels * size)
	s.player.Play()
	return s, nil
}

// problem returns the reason why there is no sound, but only once, and otherwise nil. The device is opened, and may
// be lost, while pictures are drawn.
func (s *speaker) problem() error {
	if s.told {
		return nil
	}
	err := s.context.Err()
	if err == nil {
		return nil
	}
	s.told = true
	return fmt.Errorf("no sound: %w", err)
}
