// Package server has the commands for matches that a server owns: serve, join and bots, below the command of each
// game that supports them.
package server
