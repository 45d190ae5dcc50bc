package sound

import "github.com/tickback/tickback/rollback/effects"

// Speaker is what a director plays on; [Mixer] is one.
type Speaker interface {
	Play(p *Patch, pan, gain, late float64) Voice
	Fade(v Voice)
}

// Cue is the sound of an effect.
type Cue struct {
	Patch *Patch // nil means silence
	Pan   float64
	Gain  float64
}

// effectID identifies an effect in the presentation; see [effects.Event].
type effectID struct {
	kind  uint8
	key   uint32
	frame effects.Frame
}

// sounding is an effect whose sound was started.
type sounding struct {
	id    effectID
	voice Voice
	lasts bool
}

const (
	// maxSounding limits how many effects a director tracks. The oldest is dropped; its sound plays to its end.
	maxSounding = 256
	// maxLate is the maximum delay of the beginning of a sound, in seconds.
	maxLate = 0.25
)

// Director plays the sounds of effects. It needs every event of a journal, and nothing else: an effect that has
// Started sounds, once; one that was Cancelled or has Ended fades; one that has Moved continues under another name.
type Director struct {
	speaker Speaker
	rate    float64 // frames per second
	cue     func(e *effects.Event) Cue
	on      []sounding
}

// NewDirector returns a director for a game with this many frames per second. cue returns the sound of an effect that
// starts.
func NewDirector(s Speaker, rate float64, cue func(e *effects.Event) Cue) *Director {
	return &Director{speaker: s, rate: rate, cue: cue}
}

// Hear handles an event.
func (d *Director) Hear(e *effects.Event) {
	switch e.What {
	case effects.Started:
		d.start(e)
	case effects.Moved:
		if i := d.find(e, e.From); i >= 0 {
			d.on[i].id.frame = e.Frame
		}
	case effects.Ended, effects.Cancelled:
		if i := d.find(e, e.From); i >= 0 {
			d.speaker.Fade(d.on[i].voice)
			d.forget(i)
		}
	case effects.Confirmed:
		// A one-shot effect has no further events; one that lasts will still end.
		if i := d.find(e, e.Frame); i >= 0 && !d.on[i].lasts {
			d.forget(i)
		}
	}
}

// Stop fades out everything, because the match is over or another one begins.
func (d *Director) Stop() {
	for _, s := range d.on {
		d.speaker.Fade(s.voice)
	}
	d.on = d.on[:0]
}

func (d *Director) start(e *effects.Event) {
	c := d.cue(e)
	late := float64(e.Late) / d.rate
	if c.Patch == nil || !c.Patch.Lasts && late > maxLate {
		return
	}
	v := d.speaker.Play(c.Patch, c.Pan, c.Gain, late)
	if v == 0 {
		return
	}
	if len(d.on) == maxSounding {
		d.forget(0)
	}
	d.on = append(d.on, sounding{effectID{e.Kind, e.Key, e.Frame}, v, c.Patch.Lasts})
}

// find returns the index of the effect that an event is about, given the frame it had, or -1.
func (d *Director) find(e *effects.Event, at effects.Frame) int {
	want := effectID{e.Kind, e.Key, at}
	for i := range d.on {
		if d.on[i].id == want {
			return i
		}
	}
	return -1
}

func (d *Director) forget(i int) { d.on = append(d.on[:i], d.on[i+1:]...) }
