// Command stdtable writes what the analyzer finds in the standard library, for the table in
// internal/std/generated.txt: go run ./cmd/stdtable >internal/std/generated.txt
package main

import (
	"fmt"
	"os"

	"github.com/tickback/tickback/detlint/internal/std"
	"github.com/tickback/tickback/detlint/internal/survey"
)

func main() {
	lines, err := survey.Table()
	if err != nil {
		fmt.Fprintln(os.Stderr, "stdtable:", err)
		os.Exit(1)
	}
	fmt.Printf("# What the analyzer finds in the standard library of %s; go run ./cmd/stdtable writes it.\n", std.Version)
	for _, l := range lines {
		fmt.Println(l)
	}
}
