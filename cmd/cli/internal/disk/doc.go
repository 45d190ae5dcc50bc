// Package disk reads and writes the files of commands. A pipe or a device never prevents a command from ending, and a
// file gets its name only when it is complete.
package disk
