//go:build desktop && !js

package speaker

import (
	"fmt"
	"time"

	"github.com/ebitengine/oto/v3"
)

// latency is how late the device plays what it reads.
const latency = 40 * time.Millisecond

// Device plays a queue by the sound device of this machine.
type Device struct {
	context *oto.Context
	player  *oto.Player
}

// Open plays a queue of so many samples a second. An error says why there is no sound; the device may also say so later:
// see [Device.Err]. A program can open one device only.
func Open(q *Queue, rate int) (*Device, error) {
	context, _, err := oto.NewContext(&oto.NewContextOptions{SampleRate: rate, ChannelCount: 1, Format: oto.FormatFloat32LE, BufferSize: latency})
	if err != nil {
		return nil, fmt.Errorf("no sound: %w", err)
	}
	d := &Device{context: context, player: context.NewPlayer(q)}
	d.player.SetBufferSize(int(latency.Seconds()*float64(rate)) * 4)
	d.player.Play()
	return d, nil
}

// Err says why there is no sound, if so: the device is opened in the background, and may be lost.
func (d *Device) Err() error {
	if err := d.context.Err(); err != nil {
		return fmt.Errorf("no sound: %w", err)
	}
	return nil
}
