package cli

import (
	"bufio"
	"net"
	"strings"
	"testing"
)

// Without an address, the first port that is free is taken, and it is said if that is
// not the usual one.
func TestTheNextFreePortIsTaken(t *testing.T) {
	taken, err := net.Listen("tcp", playHost+":0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	var out strings.Builder
	a := &app{stdout: bufio.NewWriter(&out)}
	l, err := a.listenFrom(t.Context(), port, 50)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	a.stdout.Flush()
	if got := l.Addr().(*net.TCPAddr).Port; got <= port || !strings.Contains(out.String(), "is in use") {
		t.Errorf("port %d after %d: %q", got, port, out.String())
	}
	if l, err := a.listenFrom(t.Context(), port, 1); err == nil {
		l.Close()
		t.Error("one port was used twice")
	} else if !strings.Contains(err.Error(), "--listen") {
		t.Error(err)
	}
}
