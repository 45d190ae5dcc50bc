// Package mirror describes a screen for people who cannot see the picture: a list of its texts and widgets, and what
// has just happened. A page makes elements from it, which assistive technology reads and operates; actions on them
// are returned as [Act]s.
//
// A [Mirror] is described ten times a second, not with each picture, and does not report anything as long as nothing
// changes.
package mirror
