// Package play has the command play, which serves the page of the games and the rooms.
package play
