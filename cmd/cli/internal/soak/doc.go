// Package soak is the command soak: matches of the fleet, counted, shrunk, and kept in a folder.
package soak
