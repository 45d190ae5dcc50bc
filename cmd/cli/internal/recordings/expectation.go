package recordings

import (
	"fmt"
	"strconv"
	"strings"
)

// expectation is the value of --expect: hexadecimal digits, with or without "0x". An empty one accepts everything.
type expectation string

// Set sets the flag's value.
func (e *expectation) Set(text string) error {
	if _, err := parseChecksum(text); err != nil {
		return fmt.Errorf("not a checksum such as 0x1B977CCD")
	}
	*e = expectation(text)
	return nil
}

// String returns the text given to Set.
func (e *expectation) String() string { return string(*e) }

// Type returns the name of the flag's type for help texts.
func (e *expectation) Type() string { return "checksum" }

// met compares a checksum with the expectation, ignoring case and leading zeros.
func (e expectation) met(checksum string) bool {
	if e == "" {
		return true
	}
	want, errWant := parseChecksum(string(e))
	got, errGot := parseChecksum(checksum)
	return errWant == nil && errGot == nil && want == got
}

func parseChecksum(text string) (uint64, error) {
	digits := strings.TrimPrefix(strings.ToLower(text), "0x")
	return strconv.ParseUint(digits, 16, 64)
}
