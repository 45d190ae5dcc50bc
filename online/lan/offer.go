//go:build !js

package lan

import (
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tickback/tickback/online/rooms"
)

// Offer describes a host's room, in answer to a query or a search.
type Offer struct {
	GameID string `json:"game"`
	Build  string `json:"build"`
	Name   string `json:"name"`  // the name of the host
	Seats  int    `json:"seats"` // 2 to rooms.MaxSeats
	Taken  int    `json:"taken"` // how many of them are taken
	// Room is the room's ID: only in the answer to [Ask], not in that to a search.
	Room string `json:"room,omitempty"`
	// Port is the port of the host's room. Host distinguishes hosts, since one host may answer from several addresses.
	Port uint16 `json:"port"`
	Host uint64 `json:"host,string"`
	// At is the host's address if it listens at only one, or "" if it listens at all addresses.
	At string `json:"at,omitempty"`
	// Address is the host's address, in the form that [Ask] accepts. It is not sent.
	Address string `json:"-"`
}

// Limits of an offer, in bytes: of each of its texts, and of all of it. No text of package rooms is longer.
const (
	maxText  = 64
	maxOffer = 1024
)

var errOffer = errors.New("lan: an offer that makes no sense")

// decodeOffer reads an offer that is not trusted.
func decodeOffer(text []byte) (o Offer, err error) {
	if len(text) > maxOffer || json.Unmarshal(text, &o) != nil {
		return Offer{}, errOffer
	}
	o.Name = printable(o.Name)
	for _, s := range []string{o.GameID, o.Build, o.Name, o.Room} {
		if len(s) > maxText || s != printable(s) {
			return Offer{}, errOffer
		}
	}
	if o.GameID == "" || o.Seats < 1 || o.Seats > rooms.MaxSeats || o.Taken < 0 || o.Taken > o.Seats || o.Port == 0 {
		return Offer{}, errOffer
	}
	if o.At != "" {
		if at, err := netip.ParseAddr(o.At); err != nil || !usable(netip.AddrPortFrom(at.WithZone(""), o.Port)) {
			return Offer{}, errOffer
		}
	}
	return o, nil
}

// printable removes characters that cannot be shown.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}
