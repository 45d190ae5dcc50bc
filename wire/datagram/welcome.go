package datagram

import (
	"encoding/binary"

	"github.com/tickback/tickback/wire/rate"
)

// MaxText is the maximum size of a text in a Welcome, in bytes.
const MaxText = 64

// Items are the properties that two peers must have in common, in readable form, so that the first difference can be
// named; and the players of the sender.
type Items struct {
	Game     string // the name of the game
	Build    string // the version of the game, in its author's numbering
	Platform string // what floats depend on; empty without floats

	Players    byte   // the number of players in the match, 1 to MaxPlayers
	Own        uint16 // the players of the sender, bit p for player p
	InputSize  byte   // in bytes
	TickRate   uint16 // frames per second; the nearest integer, if Rate is given
	MaxOrders  uint16 // in bytes
	ChainEvery uint16 // frames between two comparisons
	HashEvery  uint16 // frames between two hashes of states; 0 for none
	Rule       Rule   // what happens when a player leaves
	State      uint64 // the hash of state 0 as made by the game's own Init

	Rate rate.Rate // the exact tick rate, if it is no integer
}

// Offer has the parameters of a match that the host proposes.
type Offer struct {
	Match   uint32 // 1, 2, ...
	State   uint64 // the hash of state 0; the host is ready with it
	Seed    uint64
	Frames  uint32 // the length of the match in frames; 0: no limit
	Content uint64 // a digest of the game's content
	Data    []byte // data of the game
}

// Welcome answers a Hello.
type Welcome struct {
	Version byte
	Nonce   uint64 // the sender's nonce
	Attempt byte   // of the Hello that it answers
	Items   Items
	Engaged Engaged
	Offer   *Offer // nil if there is none, or if it is too long
	Run     uint64 // ID of the sender's process, for a machine that watches or plays at a server; 0: not given
}

// Engaged says that the sender of a Welcome is in a session with an earlier process at the receiver's address, and so
// cannot be in one with this process.
type Engaged struct {
	Earlier bool // the sender is in such a session
	Playing bool // a match is being played in it
	Joins   bool // others may join the match, with its token
}

// Flags of a Welcome.
const (
	flagOffer = 1 << iota
	flagEarlier
	flagPlaying
	flagJoins
	flagRun
	flagRate
)

func (w *Welcome) flags() byte {
	return flag(w.Offer != nil, flagOffer) | flag(w.Engaged.Earlier, flagEarlier) |
		flag(w.Engaged.Playing, flagPlaying) | flag(w.Engaged.Joins, flagJoins) | flag(w.Run != 0, flagRun) | flag(w.Items.Rate.Given(), flagRate)
}

// setFlags sets the fields from the flags, and reports whether the flags are consistent: Earlier excludes an offer,
// Playing and Joins need Earlier, and a run excludes all of these.
func (w *Welcome) setFlags(f byte) bool {
	f &^= flagRate
	w.Engaged = Engaged{f&flagEarlier != 0, f&flagPlaying != 0, f&flagJoins != 0}
	return f == flagRun || f < flagRun && (w.Engaged.Earlier && f&flagOffer == 0 || f <= flagOffer)
}

// MaxOffer is the maximum size, in bytes, of an [Offer.Data] that can fit into a Welcome without a rate; see
// [Welcome.OfferFits].
const MaxOffer = HelloSize - TagSize - welcomeFixed - 3*(MaxText+1) - 1 - itemNumbers - 1 - offerNumbers

const (
	itemNumbers  = 1 + 1 + 2 + 2 + 2 + 2 + 1 + 8 // the numbers besides Own
	offerNumbers = 4 + 8 + 8 + 4 + 8
	rateSize     = 4 + 4
)

// OfferFits reports whether the Welcome, with its offer and its tag, has at most size
// bytes. Without an offer it has at most MinSize.
func (w *Welcome) OfferFits(size int) bool {
	texts := len(w.Items.Game) + len(w.Items.Build) + len(w.Items.Platform)
	if w.Items.Rate.Given() {
		size -= rateSize
	}
	return w.Offer != nil && welcomeFixed+3+texts+w.Items.sets().Size()+itemNumbers+1+offerNumbers+len(w.Offer.Data)+TagSize <= size
}

// Append appends the datagram, without its tag. Texts must not be longer than
// MaxText, nor Data than MaxOffer.
func (w *Welcome) Append(b []byte) []byte {
	le := binary.LittleEndian
	b = append(append(b, KindWelcome), magic...)
	b = le.AppendUint64(append(b, w.Version), w.Nonce)
	b = append(b, w.Attempt)
	it := &w.Items
	for _, text := range [...]string{it.Game, it.Build, it.Platform} {
		b = append(append(b, byte(len(text))), text...)
	}
	b = append(it.sets().Append(append(b, it.Players), it.Own), it.InputSize)
	b = le.AppendUint16(b, it.TickRate)
	b = le.AppendUint16(b, it.MaxOrders)
	b = le.AppendUint16(b, it.ChainEvery)
	b = le.AppendUint16(b, it.HashEvery)
	b = le.AppendUint64(append(b, byte(it.Rule)), it.State)
	if b = append(b, w.flags()); it.Rate.Given() {
		b = le.AppendUint32(le.AppendUint32(b, it.Rate.Frames), it.Rate.Seconds)
	}
	if w.Run != 0 {
		b = le.AppendUint64(b, w.Run)
	}
	if w.Offer == nil {
		return b
	}
	return w.Offer.Append(b)
}

