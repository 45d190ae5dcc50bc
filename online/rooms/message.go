package rooms

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Subprotocol is the WebSocket subprotocol, with the version of the messages.
const Subprotocol = "tickback-rooms-1"

// Limits of messages, in bytes.
const (
	MaxMessage  = 48 << 10 // a whole message from a client: a signal in which every byte is escaped once
	MaxSignal   = 16 << 10 // the data of Signal: an SDP for data channels has about 1 KiB
	MaxSettings = 4 << 10
	MaxStatus   = 64
	MaxName     = 32

	maxShort   = 64       // a game's ID, a build, a secret
	maxText    = 512      // the text of an error
	maxPush    = 64 << 10 // a whole message from the server
	maxICE     = 16       // number of servers
	maxICEText = 512      // bytes in a URL, a name or a credential
)

// The kinds of messages from a client.
const (
	kindCreate   = "create"
	kindJoin     = "join"
	kindRejoin   = "rejoin"
	kindLeave    = "leave"
	kindSignal   = "signal"
	kindSettings = "settings"
	kindStatus   = "status"
	kindSit      = "sit"
	kindTake     = "take"
	kindStart    = "start"
	kindPlaying  = "playing"
	kindEnded    = "ended"
	kindKick     = "kick"
	kindAbsent   = "absent"
)

// The kinds of messages from the server, besides signal.
const (
	kindWelcome = "welcome"
	kindState   = "state"
	kindError   = "error"
	kindPing    = "ping"
	kindICE     = "ice"
)

// request is a message from a client; its kind determines which fields are used.
type request struct {
	Kind       string `json:"t"`
	Room       string `json:"room,omitempty"`
	Game       string `json:"game,omitempty"`
	Build      string `json:"build,omitempty"`
	Secret     string `json:"secret,omitempty"`
	Instance   string `json:"instance,omitempty"`
	Name       string `json:"name,omitempty"`
	Role       Role   `json:"role,omitempty"`
	Seat       *int   `json:"seat,omitempty"` // nil means any free seat
	Take       bool   `json:"take,omitempty"` // in a join: a vacant seat is fine, too
	Seats      int    `json:"seats,omitempty"`
	Spectators int    `json:"spectators,omitempty"`
	To         uint32 `json:"to,omitempty"`
	Match      uint32 `json:"match,omitempty"`
	Data       string `json:"data,omitempty"`
}

// reply is a message from the server.
type reply struct {
	Kind   string      `json:"t"`
	You    uint32      `json:"you,omitempty"`
	Secret string      `json:"secret,omitempty"`
	Token  string      `json:"token,omitempty"` // the token of the match, for members with a seat
	ICE    []ICEServer `json:"ice,omitempty"`
	State  *State      `json:"state,omitempty"`
	From   uint32      `json:"from,omitempty"`
	Data   string      `json:"data,omitempty"`
	Code   string      `json:"code,omitempty"`
	Text   string      `json:"text,omitempty"`
	Game   string      `json:"game,omitempty"`
	Build  string      `json:"build,omitempty"`
	Final  bool        `json:"final,omitempty"` // the connection ends after this message
	Ping   int         `json:"ping,omitempty"`  // the interval of pings, in milliseconds
}

// encode writes a message. Characters with a meaning in HTML are not escaped: this is not HTML.
func encode(message any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(message) // there is no error: these structs can always be encoded
	return b.Bytes()
}

// decodeRequest reads a message from a client, and returns an error if it exceeds a limit. All errors wrap
// ErrBadMessage.
func decodeRequest(b []byte) (request, error) {
	var r request
	if len(b) > MaxMessage {
		return r, refuse(ErrBadMessage, "%d bytes, more than %d", len(b), MaxMessage)
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return request{}, refuse(ErrBadMessage, "no JSON object of this protocol")
	}
	if err := r.check(); err != nil {
		return request{}, err
	}
	return r, nil
}

// check returns an error if a field exceeds its limit.
func (r *request) check() error {
	for _, f := range [...]struct {
		name, text string
		most       int
	}{
		{"room", r.Room, maxShort},
		{"game", r.Game, maxShort},
		{"build", r.Build, maxShort},
		{"secret", r.Secret, maxShort},
		{"instance", r.Instance, maxShort},
		{"name", r.Name, MaxName},
	} {
		if err := short(f.name, f.text, f.most); err != nil {
			return err
		}
	}
	if r.Seat != nil && (*r.Seat < NoSeat || *r.Seat >= MaxSeats) {
		return refuse(ErrBadMessage, "seat %d, must be %d to %d", *r.Seat, NoSeat, MaxSeats-1)
	}
	return r.checkKind()
}

// checkKind returns an error if the fields do not fit the kind.
func (r *request) checkKind() error {
	switch r.Kind {
	case kindCreate:
		return r.checkCreate()
	case kindJoin, kindRejoin:
		return r.checkEntry()
	case kindSignal:
		return long("a signal", r.Data, MaxSignal)
	case kindSettings:
		return long("the settings", r.Data, MaxSettings)
	case kindStatus:
		return short("status", r.Data, MaxStatus)
	case kindTake:
		if r.Seat == nil || *r.Seat == NoSeat {
			return refuse(ErrBadMessage, "take which seat?")
		}
		return nil
	case kindPlaying, kindEnded, kindAbsent:
		if r.Match == 0 {
			return refuse(ErrBadMessage, "no match is 0")
		}
		return nil
	case kindLeave, kindSit, kindStart, kindKick:
		return nil
	}
	return refuse(ErrBadMessage, "no message is called %q", clip(r.Kind, maxShort))
}

