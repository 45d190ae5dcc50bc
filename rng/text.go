package rng

import (
	"bytes"
	"fmt"
	"strconv"
)

const (
	name32  = "xorshift32"
	name128 = "xorshift128+"
)

// appendText appends the name and each word in the given number of hexadecimal
// digits, separated by colons.
func appendText(b []byte, name string, digits int, words ...uint64) []byte {
	b = append(b, name...)
	for _, w := range words {
		b = fmt.Appendf(b, ":%0*x", digits, w)
	}
	return b
}

// parseText reads what appendText writes, exactly, into words. On an error they
// are undefined.
func parseText(text []byte, name string, digits int, words []uint64) error {
	if len(text) != len(name)+len(words)*(1+digits) {
		return badText(text, name)
	}
	for i := range words {
		start := len(name) + i*(1+digits) + 1
		word, err := strconv.ParseUint(string(text[start:start+digits]), 16, 64)
		if err != nil {
			return badText(text, name)
		}
		words[i] = word
	}
	// Writing it again checks all the rest: name, colons, lower case.
	if !bytes.Equal(appendText(nil, name, digits, words...), text) {
		return badText(text, name)
	}
	return nil
}

func badText(text []byte, name string) error {
	const most = 64 // enough to recognise, too little to flood a log
	if len(text) > most {
		text = text[:most]
	}
	return fmt.Errorf("%w: %q (want %s and its state in hexadecimal)", ErrText, text, name)
}
