// Package scaffold is the command new, which makes a module with a small complete game. What it
// writes is the module in the folder starter, which is built, vetted and tested with everything
// else here.
package scaffold
