package udp

import (
	"errors"
	"net"
	"os"
)

// What callers may want to tell apart, with errors.Is. What else goes wrong is
// an [*Error] with the operating system's reason alone.
var (
	// ErrInUse is a port on which something listens already.
	ErrInUse = errors.New("the port is in use")
	// ErrAddress is text, or a value, that is no usable address.
	ErrAddress = errors.New("bad address")
	// ErrResolve is a name for which no address could be found.
	ErrResolve = errors.New("the name does not resolve")
	// ErrFamily is an IPv6 address for a socket that has IPv4 only, or the other
	// way round.
	ErrFamily = errors.New("the socket cannot reach addresses of this family")
	// ErrLoopback is an address of the network for a socket that is bound to this machine alone.
	ErrLoopback = errors.New("the socket reaches this machine alone")
	// ErrTooLong is a datagram of more than [MaxDatagram] bytes, or more than
	// the operating system takes.
	ErrTooLong = errors.New("the datagram is too long")
	// ErrClosed is a socket that has been closed: it is net.ErrClosed.
	ErrClosed = net.ErrClosed
)

// Error says what could not be done, and why. errors.Is and errors.As look into
// both Reason and Cause.
type Error struct {
	Op      string // "listen on", "resolve", "send to"
	Address string // what it was about
	Reason  error  // an ErrX of this package; nil if none fits
	Cause   error  // where it comes from; nil if it was found here
}

// Error names the address and the reason, in one line.
func (e *Error) Error() string {
	text := "udp: " + e.Op + " " + e.Address + ": "
	switch {
	case e.Reason == nil:
		return text + root(e.Cause).Error()
	case e.Cause == nil || errors.Is(e.Cause, e.Reason):
		return text + e.Reason.Error()
	}
	return text + e.Reason.Error() + ": " + root(e.Cause).Error()
}

// Unwrap returns the reason and the cause, as far as there are any.
func (e *Error) Unwrap() []error {
	var all []error
	for _, err := range []error{e.Reason, e.Cause} {
		if err != nil {
			all = append(all, err)
		}
	}
	return all
}

// root is the part of an error of package net that says something new: not the
// operation and the addresses, which [Error] names itself.
func root(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		err = call.Err
	}
	return err
}

// reason finds the sentinel for an error of the operating system.
func reason(err error) error {
	switch {
	case errors.Is(err, net.ErrClosed):
		return ErrClosed
	case isInUse(err):
		return ErrInUse
	case isTooLong(err):
		return ErrTooLong
	}
	return nil
}
