// Command detlint proves, before a game runs, that its step cannot diverge.
package main

import (
	"os"

	"github.com/tickback/tickback/detlint"
)

func main() { os.Exit(detlint.Main(os.Args[1:], os.Stdout, os.Stderr)) }
