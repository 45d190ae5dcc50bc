//go:build !js

package rooms

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// sound is a state at all of its limits.
func sound() State {
	s := State{Room: "r", Seats: MaxSeats, Spectators: MaxSpectators}
	for i := range MaxSeats + MaxSpectators {
		m := Member{ID: uint32(i + 1), Seat: NoSeat}
		if i < MaxSeats {
			m.Seat = i
			s.Starters = append(s.Starters, Starter{ID: m.ID, Seat: i})
		}
		s.Members = append(s.Members, m)
	}
	return s
}

// A client accepts a state up to the limits of rooms, and none with two members in one place,
// or in the wrong order, whatever the server says.
func TestStatesThatMakeNoSense(t *testing.T) {
	for what, c := range map[string]struct {
		change func(s *State)
		good   bool
	}{
		"all at its limits":         {func(*State) {}, true},
		"few":                       {func(s *State) { s.Seats, s.Spectators, s.Members, s.Starters = MinSeats, 0, nil, nil }, true},
		"members that watch alone":  {func(s *State) { s.Members, s.Starters = s.Members[MaxSeats:], nil }, true},
		"starters who have gone":    {func(s *State) { s.Members = nil }, true},
		"no room":                   {func(s *State) { s.Room = "" }, false},
		"no seat":                   {func(s *State) { s.Seats, s.Members, s.Starters = 0, nil, nil }, false},
		"seventeen seats":           {func(s *State) { s.Seats = 17 }, false},
		"fewer than no spectators":  {func(s *State) { s.Spectators = -1 }, false},
		"33 spectators":             {func(s *State) { s.Spectators = 33 }, false},
		"49 members":                {func(s *State) { s.Members = append(s.Members, Member{ID: 99, Seat: NoSeat}) }, false},
		"seventeen starters":        {func(s *State) { s.Starters = append([]Starter{{ID: 17}}, s.Starters...) }, false},
		"a member that is nobody":   {func(s *State) { s.Members[0].ID = 0 }, false},
		"a member below all seats":  {func(s *State) { s.Members[47].Seat = -2 }, false},
		"a member above all seats":  {func(s *State) { s.Members[15].Seat = 16 }, false},
		"two on one seat":           {func(s *State) { s.Members[14].Seat = 15 }, false},
		"one member twice":          {func(s *State) { s.Members[47].ID = 47 }, false},
		"members in no order":       {func(s *State) { s.Members[46].ID, s.Members[47].ID = 48, 47 }, false},
		"a starter that is nobody":  {func(s *State) { s.Starters[0].ID = 0 }, false},
		"a starter that watches":    {func(s *State) { s.Starters[0].Seat = NoSeat }, false},
		"a starter above all seats": {func(s *State) { s.Starters[15].Seat = 16 }, false},
		"starters on one seat":      {func(s *State) { s.Starters[14].Seat = 15 }, false},
		"starters in no order":      {func(s *State) { s.Starters[14].Seat, s.Starters[15].Seat = 15, 14 }, false},
		"a vacant seat":             {func(s *State) { s.Members[15].Vacant, s.Members[15].Connected = true, false }, true},
		"a watcher who had a seat":  {func(s *State) { s.Members[47].Taken = 1 }, true},
		"vacant, and there":         {func(s *State) { s.Members[15].Vacant, s.Members[15].Connected = true, true }, false},
		"vacant, without a seat":    {func(s *State) { s.Members[47].Vacant, s.Members[47].Connected = true, false }, false},
		"a seat that it has lost":   {func(s *State) { s.Members[15].Taken = 1 }, false},
		"a bad one before good":     {func(s *State) { s.Starters[0].ID, s.Starters = 0, s.Starters[:2] }, false},
	} {
		s := sound()
		c.change(&s)
		for _, r := range []reply{{Kind: kindState, State: &s}, {Kind: kindWelcome, State: &s, You: 1, Secret: "x"}} {
			_, err := decodeReply(encode(r))
			if (err == nil) != c.good || err != nil && !errors.Is(err, ErrBadMessage) {
				t.Errorf("%s, by a %s: %v", what, r.Kind, err)
			}
		}
	}
}

