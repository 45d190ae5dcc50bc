package udp

import (
	"errors"
	"testing"
)

// Open returns a socket and the addresses of the others, in order.
func TestOpen(t *testing.T) {
	c, others, err := Open("127.0.0.1:0", "127.0.0.1:7001", "127.0.0.1:7002")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if polled := listenPolled(t, "127.0.0.1:0"); (c.Notify() == nil) != (polled.Notify() == nil) {
		t.Error("it reads in a goroutine, though the system can be polled")
	}
	if len(others) != 2 || others[0].Port() != 7001 || others[1].Port() != 7002 {
		t.Errorf("the others are %v", others)
	}
}

// A socket that is not returned is closed: its port is free again.
func TestOpenClosesWhatItDoesNotReturn(t *testing.T) {
	c, _, err := Open("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := c.LocalAddr().String()
	if _, _, err := Open(address); !errors.Is(err, ErrInUse) {
		t.Errorf("a port in use: %v", err)
	}
	c.Close()
	if _, _, err := Open(address, "127.0.0.1:port"); !errors.Is(err, ErrAddress) {
		t.Errorf("a bad address: %v", err)
	}
	again, _, err := Open(address)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}
