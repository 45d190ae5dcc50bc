package online

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
)

// ErrLink is text that is no address of a server, or no link to a room.
var ErrLink = errors.New("online: bad link")

// maxLink and maxID bound what is pasted somewhere.
const (
	maxLink = 2048
	maxID   = 64
)

// roomKey is how a room is named in the fragment of a link, which browsers keep to
// themselves: it is in no server's log.
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
	values, _ := url.ParseQuery(page.Fragment) // what is no room is of the page's own
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

// notInID reports whether the name of a room has no such character: they are base64url.
func notInID(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
}

// RoomOf returns the room that a link leads to; "" if it leads to none. A page asks it
// whether its own address is an invitation.
func RoomOf(link string) string {
	_, room, err := parse(link)
	if err != nil {
		return ""
	}
	return room
}

// placeKey is how the link to a place names its ticket's secret.
const placeKey = "place"

// PlaceLink returns a link with which the player of a place goes on at another machine: whoever opens
// it has this place, and the client here ends with rooms.ErrReplaced. It contains the Ticket, so it is
// a secret, and no invitation.
func PlaceLink(r *Room) string {
	_, secret, _ := strings.Cut(r.Ticket(), ".")
	return r.Link() + "&" + url.Values{placeKey: {secret}}.Encode()
}

// TicketOf returns the ticket in a link that PlaceLink has made, as Config.Ticket takes it; "" if there
// is none in it.
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

// socketOf returns where the rooms of a page are: "rooms", beside it.
func socketOf(page *url.URL) string {
	u := *page
	u.Scheme = "ws" + strings.TrimPrefix(page.Scheme, "http")
	dir, _ := path.Split(u.Path)
	u.Path, u.RawPath = path.Join("/", dir, "rooms"), ""
	return u.String()
}
