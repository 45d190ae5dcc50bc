// Package soak has the command soak: it plays matches of the fleet, between peers or at a server, counts what
// happens, shrinks failures, and can store the results in a folder.
package soak
