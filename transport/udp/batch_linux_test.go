//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// sentWith sends 100 datagrams to three sockets with a system call that a test replaces, and returns what has arrived,
// and how many were reported as sent.
func sentWith(t *testing.T, call func(fd uintptr, headers []messageHeader) (int, syscall.Errno)) (came string, c *Conn) {
	t.Helper()
	c = polled(t, "127.0.0.1:0")
	c.batch.call = call
	receivers := []*Conn{listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")}
	var p post
	for i := range 100 {
		p.add(receivers[i%3].LocalAddr(), fmt.Sprintf("number %d", i))
	}
	return outcomes(t, c, &p, receivers, c.SendBatch(p.to, p.datagrams)), c
}

// Rule: every datagram arrives, in order and once, however few a system call accepts, and whatever error it returns:
// that it was interrupted, has no room, or that an earlier datagram was refused.
func TestABatchThatTheSystemTakesInParts(t *testing.T) {
	whole, _ := sentWith(t, sendmmsg)
	if strings.Count(whole, "number") != 100 {
		t.Fatal(whole)
	}
	for _, errno := range []syscall.Errno{syscall.EAGAIN, syscall.ENOBUFS, syscall.EINTR, syscall.ECONNREFUSED, syscall.EPERM, syscall.ENOSYS, 0} {
		calls := 0
		came, c := sentWith(t, func(fd uintptr, headers []messageHeader) (int, syscall.Errno) {
			if calls++; calls%3 == 2 {
				return 0, errno
			}
			return sendmmsg(fd, headers[:min(calls, len(headers))])
		})
		if came != whole {
			t.Errorf("%v: came %s, want %s", errno, came, whole)
		}
		if refused := c.Stats().Refused > 0; refused != (errno == syscall.ECONNREFUSED) {
			t.Errorf("%v: refused: %v", errno, refused)
		}
		if useless := errno == syscall.EPERM || errno == syscall.ENOSYS; c.batch.useless.Load() != useless {
			t.Errorf("%v: batches are sent no more: %v", errno, !useless)
		}
		if errno == syscall.ENOSYS && calls != 2 {
			t.Errorf("a call that the system does not have was made %d times", calls)
		}
	}
}

// Rule: the test above notices a loss: here a datagram counts as sent although it was not.
func TestALostDatagramOfABatchIsNoticed(t *testing.T) {
	whole, _ := sentWith(t, sendmmsg)
	came, _ := sentWith(t, func(fd uintptr, headers []messageHeader) (int, syscall.Errno) {
		n, errno := sendmmsg(fd, headers[:len(headers)-1])
		return n + 1, errno
	})
	if came == whole {
		t.Error("it is not noticed")
	}
}

// Rule: sending a batch allocates nothing.
func TestABatchAllocatesNothing(t *testing.T) {
	for _, a := range []*Conn{listen(t, "127.0.0.1:0"), polled(t, "127.0.0.1:0"), polled(t, ":0")} {
		b := listen(t, "127.0.0.1:0")
		var p post
		for range 16 {
			p.add(b.LocalAddr(), "some bytes")
		}
		one := func() {
			if err := a.SendBatch(p.to, p.datagrams); err != nil {
				t.Fatal(err)
			}
		}
		one()
		if n := testing.AllocsPerRun(50, one); n > 0 {
			t.Errorf("%v allocations", n)
		}
	}
}
