// Package commands has the tests of the commands as people use them: by the command line of a small game. They are in one
// package, since the command line is generic, and is compiled anew for the tests of each package that it
// imports. What a command's package does by itself is tested there.
package commands
