package webrtc

import (
	"encoding/json"
	"errors"
)

// MaxSignal is the maximum size of a signal in bytes.
const MaxSignal = 16 << 10

// Limits of the contents of a signal, in bytes. Descriptions of one data channel have some hundreds of bytes, and
// some thousands if a browser puts candidates into them.
const (
	maxSDP       = 12 << 10
	maxCandidate = 1 << 10
	maxInstance  = 32
)

// The kinds of signals.
const (
	sayHello     = "hello"     // has the sender's instance; Want: the sender is not connected
	sayOffer     = "offer"     // a description, from the peer with the lower number
	sayAnswer    = "answer"    // a description, from the other peer
	sayCandidate = "candidate" // a possible path
)

// message is a signal. From and To are instances; Attempt numbers the connections of an
// instance of the offering peer.
type message struct {
	Kind      string     `json:"k"`
	From      string     `json:"f"`
	To        string     `json:"to,omitempty"`
	Attempt   uint32     `json:"n,omitempty"`
	Want      bool       `json:"w,omitempty"`
	SDP       string     `json:"sdp,omitempty"`
	Candidate *candidate `json:"c,omitempty"`
}

// candidate is an RTCIceCandidateInit.
type candidate struct {
	Text     string  `json:"candidate"`
	Mid      *string `json:"sdpMid,omitempty"`
	Line     *uint16 `json:"sdpMLineIndex,omitempty"`
	Fragment *string `json:"usernameFragment,omitempty"`
}

func (m *message) encode() string {
	b, _ := json.Marshal(m) // there is no error: a message can always be encoded
	return string(b)
}

var errSignal = errors.New("webrtc: a signal that makes no sense")

// decodeSignal reads a peer's signal, which is not trusted.
func decodeSignal(text string) (message, error) {
	var m message
	if len(text) > MaxSignal || json.Unmarshal([]byte(text), &m) != nil {
		return message{}, errSignal
	}
	ok := m.From != "" && len(m.From) <= maxInstance && len(m.To) <= maxInstance && len(m.SDP) <= maxSDP
	switch m.Kind {
	case sayHello:
	case sayOffer, sayAnswer:
		ok = ok && m.SDP != "" && m.Attempt != 0
	case sayCandidate:
		ok = ok && m.Attempt != 0 && m.Candidate != nil && m.Candidate.bounded()
	default:
		ok = false
	}
	if !ok {
		return message{}, errSignal
	}
	return m, nil
}

func (c *candidate) bounded() bool {
	n := len(c.Text)
	for _, s := range []*string{c.Mid, c.Fragment} {
		if s != nil {
			n += len(*s)
		}
	}
	return n <= maxCandidate
}
