//go:build !js

package lan

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/tickback/tickback/online"
)

const (
	// DefaultPort is the port at which a host listens by default, if it is free, and the port of addresses without
	// one.
	DefaultPort = 7717
	// SearchPort is where hosts answer searches by default.
	SearchPort = 7718
)

// ErrAddress says that a text is not the address of a host.
var ErrAddress = errors.New("lan: bad address")

const maxAddress = 255 + len(":65535") // the bytes of a name and a port

// ParseAddress completes an address that a person has entered: a name or an IP address, with or without a port, or a
// link such as http://192.168.1.5:7717/. It returns "host:port", with brackets around an IPv6 address. The error wraps
// [ErrAddress].
func ParseAddress(text string) (string, error) {
	text = strings.TrimSpace(text)
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		text = u.Host
	}
	if len(text) > maxAddress {
		return "", fmt.Errorf("%w: %d characters", ErrAddress, len(text))
	}
	bare := text
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		bare = text[1 : len(text)-1]
	}
	if a, err := netip.ParseAddr(bare); err == nil {
		return net.JoinHostPort(a.String(), strconv.Itoa(DefaultPort)), nil
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		host, port = text, strconv.Itoa(DefaultPort)
	}
	n, err := strconv.ParseUint(port, 10, 16)
	switch {
	case err != nil || n == 0:
		return "", fmt.Errorf("%w: %q: the port is no number from 1 to 65535", ErrAddress, text)
	case host == "":
		return "", fmt.Errorf("%w: %q names no machine, such as 192.168.1.5", ErrAddress, text)
	case strings.ContainsAny(host, "/ :@#?[]\\\"<>^`{|}\t\r\n") && !isIP(host):
		return "", fmt.Errorf("%w: %q is no name and no IP address, such as 192.168.1.5", ErrAddress, host)
	}
	return net.JoinHostPort(host, strconv.FormatUint(n, 10)), nil
}

// AddressIn returns the first address of a host in a text, such as a chat message, as [ParseAddress] completes it, or
// "" if there is none. Inside a message, only a link to a room or an IP address counts, as any word might be a name.
// A text with nothing else in it may be a name.
func AddressIn(text string) string {
	const most = 64 << 10 // the number of bytes that are searched
	text = text[:min(len(text), most)]
	if link := online.LinkIn(text); link != "" {
		if address, err := ParseAddress(link); err == nil {
			return address
		}
	}
	for word := range strings.FieldsFuncSeq(text, apart) {
		word = strings.Trim(word, ".!?*~'/")
		for _, word := range [...]string{word, strings.TrimRight(word, ":")} {
			host, _, err := net.SplitHostPort(word)
			if err != nil {
				host = strings.Trim(word, "[]")
			}
			if !isIP(host) {
				continue
			}
			if address, err := ParseAddress(word); err == nil {
				return address
			}
		}
	}
	address, _ := ParseAddress(text)
	return address
}

// apart reports whether a character cannot be part of an address.
func apart(r rune) bool { return r <= ' ' || r >= 0x7F || strings.ContainsRune("()<>\"`{}|\\^,;=", r) }

func isIP(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

// pageOf returns the URL of the page that a host serves.
func pageOf(address string) string {
	return (&url.URL{Scheme: "http", Host: address, Path: "/"}).String()
}
