// Package room is the console between people who meet in a room: in a page and in a window, which can play with each other.
// Each of these provides a [Screen].
package room
