// Command diverge shows what the rules of detlint are about: diverge RULE wrong|right RUN prints what
// a state comes to. With code that is right, runs 0 and 1 print the same, whichever process they are
// in; with code that is wrong, they do not.
package main

import (
	"fmt"
	"os"
)

// way is code that is wrong or right, in run 0 or 1.
type way func(run int) any

// demonstration shows a rule.
type demonstration struct{ wrong, right way }

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: diverge RULE wrong|right RUN")
		os.Exit(2)
	}
	d, ok := demonstrations[os.Args[1]]
	if !ok {
		fmt.Fprintln(os.Stderr, "diverge: there is no rule", os.Args[1])
		os.Exit(2)
	}
	do := d.right
	if os.Args[2] == "wrong" {
		do = d.wrong
	}
	fmt.Println(do(int(os.Args[3][0] - '0')))
}
