// Package mirror is what a screen says to those who cannot see the picture: a list of its texts and widgets, and what
// has just happened. A page makes elements of it, which assistive technology reads and operates; what is done with them
// comes back as [Act]s.
//
// A [Mirror] is described ten times a second, not with each picture, and says nothing as long as nothing changes.
package mirror
