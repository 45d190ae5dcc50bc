package console

import "github.com/fogleman/nes/nes"

// SampleRate is the number of samples in a second of sound.
const SampleRate = 44_100

// sampled has a console make samples, and none of them filtered: the filters have a memory, which frames that nobody hears
// would disturb.
func sampled(c *nes.Console) {
	c.SetAudioSampleRate(SampleRate)
	c.SetAudioSampleRate(0) // without filters; the rate stays
}

// ear hears the frames of a match that have not been heard. nil hears nothing.
type ear struct {
	hear    func(samples []float32)
	channel chan float32
	filters nes.FilterChain
	samples []float32
}

func newEar(hear func(samples []float32)) *ear {
	if hear == nil {
		return nil
	}
	const most = SampleRate / 30 // twice those of a frame
	return &ear{
		hear: hear, channel: make(chan float32, most), samples: make([]float32, 0, most),
		// Those of the console, as the emulator has them.
		filters: nes.FilterChain{nes.HighPassFilter(SampleRate, 90), nes.HighPassFilter(SampleRate, 440), nes.LowPassFilter(SampleRate, 14_000)},
	}
}

// step runs a frame of the console, and passes its sound on if it is to be heard.
func (e *ear) step(c *nes.Console, heard bool) {
	if e == nil || !heard {
		stepFrame(c) // without a channel, samples are dropped
		return
	}
	c.SetAudioChannel(e.channel)
	stepFrame(c)
	c.SetAudioChannel(nil)
	e.samples = e.samples[:0]
	for range len(e.channel) {
		e.samples = append(e.samples, e.filters.Step(<-e.channel))
	}
	e.hear(e.samples)
}