// OpenWelcome returns the Welcome that is a whole datagram, and answers a Hello with this nonce; ok is false otherwise.
func OpenWelcome(nonce uint64, b []byte) (w Welcome, ok bool) {
	body, ok := Key(nonce).Open(b, 0)
	if !ok {
		return w, false
	}
	w, err := ConsumeWelcome(body)
	return w, err == nil
}

// ConsumeWelcome reads a Welcome without its tag, which must be all of b. If it has another version, only the version
// and the nonce are read. Data is a slice of b.
func ConsumeWelcome(b []byte) (w Welcome, err error) {
	switch {
	case len(b) < welcomeFixed:
		return w, ErrShort
	case b[0] != KindWelcome:
		return w, ErrKind
	case string(b[1:4]) != magic:
		return w, ErrMagic
	}
	w.Version, w.Nonce, w.Attempt = b[4], binary.LittleEndian.Uint64(b[5:]), b[13]
	if w.Version != Version {
		return w, nil
	}
	b = b[welcomeFixed:]
	it := &w.Items
	for _, text := range [...]*string{&it.Game, &it.Build, &it.Platform} {
		if b, err = consumeText(text, b); err != nil {
			return w, err
		}
	}
	if b, err = it.consumeNumbers(b); err != nil {
		return w, err
	}
	flags, b := b[0], b[1:]
	if !w.setFlags(flags) {
		return w, ErrRange
	}
	if flags&flagRate != 0 {
		if b, err = it.consumeRate(b); err != nil {
			return w, err
		}
	}
	switch {
	case flags&flagRun != 0:
		if len(b) < 8 {
			return w, ErrShort
		}
		if w.Run, b = binary.LittleEndian.Uint64(b), b[8:]; w.Run == 0 {
			return w, ErrRange
		}
		if len(b) > 0 {
			return w, ErrTrailing
		}
	case flags&flagOffer != 0:
		var o Offer
		if err := o.Consume(b); err != nil {
			return w, err
		}
		w.Offer = &o
	case len(b) > 0:
		return w, ErrTrailing
	}
	return w, nil
}

// sets returns the encoding of the sets of players of the match.
func (it *Items) sets() Sets { return SetsOf(int(it.Players)) }

// consumeNumbers reads the fields after the texts, and returns the rest, which is at least one byte.
func (it *Items) consumeNumbers(b []byte) (rest []byte, err error) {
	if len(b) < 1 {
		return nil, ErrShort
	}
	if it.Players = b[0]; it.Players > MaxPlayers {
		return nil, ErrRange
	}
	if it.Own, b, err = it.sets().Consume(b[1:]); err != nil {
		return nil, err
	}
	if len(b) < itemNumbers {
		return nil, ErrShort
	}
	le := binary.LittleEndian
	it.InputSize, it.TickRate, it.MaxOrders = b[0], le.Uint16(b[1:]), le.Uint16(b[3:])
	it.ChainEvery, it.HashEvery = le.Uint16(b[5:]), le.Uint16(b[7:])
	it.Rule, it.State = Rule(b[9]), le.Uint64(b[10:])
	return b[itemNumbers-1:], nil
}

// consumeRate reads the exact tick rate, to which the integer that was read before must be the nearest.
func (it *Items) consumeRate(b []byte) ([]byte, error) {
	if len(b) < rateSize {
		return nil, ErrShort
	}
	le := binary.LittleEndian
	it.Rate = rate.Rate{Frames: le.Uint32(b), Seconds: le.Uint32(b[4:])}
	if it.Rate.Canonical() != nil || it.Rate.Nearest() != int(it.TickRate) {
		return nil, ErrRange
	}
	return b[rateSize:], nil
}

func consumeText(text *string, b []byte) ([]byte, error) {
	if len(b) < 1 || len(b) < 1+int(b[0]) {
		return nil, ErrShort
	}
	n := int(b[0])
	if n > MaxText {
		return nil, ErrRange
	}
	*text = string(b[1 : 1+n])
	return b[1+n:], nil
}

// Append appends the offer.
func (o *Offer) Append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, o.Match)
	b = le.AppendUint64(b, o.State)
	b = le.AppendUint64(b, o.Seed)
	b = le.AppendUint32(b, o.Frames)
	b = le.AppendUint64(b, o.Content)
	return append(b, o.Data...)
}

// Consume reads an offer, which must be all of b. Data is a slice of b.
func (o *Offer) Consume(b []byte) error {
	if len(b) < offerNumbers {
		return ErrShort
	}
	le := binary.LittleEndian
	*o = Offer{
		Match: le.Uint32(b), State: le.Uint64(b[4:]), Seed: le.Uint64(b[12:]), Frames: le.Uint32(b[20:]),
		Content: le.Uint64(b[24:]), Data: b[offerNumbers:],
	}
	return nil
}
