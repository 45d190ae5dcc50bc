package rbn1_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/tickback/tickback/classic/rbn1"
)

// Rule: a destination that is exactly long enough is long enough, and one that is
// shorter by one is not.
func TestExactDestinationsAreLongEnough(t *testing.T) {
	for _, h := range []rbn1.Header{{StartFrame: 3}, {StartFrame: 3, HasChecksum: true, Checksum: 9}} {
		buttons := []uint16{1, 2, 3}
		packet, err := rbn1.Append(nil, h, buttons)
		if err != nil {
			t.Fatal(err)
		}
		for room, ok := range map[int]bool{len(packet): true, len(packet) - 1: false} {
			if n, err := rbn1.Encode(make([]byte, room), h, buttons); ok != (err == nil && n == len(packet)) {
				t.Errorf("%d bytes into %d: %d, %v", len(packet), room, n, err)
			}
		}
		for room, ok := range map[int]bool{3: true, 2: false} {
			into := make([]uint16, room)
			got, n, err := rbn1.DecodeInto(into, packet)
			if ok && (err != nil || n != 3 || got != h || !slices.Equal(into, buttons)) || !ok && !errors.Is(err, rbn1.ErrDestination) {
				t.Errorf("3 inputs into %d: %v, %v", room, into, err)
			}
		}
	}
}
