//go:build !js

package rooms

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// newCrowdWith makes a server with these limits.
func newCrowdWith(t *testing.T, cfg Config) *crowd {
	t.Helper()
	if err := cfg.complete(); err != nil {
		t.Fatal(err)
	}
	return &crowd{t, newHub(&cfg), time.Unix(1, 0), map[*member]*fakeLine{}}
}

var create = request{Kind: kindCreate, Seats: 2}

// fill makes rooms until the server has a number of them, with a given number from each
// prefix, beginning with 10.1.0.0/24.
func (c *crowd) fill(rooms, each int) (made []connSeat) {
	for i := range rooms {
		made = append(made, c.must(create, fmt.Sprintf("10.1.%d.1:1", i/each)))
	}
	return made
}

// told returns the last message to a member, on the connection that it had at first.
func (c *crowd) told(s connSeat) error { return c.lines[s.member].said }

// Rooms without connected members keep nobody out of a full server: they make room, those
// of the client that has most of them, and of these the one that was left first.
func TestRoomsThatNobodyIsConnectedToMakePlace(t *testing.T) {
	c := newCrowdWith(t, Config{MaxRooms: 16, RoomsPerAddress: 16})
	played := c.must(create, "10.0.0.1:1")
	left := c.must(create, "10.0.1.1:1")
	flood := c.fill(14, 14)
	c.leaves(left, false)
	for _, s := range flood[:2] { // more than two parts of 16: the one left first goes at once
		c.leaves(s, false)
	}
	if len(c.hub.empty) != 3 || c.hub.budget.empty != 2 {
		t.Fatalf("%d rooms are empty, and %d are allowed", len(c.hub.empty), c.hub.budget.empty)
	}
	c.must(create, "10.0.2.1:1")
	if c.hub.rooms[flood[0].room.id] != nil || c.hub.rooms[flood[1].room.id] == nil || c.hub.rooms[left.room.id] == nil {
		t.Error("it was not the oldest of whoever has most that made place")
	}
	c.must(create, "10.0.2.1:1")
	c.must(create, "10.0.2.1:1")
	if c.hub.rooms[left.room.id] != nil || c.hub.rooms[flood[1].room.id] != nil || c.hub.rooms[played.room.id] == nil {
		t.Error("what nobody is connected to is left, or a room that somebody is in has gone")
	}
}

// One prefix has a limited number of rooms without connected members: the oldest ends. A
// member that comes back removes a room from these.
func TestEmptyRoomsOfAPrefix(t *testing.T) {
	c := newCrowdWith(t, Config{MaxRooms: 256, RoomsPerAddress: 16})
	most := c.hub.budget.empty
	made := c.fill(most+1, most+1)
	for _, s := range made[:most] {
		c.leaves(s, false)
	}
	back := c.must(request{Kind: kindRejoin, Room: made[0].room.id, Secret: made[0].member.secret}, "10.9.0.1:1")
	c.leaves(made[most], false)
	if len(c.hub.rooms) != most+1 || len(c.hub.empty) != most {
		t.Fatalf("%d rooms, %d of them empty", len(c.hub.rooms), len(c.hub.empty))
	}
	c.leaves(back, false)
	if len(c.hub.rooms) != most || c.hub.rooms[made[1].room.id] != nil || c.hub.rooms[made[0].room.id] == nil {
		t.Errorf("%d rooms are left of %d, and not those that were left last", len(c.hub.rooms), most+1)
	}
	other := c.must(create, "10.2.0.1:1")
	c.leaves(other, false)
	if len(c.hub.empty) != most+1 {
		t.Error("another prefix has no empty rooms of its own")
	}
	c.now = c.now.Add(c.hub.cfg.Grace + 1)
	c.hub.sweep(c.now)
	if n := c.hub; len(n.rooms)+len(n.empty) != 0 || len(n.visitors.near)+len(n.visitors.wide) != 0 {
		t.Errorf("%d rooms and %d visitors are left", len(n.rooms), len(n.visitors.near))
	}
}

// When more than half of all places are taken, a room without connected members ends after 15 s instead of two minutes.
func TestEmptyRoomsEndSoonerOnABusyServer(t *testing.T) {
	for rooms, kept := range map[int]bool{8: true, 9: false} {
		c := newCrowdWith(t, Config{MaxRooms: 16})
		made := c.fill(rooms, 1)
		c.leaves(made[0], false)
		left := c.now
		for _, after := range []time.Duration{15 * time.Second, 15*time.Second + 1} {
			c.hub.sweep(left.Add(after))
			if got, want := c.hub.rooms[made[0].room.id] != nil, kept || after == 15*time.Second; got != want {
				t.Errorf("with %d of 16 rooms it is there after %v: %v", rooms, after, got)
			}
		}
	}
}

