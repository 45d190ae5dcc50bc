// Package sound makes the sounds of the games from oscillators, noise and envelopes, and plays them according to the
// journal of effects alone.
//
//   - [Patch] describes a sound, as a list of [Layer].
//   - [Mixer] mixes sounds, and provides samples to an audio device.
//   - [Director] plays what a journal says. It knows which effect has which voice, so that none is heard
//     twice, and one that never happened fades.
//   - [Swing], [Hit] and others are a library of patches.
//
// Nothing here uses a device. One goroutine may read a mixer while another plays on it.
package sound
