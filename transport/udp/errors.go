package udp

import (
	"errors"
	"net"
	"os"
)

// Errors that callers may want to distinguish, with errors.Is. Any other problem is an [*Error] with only the operating
// system's reason.
var (
	// ErrInUse means that another socket is already bound to a port.
	ErrInUse = errors.New("the port is in use")
	// ErrAddress means that a text, or a value, is not a usable address.
	ErrAddress = errors.New("bad address")
	// ErrResolve means that no address could be found for a name.
	ErrResolve = errors.New("the name does not resolve")
	// ErrFamily means that the socket cannot reach the address because one of them has IPv6 and the other only IPv4.
	ErrFamily = errors.New("the socket cannot reach addresses of this family")
	// ErrLoopback means that an address is on the network, but the socket is bound to this machine alone.
	ErrLoopback = errors.New("the socket reaches this machine alone")
	// ErrTooLong means that a datagram has more than [MaxDatagram] bytes, or more than the operating system accepts.
	ErrTooLong = errors.New("the datagram is too long")
	// ErrClosed means that a socket has been closed: it is net.ErrClosed.
	ErrClosed = net.ErrClosed
)

// Error describes an operation that failed, and the reason. errors.Is and errors.As examine both Reason and Cause.
type Error struct {
	Op      string // "listen on", "resolve", "send to"
	Address string // the address concerned
	Reason  error  // an ErrX of this package; nil if none fits
	Cause   error  // the underlying error; nil if the error was found here
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

// Unwrap returns the reason and the cause, if there are any.
func (e *Error) Unwrap() []error {
	var all []error
	for _, err := range []error{e.Reason, e.Cause} {
		if err != nil {
			all = append(all, err)
		}
	}
	return all
}

// root returns the informative part of an error of package net: without the operation and the addresses, which [Error]
// names itself.
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

// reason returns the ErrX for an error of the operating system.
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
