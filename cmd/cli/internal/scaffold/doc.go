// Package scaffold has the command new, which makes a module with a small complete game. It writes a copy of the
// module in the folder starter, which is built, vetted and tested together with the rest of this repository.
package scaffold
