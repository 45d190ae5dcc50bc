// Package soak is the command soak: matches of the fleet, between peers or at a server, counted, shrunk,
// and kept in a folder.
package soak