// On a full server, the client with most rooms loses one to a client with less than its
// share; a client with no more than its share keeps them.
func TestTheRoomsOfAFullServerAreShared(t *testing.T) {
	c := newCrowdWith(t, Config{MaxRooms: 2 * shareOf, RoomsPerAddress: 2 * shareOf}) // a part is 2
	flood := c.fill(2*shareOf, 3)
	late := c.must(create, "10.0.0.1:1")
	gone := 0
	for i, s := range flood {
		if c.hub.rooms[s.room.id] == nil {
			if gone++; i%3 != 2 {
				t.Errorf("room %d of 3 has gone, which is not the newest", i%3)
			}
			if !errors.Is(c.told(s), ErrExpired) {
				t.Errorf("its members hear %v", c.told(s))
			}
		}
	}
	if gone != 1 || len(c.hub.rooms) != 2*shareOf || c.hub.rooms[late.room.id] == nil {
		t.Errorf("%d rooms have gone of %d", gone, len(c.hub.rooms))
	}
	if _, err := c.come(create, "10.1.0.1:2"); !errors.Is(err, ErrServerFull) {
		t.Errorf("whoever has its part wants more: %v", err)
	}
	for i := range shareOf { // until nobody has more than its part
		c.come(create, fmt.Sprintf("10.2.%d.1:1", i))
	}
	if _, err := c.come(create, "10.3.0.1:1"); !errors.Is(err, ErrServerFull) || c.hub.made.above != 0 {
		t.Errorf("when all have no more than their part: %v, and %d above it", err, c.hub.made.above)
	}
	if c.hub.stats.Limited[limitAllRooms] == 0 || c.hub.stats.Displaced == 0 {
		t.Errorf("%+v", c.hub.stats)
	}
}

// An address has a limited number of rooms, and its neighbours four times as many; its own
// rooms without connected members end first.
func TestRoomsOfAnAddressAndItsNeighbours(t *testing.T) {
	c := newCrowdWith(t, Config{RoomsPerAddress: 2})
	a := c.must(create, "10.0.0.1:1")
	c.must(create, "10.0.0.1:1")
	if _, err := c.come(create, "10.0.0.1:2"); !errors.Is(err, ErrRate) {
		t.Errorf("a third room of an address: %v", err)
	}
	c.leaves(a, false)
	c.must(create, "10.0.0.1:2")
	if c.hub.rooms[a.room.id] != nil {
		t.Error("the room that nobody is connected to is there")
	}
	for i := range 3 {
		for range 2 {
			c.must(create, fmt.Sprintf("10.0.0.%d:1", 2+i))
		}
	}
	if _, err := c.come(create, "10.0.0.9:1"); !errors.Is(err, ErrRate) || c.hub.stats.Limited[limitRooms] != 2 {
		t.Errorf("a ninth room of a /24: %v, %v", err, c.hub.stats.Limited)
	}
	c.must(create, "10.0.1.1:1")
	for _, s := range []string{"2001:db8::1", "2001:db8:0:1::1", "2001:db8:0:2::1", "2001:db8:0:3::1"} {
		for range 2 {
			c.must(create, s)
		}
	}
	if _, err := c.come(create, "2001:db8:0:ff::1"); !errors.Is(err, ErrRate) {
		t.Errorf("a ninth room of a /56: %v", err)
	}
	c.must(create, "2001:db8:0:100::1")
}

