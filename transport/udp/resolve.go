package udp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// families says to which families of addresses a socket can send.
type families struct{ v4, v6 bool }

var bothFamilies = families{v4: true, v6: true}

func (f families) has(a netip.Addr) bool {
	if a.Is4() {
		return f.v4
	}
	return f.v6
}

// Resolve finds the address of "host:port": the first that the system's resolver returns. The host is an IP address
// (IPv6 in brackets) or a name; the port is a number. ctx limits how long it takes.
//
// Errors: [ErrAddress], [ErrResolve], and the context's.
func Resolve(ctx context.Context, address string) (netip.AddrPort, error) {
	return resolve(ctx, address, bothFamilies)
}

// Resolve is like the function [Resolve], but looks for an address to which this socket can send; if the host has
// none, the error is [ErrFamily].
func (c *Conn) Resolve(ctx context.Context, address string) (netip.AddrPort, error) {
	return resolve(ctx, address, c.reach)
}

func resolve(ctx context.Context, address string, reach families) (netip.AddrPort, error) {
	const op = "resolve"
	host, port, err := split(address)
	switch {
	case err != nil:
		return netip.AddrPort{}, &Error{op, strconv.Quote(address), ErrAddress, err}
	case host == "":
		return netip.AddrPort{}, &Error{op, strconv.Quote(address), ErrAddress, errors.New("it names no host")}
	case port == 0:
		return netip.AddrPort{}, &Error{op, strconv.Quote(address), ErrAddress, errors.New("nobody listens on port 0")}
	}
	found, err := lookup(ctx, op, host)
	if err != nil {
		return netip.AddrPort{}, err
	}
	for _, a := range found {
		if a.IsUnspecified() {
			return netip.AddrPort{}, &Error{op, strconv.Quote(address), ErrAddress, errors.New("it means every address of this machine")}
		}
		if reach.has(a) {
			return netip.AddrPortFrom(a, port), nil
		}
	}
	return netip.AddrPort{}, &Error{op, strconv.Quote(address), ErrFamily, nil}
}

// noPort is the error text of package net for an address without a port.
const noPort = "missing port in address"

// split splits host:port. Brackets are removed from the host.
func split(address string) (host string, port uint16, err error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		var bad *net.AddrError
		switch {
		case !errors.As(err, &bad):
		case bad.Err == noPort:
			err = fmt.Errorf("it has no port, as %s has", net.JoinHostPort(strings.Trim(address, "[]"), "7000"))
		default:
			err = errors.New(bad.Err) // without the address, which our error already has
		}
		return "", 0, err
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return "", 0, errors.New("the port is no number from 0 to 65535")
	}
	return host, uint16(n), nil
}

// lookup returns at least one address of the host, unmapped, or an error.
func lookup(ctx context.Context, op, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a.Unmap()}, nil
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err == nil && len(found) == 0 {
		err = errors.New("it has no address")
	}
	if err != nil {
		var dns *net.DNSError
		if ctx.Err() != nil {
			err = ctx.Err()
		} else if errors.As(err, &dns) {
			err = errors.New(dns.Err) // without the name, which our error already has
		}
		return nil, &Error{op, strconv.Quote(host), ErrResolve, err}
	}
	for i := range found {
		found[i] = found[i].Unmap()
	}
	return found, nil
}
