// Package clitest runs the command line in tests: a toy game, and matches with the commands of several processes in
// one.
package clitest