// The places for spectators are shared by network: the network that has the fewest gets a place from the one that has
// the most, whose spectator is notified.
func TestPlacesToWatchAreShared(t *testing.T) {
	c := newCrowdWith(t, Config{})
	host := c.must(request{Kind: kindCreate, Seats: 2, Spectators: MaxSpectators}, "10.0.0.1:1")
	watch := request{Kind: kindJoin, Room: host.room.id, Role: Spectator}
	var flood []connSeat
	for i := range MaxSpectators {
		flood = append(flood, c.must(watch, fmt.Sprintf("10.0.1.%d:1", i)))
	}
	if _, err := c.come(watch, "10.0.1.99:1"); !errors.Is(err, ErrFull) {
		t.Errorf("one more of the same: %v", err)
	}
	for i := range MaxSpectators / 2 {
		c.must(watch, "10.0.2.1:1")
		if s := flood[len(flood)-1-i]; !errors.Is(c.told(s), ErrFull) {
			t.Fatalf("watcher %d hears %v", i, c.told(s))
		}
	}
	if _, err := c.come(watch, "10.0.2.1:1"); !errors.Is(err, ErrFull) {
		t.Errorf("whoever has half wants more: %v", err)
	}
	if n := host.room.state().sitting(NoSeat); n != MaxSpectators {
		t.Errorf("%d watch", n)
	}
	if _, err := c.come(request{Kind: kindJoin, Room: host.room.id, Role: Player, Seat: new(0)}, "10.0.3.1:1"); !errors.Is(err, ErrSeatTaken) {
		t.Errorf("a seat is no place to watch: %v", err)
	}
	c.must(request{Kind: kindJoin, Room: host.room.id}, "10.0.3.1:1") // the free seat
	if s, err := c.come(request{Kind: kindJoin, Room: host.room.id}, "10.0.4.1:1"); err != nil || s.member.Seat != NoSeat {
		t.Errorf("whoever takes what there is: %v", err)
	}
	if _, err := c.come(request{Kind: kindJoin, Room: host.room.id, Role: Player}, "10.0.5.1:1"); !errors.Is(err, ErrFull) {
		t.Errorf("whoever wants to play: %v", err)
	}
}

// A client with a million addresses makes the table of addresses no larger than allowed,
// and the usage of others is not forgotten.
func TestTheTableOfAddressesIsBounded(t *testing.T) {
	s, _ := serve(t, Config{MaxConnections: 64, MaxRooms: 64})
	s.mu.Lock()
	defer s.mu.Unlock()
	h, b := s.hub, &s.hub.budget
	here := addressOf("10.0.0.1:1")
	near, _ := h.visitors.of(here)
	near.connections = 3
	now := time.Unix(100, 0)
	for i := range 4 * maxIdleVisitors {
		_ = s.admit(addressOf(fmt.Sprintf("2001:db8:%x:%x::1", i>>12, i<<4&0xffff)), now)
		if n := max(len(h.visitors.near), len(h.visitors.wide)); n > b.maxVisitors {
			t.Fatalf("%d are remembered, more than %d", n, b.maxVisitors)
		}
	}
	if again, _ := h.visitors.of(here); again != near {
		t.Error("an address that has connections is forgotten")
	}
	near.connections = 0
	h.visitors.sweep(b, now.Add(time.Hour))
	if n := len(h.visitors.near) + len(h.visitors.wide); n != 0 {
		t.Errorf("%d are remembered for nothing", n)
	}
}

// A room without connected members no longer counts as one when a member joins it, and then
// makes room for nobody.
func TestARoomThatSomebodyJoinsIsNotEmpty(t *testing.T) {
	c := newCrowdWith(t, Config{MaxRooms: 1})
	made := c.must(create, "10.0.0.1:1")
	c.leaves(made, false)
	c.must(request{Kind: kindJoin, Room: made.room.id}, "10.0.1.1:1")
	if len(c.hub.empty) != 0 {
		t.Error("it counts as a room that nobody is connected to")
	}
	if _, err := c.come(create, "10.0.2.1:1"); !errors.Is(err, ErrServerFull) {
		t.Errorf("another room in its place: %v", err)
	}
	host := c.must(request{Kind: kindRejoin, Room: made.room.id, Secret: made.member.secret}, "10.0.0.1:1")
	link := host.room.id
	if err := c.kick(host, host); !errors.Is(err, ErrBadMessage) || host.room.id != link {
		t.Errorf("who sends itself away: %v, and the link is another one: %v", err, host.room.id != link)
	}
}

// A room that ends while a member is connected does not count as one without: its maker may
// have as many of these as before.
func TestARoomThatEndsAddsNoPlaceForEmptyOnes(t *testing.T) {
	c := newCrowdWith(t, Config{MaxRooms: 16, RoomsPerAddress: 16})
	for range 5 {
		c.leaves(c.must(create, "10.0.0.1:1"), true)
	}
	for _, s := range c.fill(2*c.hub.budget.empty+2, 16) {
		c.leaves(s, false)
	}
	for range c.hub.budget.empty + 2 {
		c.leaves(c.must(create, "10.0.0.1:1"), false)
	}
	mine := 0
	for _, r := range c.hub.empty {
		if r.maker == c.hub.empty[len(c.hub.empty)-1].maker {
			mine++
		}
	}
	if mine != c.hub.budget.empty {
		t.Errorf("%d empty rooms of one prefix, and %d are allowed", mine, c.hub.budget.empty)
	}
}