func (r *request) checkCreate() error {
	switch {
	case r.Seats < MinSeats || r.Seats > MaxSeats:
		return refuse(ErrBadMessage, "%d seats, must be %d to %d", r.Seats, MinSeats, MaxSeats)
	case r.Spectators < 0 || r.Spectators > MaxSpectators:
		return refuse(ErrBadMessage, "%d spectators, must be 0 to %d", r.Spectators, MaxSpectators)
	case r.Game == "":
		return refuse(ErrBadMessage, "a room needs a game")
	}
	return long("the settings", r.Data, MaxSettings)
}

func (r *request) checkEntry() error {
	switch {
	case r.Room == "":
		return refuse(ErrBadMessage, "no room")
	case r.Kind == kindRejoin && r.Secret == "":
		return refuse(ErrBadMessage, "no secret")
	case r.Role != AnyRole && r.Role != Player && r.Role != Spectator:
		return refuse(ErrBadMessage, "no role is called %q", clip(string(r.Role), maxShort))
	}
	return nil
}

// short returns an error if a text is too long or does not fit on one line.
func short(what, text string, most int) error {
	switch {
	case len(text) > most:
		return refuse(ErrBadMessage, "%s has %d bytes, more than %d", what, len(text), most)
	case !printable(text):
		return refuse(ErrBadMessage, "%s has characters that cannot be printed", what)
	}
	return nil
}

// printable reports whether all characters of a text are visible. Between two visible characters, one that joins or
// separates them is part of the spelling: in Persian, in Indic scripts, and in emoji.
func printable(text string) bool {
	const parter, joiner = '\u200C', '\u200D'
	between := false // whether the previous character can be joined
	for _, r := range text {
		switch {
		case r == joiner || r == parter:
			if !between {
				return false
			}
			between = false
			continue
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return false
		}
		between = r != ' '
	}
	return !strings.HasSuffix(text, string(joiner)) && !strings.HasSuffix(text, string(parter))
}

func long(what, text string, most int) error {
	if len(text) > most {
		return refuse(ErrBadMessage, "%s: %d bytes, more than %d", what, len(text), most)
	}
	return nil
}

// clip shortens an untrusted text of any length, for use in an error.
func clip(text string, most int) string {
	text = strings.ToValidUTF8(text, "?")
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// decodeReply reads a message from the server, which is not trusted either.
func decodeReply(b []byte) (reply, error) {
	var r reply
	if len(b) > maxPush {
		return r, refuse(ErrBadMessage, "%d bytes, more than %d", len(b), maxPush)
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return reply{}, refuse(ErrBadMessage, "no JSON object of this protocol")
	}
	return r, r.check()
}

// check returns an error if a client could not use the message.
func (r *reply) check() error {
	switch r.Kind {
	case kindWelcome, kindState:
		if r.State == nil || r.Kind == kindWelcome && (r.You == 0 || r.Secret == "") {
			return refuse(ErrBadMessage, "a %s without its fields", r.Kind)
		}
		return r.State.check(r.ICE)
	case kindSignal:
		return long("a signal", r.Data, MaxSignal)
	case kindICE:
		return checkServers(r.ICE)
	case kindError, kindPing:
		return nil
	}
	return refuse(ErrBadMessage, "no message is called %q", clip(r.Kind, maxShort))
}

// check returns an error if a state exceeds a limit on which the client relies.
func (s *State) check(ice []ICEServer) error {
	bad := len(s.Members) > MaxSeats+MaxSpectators || len(s.Starters) > MaxSeats ||
		s.Seats < MinSeats || s.Seats > MaxSeats || s.Spectators < 0 || s.Spectators > MaxSpectators || s.Room == ""
	for i, m := range s.Members {
		bad = bad || m.ID == 0 || m.Seat < NoSeat || m.Seat >= s.Seats || i > 0 && s.Members[i-1].ID >= m.ID ||
			m.Seat != NoSeat && s.sitting(m.Seat) > 1 || m.Vacant && (m.Connected || m.Seat == NoSeat) || m.Taken != 0 && m.Seat != NoSeat
	}
	for i, m := range s.Starters {
		bad = bad || m.ID == 0 || m.Seat < 0 || m.Seat >= s.Seats || i > 0 && s.Starters[i-1].Seat >= m.Seat
	}
	if bad {
		return refuse(ErrBadMessage, "the state of the room makes no sense")
	}
	return checkServers(ice)
}

// checkServers returns an error if servers exceed a limit.
func checkServers(ice []ICEServer) error {
	bad := len(ice) > maxICE
	for _, server := range ice {
		for _, u := range server.URLs {
			bad = bad || len(u) > maxICEText
		}
		bad = bad || len(server.URLs) > maxICE || len(server.Username) > maxICEText || len(server.Credential) > maxICEText
	}
	if bad {
		return refuse(ErrBadMessage, "too many or too long ICE servers")
	}
	return nil
}

// sitting counts the members who have this seat.
func (s *State) sitting(seat int) (n int) {
	for _, m := range s.Members {
		if m.Seat == seat {
			n++
		}
	}
	return n
}