// A client accepts what it can use from a server, and nothing else.
func TestRepliesThatMakeNoSense(t *testing.T) {
	s := sound()
	many := make([]ICEServer, 17)
	for what, c := range map[string]struct {
		r    reply
		good bool
	}{
		"a welcome":                {reply{Kind: kindWelcome, State: &s, You: 1, Secret: "x"}, true},
		"a welcome of nobody":      {reply{Kind: kindWelcome, State: &s, Secret: "x"}, false},
		"a welcome without secret": {reply{Kind: kindWelcome, State: &s, You: 1}, false},
		"a welcome without room":   {reply{Kind: kindWelcome, You: 1, Secret: "x"}, false},
		"a welcome with servers":   {reply{Kind: kindWelcome, State: &s, You: 1, Secret: "x", ICE: many}, false},
		"no state":                 {reply{Kind: kindState}, false},
		"a signal":                 {reply{Kind: kindSignal, Data: strings.Repeat("x", MaxSignal)}, true},
		"a signal that is longer":  {reply{Kind: kindSignal, Data: strings.Repeat("x", MaxSignal+1)}, false},
		"servers":                  {reply{Kind: kindICE, ICE: many[:16]}, true},
		"too many servers":         {reply{Kind: kindICE, ICE: many}, false},
		"a ping":                   {reply{Kind: kindPing}, true},
		"an error":                 {reply{Kind: kindError}, true},
		"something else":           {reply{Kind: "else"}, false},
	} {
		if _, err := decodeReply(encode(c.r)); (err == nil) != c.good || err != nil && !errors.Is(err, ErrBadMessage) {
			t.Errorf("%s: %v", what, err)
		}
	}
	ping := encode(reply{Kind: kindPing})
	for more, good := range map[int]bool{0: true, 1: false} {
		if _, err := decodeReply(append(slices.Repeat([]byte(" "), 64<<10-len(ping)+more), ping...)); (err == nil) != good {
			t.Errorf("64 KiB and %d bytes: %v", more, err)
		}
	}
	if _, err := decodeReply([]byte(`{"t":"ping","you":"x"}`)); !errors.Is(err, ErrBadMessage) {
		t.Errorf("a word for a number: %v", err)
	}
	// The state of a full room is never too long for its members.
	full := sound()
	full.Settings = strings.Repeat("\x01", MaxSettings) // six bytes each, in JSON
	full.Room, full.GameID, full.Build = strings.Repeat("r", maxShort), strings.Repeat(`"`, maxShort), strings.Repeat(`"`, maxShort)
	for i := range full.Members {
		full.Members[i].Name, full.Members[i].Status = strings.Repeat(`"`, MaxName), strings.Repeat(`"`, MaxStatus)
	}
	if _, err := decodeReply(encode(reply{Kind: kindState, State: &full})); err != nil {
		t.Errorf("the largest state: %v", err)
	}
}

// A signal that a server accepts is not too long for its receiver, whatever characters it
// consists of: those that JSON writes as six bytes, and those that it writes as twice as many.
func TestSignalsFitWhereverTheyCameThrough(t *testing.T) {
	for six := 1; six <= MaxSignal; six += 64 {
		q := request{Kind: kindSignal, To: 1, Data: strings.Repeat("\x01", six)}
		b := encode(q) // characters that JSON may escape can be sent unescaped in it
		double := min((MaxSignal-six)/3, (MaxMessage-len(b))/3)
		if double < 0 {
			break
		}
		text := strings.Repeat("\u2028", double)
		b = []byte(strings.Replace(string(b), `"data":"`, `"data":"`+text, 1))
		q, err := decodeRequest(b)
		if err != nil || len(q.Data) != six+3*double {
			t.Fatalf("%d bytes of data, %v", len(q.Data), err)
		}
		if r, err := decodeReply(encode(reply{Kind: kindSignal, From: 1<<32 - 1, Data: q.Data})); err != nil || r.Data != q.Data {
			t.Fatalf("%d and %d signs: %v", six, double, err)
		}
	}
}

