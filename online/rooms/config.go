//go:build !js

package rooms

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"
)

// Config has the limits and settings of a server. Zero values are the defaults.
//
// An address is an IPv4 address or an IPv6 /64. The IPv4 /24 or IPv6 /56 that contains it has four times the limits of
// an address. When all rooms or connections are taken, a prefix that has less than a 128th of them can still get one:
// it is taken from the prefix that has most, if that has more than a 128th.
type Config struct {
	MaxRooms          int // at a time; 4096
	MaxConnections    int // at a time; 8192
	RoomsPerAddress   int // rooms made from one address, at a time; 32
	ConnectsPerMinute int // from one address, with a burst of the same size; 120
	PerAddress        int // connections from one address, at a time; 64

	// MessagesPerSecond is how many a client may send on average, and Burst how many at once: 32 and 512. A message
	// that goes to all members counts eightfold, or as many times as there are members if they are more; entering and
	// a ping count eightfold. A client that sends more is disconnected. One address may send as much as 16 clients;
	// beyond that its messages are delayed.
	MessagesPerSecond, Burst int

	// Grace is how long a member may be away, and how long a room may be without connections: 2 minutes. A room only
	// lasts an eighth of it while more than half of MaxRooms are taken.
	Grace   time.Duration
	MaxAge  time.Duration // of a room; 12 hours
	MaxIdle time.Duration // of a room without messages; 3 hours
	// Vacancy is how long a member must be away, and in no match, until others may take its seat: 20 s, which is
	// longer than a page takes to reload, and at most Grace.
	Vacancy time.Duration

	EntryTimeout time.Duration // until the first message arrives; 10 s
	WriteTimeout time.Duration // for sending one message; 10 s
	PingEvery    time.Duration // 20 s; a client that does not answer in that time is disconnected

	// Hosts are the names by which browsers reach this server, such as "play.example.org" or "*.example.org", in
	// addition to localhost and numeric addresses. Pages that reach it by another name are refused.
	Hosts []string
	// MoreHosts, if given, returns names in addition to Hosts that may change at run time, such as those of a
	// certificate. It is called for each request to which they could matter, by several goroutines at once. Texts
	// that are not names are ignored.
	MoreHosts func() []string
	// Origins are the hosts of pages that may connect, in addition to the server's own, such as "play.example.org" or
	// "*.example.org".
	Origins []string
	// Games, if given, are the only games for which rooms can be made.
	Games []string
	// ICE are the STUN and TURN servers that members should use. With TURNSecret, each member gets its own
	// credentials for those whose URL begins with "turn", valid for TURNLifetime (30 minutes), and new ones when half
	// of that is over: in the form that coturn checks with use-auth-secret and static-auth-secret. Without it all
	// members get the credentials in ICE, and can continue to use them after they have left.
	ICE          []ICEServer
	TURNSecret   string
	TURNLifetime time.Duration

	// Address returns the sender of a request, for the limits per address; the default is RemoteAddr. Behind a proxy
	// it must read the header that the proxy sets.
	Address func(*http.Request) string
	// Log, if given, gets a record for each room that is made or ends, and for each refusal; never a room's ID, which
	// is a secret.
	Log *slog.Logger
	// Now replaces time.Now, for tests.
	Now func() time.Time
}

// number is a limit with its default and its maximum.
type number struct {
	name        string
	value       *int
	usual, most int
}

// span is a duration with its default and its limits.
type span struct {
	name               string
	value              *time.Duration
	usual, least, most time.Duration
}

// complete fills in the defaults and returns an error for invalid values.
func (c *Config) complete() error {
	for _, n := range []number{
		{"MaxRooms", &c.MaxRooms, 4096, 1 << 20},
		{"MaxConnections", &c.MaxConnections, 8192, 1 << 20},
		{"RoomsPerAddress", &c.RoomsPerAddress, 32, 1 << 20},
		{"ConnectsPerMinute", &c.ConnectsPerMinute, 120, 1 << 20},
		{"PerAddress", &c.PerAddress, 64, 1 << 20},
		{"MessagesPerSecond", &c.MessagesPerSecond, 32, 1 << 16},
		{"Burst", &c.Burst, 512, 1 << 16},
	} {
		if *n.value == 0 {
			*n.value = n.usual
		}
		if *n.value < 1 || *n.value > n.most {
			return fmt.Errorf("rooms: %s is %d, must be 1 to %d", n.name, *n.value, n.most)
		}
	}
	const day = 24 * time.Hour
	for _, s := range []span{
		{"Grace", &c.Grace, 2 * time.Minute, time.Millisecond, day},
		{"Vacancy", &c.Vacancy, 20 * time.Second, time.Millisecond, day},
		{"MaxAge", &c.MaxAge, 12 * time.Hour, time.Millisecond, 30 * day},
		{"MaxIdle", &c.MaxIdle, 3 * time.Hour, time.Millisecond, 30 * day},
		{"EntryTimeout", &c.EntryTimeout, 10 * time.Second, time.Millisecond, time.Hour},
		{"WriteTimeout", &c.WriteTimeout, 10 * time.Second, time.Millisecond, time.Hour},
		{"PingEvery", &c.PingEvery, 20 * time.Second, time.Millisecond, time.Hour},
		{"TURNLifetime", &c.TURNLifetime, 30 * time.Minute, time.Minute, 30 * day},
	} {
		if *s.value == 0 {
			*s.value = s.usual
		}
		if *s.value < s.least || *s.value > s.most {
			return fmt.Errorf("rooms: %s is %v, must be %v to %v", s.name, *s.value, s.least, s.most)
		}
	}
	c.Vacancy = min(c.Vacancy, c.Grace)
	if checkServers(c.ICE) != nil {
		return errors.New("rooms: too many or too long ICE servers")
	}
	for _, server := range c.ICE {
		for _, u := range server.URLs {
			if err := checkICE(u); err != nil {
				return err
			}
		}
	}
	for _, o := range c.Origins {
		if _, err := path.Match(o, ""); err != nil || o == "" || strings.ContainsAny(o, " /") {
			return fmt.Errorf("rooms: origin %q: must be a host, such as play.example.org or *.example.org", o)
		}
	}
	if err := checkHosts(c.Hosts); err != nil {
		return err
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Address == nil {
		c.Address = func(r *http.Request) string { return r.RemoteAddr }
	}
	return nil
}
