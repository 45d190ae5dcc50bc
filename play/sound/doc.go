// Package sound makes the sounds of the games, from oscillators, noise and envelopes,
// and plays them by the journal of effects alone.
//
//   - Describe a sound: [Patch], a list of [Layer].
//   - Mix: [Mixer], which gives samples to whatever plays them.
//   - Let a journal drive it: [Director], which knows which effect is which voice, so
//     that one that was shown is never heard again, and one that never happened fades.
//   - A library of patches: [Swing], [Hit] and others.
//
// Nothing here knows of a device. A mixer may be read by one goroutine while another
// one plays on it.
package sound
