// Package disk reads the files that a command is given and writes those that it makes: a
// pipe or a device never keeps a command from ending, and a file has its name only when it is
// whole.
package disk
