// Package soak has the command soak: it plays matches of the fleet, between peers or at a server, counts events,
// shrinks failing matches, and can store the results in a folder.
package soak
