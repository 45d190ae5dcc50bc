// Package play is the command play, which serves the page of the games and the rooms.
package play
