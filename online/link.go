package online

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
)

// ErrLink says that a text is not the address of a server, or not a link to a room.
var ErrLink = errors.New("online: bad link")

// maxLink and maxID limit the length of a pasted link and of the ID of a room.
const (
	maxLink = 2048
	maxID   = 64
)

// roomKey names the room in the fragment of a link. Browsers do not send the fragment, so it appears in no server's
// log.
const roomKey = "room"

// parse splits a link into the page and the room, which is "" if it has none.
func parse(link string) (page *url.URL, room string, err error) {
	if len(link) > maxLink {
		return nil, "", fmt.Errorf("%w: %d bytes", ErrLink, len(link))
	}
	page, err = url.Parse(strings.TrimSpace(link))
	if err != nil || page.Host == "" {
		return nil, "", fmt.Errorf("%w: %q is no URL like https://host/#room=ID", ErrLink, link)
	}
	switch page.Scheme {
	case "http", "https":
	case "ws", "wss":
		page.Scheme = "http" + strings.TrimPrefix(page.Scheme, "ws")
	default:
		return nil, "", fmt.Errorf("%w: the scheme must be http or https, not %q", ErrLink, page.Scheme)
	}
	values, _ := url.ParseQuery(page.Fragment) // a fragment without a room belongs to the page
	room = values.Get(roomKey)
	if len(room) > maxID {
		return nil, "", fmt.Errorf("%w: a room of %d characters", ErrLink, len(room))
	}
	if strings.ContainsFunc(room, notInID) {
		return nil, "", fmt.Errorf("%w: a room is named by letters, digits, - and _, not %q", ErrLink, room)
	}
	page.Fragment, page.RawFragment, page.RawQuery, page.ForceQuery, page.User = "", "", "", false, nil
	return page, room, nil
}

// notInID reports whether a character cannot be part of the name of a room: names are base64url.
func notInID(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
}

// RoomOf returns the room of a link, or "" if it is no link to a room. A page uses it to find out whether its own
// address is an invitation.
func RoomOf(link string) string {
	_, room, err := parse(link)
	if err != nil {
		return ""
	}
	return room
}

// placeKey names the secret of the ticket in the link to a place.
const placeKey = "place"

// PlaceLink returns a link with which a player can continue at another machine: the machine that opens it takes over
// this place, and the client here ends with rooms.ErrReplaced. The link contains the Ticket, so it is a secret and
// must not be used as an invitation.
func PlaceLink(r *Room) string {
	_, secret, _ := strings.Cut(r.Ticket(), ".")
	return r.Link() + "&" + url.Values{placeKey: {secret}}.Encode()
}

// TicketOf returns the ticket in a link made by PlaceLink, in the form that Config.Ticket takes, or "" if the link
// has none.
func TicketOf(link string) string {
	_, room, err := parse(link)
	if err != nil || room == "" {
		return ""
	}
	page, err := url.Parse(strings.TrimSpace(link))
	if err != nil {
		return ""
	}
	values, _ := url.ParseQuery(page.Fragment)
	place := values.Get(placeKey)
	if place == "" || len(place) > maxID || strings.ContainsFunc(place, notInID) {
		return ""
	}
	return room + "." + place
}

// linkTo returns the link to a room.
func linkTo(page *url.URL, room string) string {
	return page.String() + "#" + url.Values{roomKey: {room}}.Encode()
}

// socketOf returns the address of the rooms of a page: "rooms", in the same folder as the page.
func socketOf(page *url.URL) string {
	u := *page
	u.Scheme = "ws" + strings.TrimPrefix(page.Scheme, "http")
	dir, _ := path.Split(u.Path)
	u.Path, u.RawPath = path.Join("/", dir, "rooms"), ""
	return u.String()
}
