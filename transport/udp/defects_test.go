package udp

import (
	"errors"
	"testing"
)

// A port that was in use gave no error, and then a crash.
//
// Seen to fail when the error of the system is not recognised.
func TestDefectAPortInUseIsNoError(t *testing.T) {
	taken := listen(t, "127.0.0.1:0")
	for _, open := range []func() (*Conn, error){
		func() (*Conn, error) { return Listen(taken.LocalAddr().String()) },
		func() (*Conn, error) { c, _, err := Open(taken.LocalAddr().String(), "127.0.0.1:9"); return c, err },
	} {
		c, err := open()
		if c != nil || !errors.Is(err, ErrInUse) {
			t.Errorf("a socket on a port that is in use: %v, %v", c, err)
		}
	}
}
