// Package server is the commands of matches that a server owns: serve, join and bots, below the
// command of each game that can be played so.
package server
