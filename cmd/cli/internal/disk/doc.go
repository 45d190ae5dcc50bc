// Package disk reads and writes the files of commands: a pipe or a device never keeps a command from ending, and a
// file gets its name only when it is complete.
package disk