// A server takes requests up to their limits, and says what is wrong with others.
func TestRequestsThatMakeNoSense(t *testing.T) {
	create := request{Kind: kindCreate, Game: "g", Seats: 2}
	join, rejoin := request{Kind: kindJoin, Room: "r"}, request{Kind: kindRejoin, Room: "r", Secret: "s"}
	with := func(q request, change func(q *request)) request { change(&q); return q }
	short := strings.Repeat("x", 64)
	for what, c := range map[string]struct {
		q    request
		says string // "" is taken
	}{
		"2 seats":          {create, ""},
		"16 seats":         {with(create, func(q *request) { q.Seats, q.Spectators = 16, 32 }), ""},
		"1 seat":           {with(create, func(q *request) { q.Seats = 1 }), ""},
		"0 seats":          {with(create, func(q *request) { q.Seats = 0 }), "0 seats, must be 1 to 16"},
		"17 seats":         {with(create, func(q *request) { q.Seats = 17 }), "17 seats, must be 1 to 16"},
		"-1 spectators":    {with(create, func(q *request) { q.Spectators = -1 }), "-1 spectators, must be 0 to 32"},
		"33 spectators":    {with(create, func(q *request) { q.Spectators = 33 }), "33 spectators, must be 0 to 32"},
		"no game":          {with(create, func(q *request) { q.Game = "" }), "a room needs a game"},
		"long texts":       {with(rejoin, func(q *request) { q.Room, q.Game, q.Build, q.Secret, q.Instance = short, short, short, short, short }), ""},
		"a longer room":    {with(join, func(q *request) { q.Room = short + "x" }), "room has 65 bytes, more than 64"},
		"a longer game":    {with(join, func(q *request) { q.Game = short + "x" }), "game has 65 bytes, more than 64"},
		"a longer build":   {with(join, func(q *request) { q.Build = short + "x" }), "build has 65 bytes, more than 64"},
		"a longer secret":  {with(rejoin, func(q *request) { q.Secret = short + "x" }), "secret has 65 bytes, more than 64"},
		"a longer program": {with(join, func(q *request) { q.Instance = short + "x" }), "instance has 65 bytes, more than 64"},
		"a name of lines":  {with(join, func(q *request) { q.Name = "a\nb" }), "name has characters that cannot be printed"},
		"joined emoji":     {with(join, func(q *request) { q.Name = "👨\u200D👩\u200D👧" }), ""},
		"a Persian name":   {with(join, func(q *request) { q.Name = "علی\u200Cرضا" }), ""},
		"only a joiner":    {with(join, func(q *request) { q.Name = "\u200D" }), "name has characters that cannot be printed"},
		"joiners":          {with(join, func(q *request) { q.Name = "👨\u200D\u200D👩" }), "name has characters that cannot be printed"},
		"a joiner before":  {with(join, func(q *request) { q.Name = "\u200CA" }), "name has characters that cannot be printed"},
		"a joiner behind":  {with(join, func(q *request) { q.Name = "A \u200D" }), "name has characters that cannot be printed"},
		"a joiner at last": {with(join, func(q *request) { q.Name = "A\u200D" }), "name has characters that cannot be printed"},
		"a strange status": {request{Kind: kindStatus, Data: "\u202e"}, "status has characters that cannot be printed"},
		"a name":           {with(join, func(q *request) { q.Name = "Ädä 🎲" }), ""},
		"any role":         {join, ""},
		"a player":         {with(join, func(q *request) { q.Role = Player }), ""},
		"a spectator":      {with(join, func(q *request) { q.Role = Spectator }), ""},
		"another role":     {with(join, func(q *request) { q.Role = "king" }), `no role is called "king"`},
		"no room":          {with(join, func(q *request) { q.Room = "" }), "no room"},
		"no secret":        {with(rejoin, func(q *request) { q.Secret = "" }), "no secret"},
		"a seat too low":   {with(join, func(q *request) { q.Seat = new(-2) }), "seat -2, must be -1 to 15"},
		"a seat too high":  {with(join, func(q *request) { q.Seat = new(16) }), "seat 16, must be -1 to 15"},
		"match 0":          {request{Kind: kindPlaying}, "no match is 0"},
		"the end of none":  {request{Kind: kindEnded}, "no match is 0"},
		"a match":          {request{Kind: kindEnded, Match: 1}, ""},
		"no seat to take":  {request{Kind: kindTake}, "take which seat?"},
		"to take to watch": {request{Kind: kindTake, Seat: new(NoSeat)}, "take which seat?"},
		"a seat to take":   {request{Kind: kindTake, Seat: new(0)}, ""},
		"absent from none": {request{Kind: kindAbsent, To: 1}, "no match is 0"},
		"nothing":          {request{}, `no message is called ""`},
		"something else":   {request{Kind: short + "x"}, `no message is called "` + short + `"`},
	} {
		_, err := decodeRequest(encode(c.q))
		if (err == nil) != (c.says == "") || err != nil && (!errors.Is(err, ErrBadMessage) || !strings.HasSuffix(err.Error(), ": "+c.says)) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := decodeRequest([]byte(`{"t":"leave","seats":"x"}`)); !errors.Is(err, ErrBadMessage) {
		t.Errorf("a word for a number: %v", err)
	}
	leave := encode(request{Kind: kindLeave})
	for more, good := range map[int]bool{0: true, 1: false} {
		if _, err := decodeRequest(append(slices.Repeat([]byte(" "), 48<<10-len(leave)+more), leave...)); (err == nil) != good {
			t.Errorf("48 KiB and %d bytes: %v", more, err)
		}
	}
}

// An impossible entry is refused before the server is asked, and a ticket leads to its room.
func TestEntriesAndTickets(t *testing.T) {
	for text, want := range map[string]string{"room.secret": "room", "room.": "", ".secret": "", "room": "", "": "", ".": "", "a.b.c": "a"} {
		if got := RoomOf(text); got != want {
			t.Errorf("%q is a ticket for %q", text, got)
		}
	}
	seat := new(1)
	for what, c := range map[string]struct {
		e    Entry
		want request
	}{
		"to make a room": {
			Entry{GameID: "g", Build: "b", Name: "n", Seats: 2, Spectators: 3, Settings: "s", Seat: seat, Role: Spectator},
			request{Kind: kindCreate, Game: "g", Build: "b", Name: "n", Seats: 2, Spectators: 3, Data: "s", Seat: seat, Instance: "i"},
		},
		"to join one": {
			Entry{GameID: "g", Build: "b", Room: "r", Role: Player, Seat: seat, Seats: 4, Settings: "s"},
			request{Kind: kindJoin, Game: "g", Build: "b", Room: "r", Role: Player, Seat: seat, Instance: "i"},
		},
		"to come back": {
			Entry{GameID: "g", Build: "b", Ticket: "r.s", Room: "other", Seat: seat},
			request{Kind: kindRejoin, Game: "g", Build: "b", Room: "r", Secret: "s", Instance: "i"},
		},
	} {
		if q, err := c.e.request("i"); err != nil || q != c.want {
			t.Errorf("%s: %+v, %v", what, q, err)
		}
	}
	if _, err := (&Entry{GameID: "g", Ticket: "room"}).request("i"); !errors.Is(err, ErrBadMessage) {
		t.Errorf("a ticket without a secret: %v", err)
	}
}
