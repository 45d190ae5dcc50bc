package served

import (
	"encoding/binary"

	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// Messages of the control stream, by their first byte. The client sends orders, what differs, and the
// farewell, the server all but orders and what differs.
const (
	messageBegin   = 1 + iota // an offer: the match that is played
	messagePlace              // player, tick: whom the client plays, and from which tick on
	messageState              // number, size: a state, which follows in chunks
	messageChunk              // bytes of it
	messageOrders             // tick, bytes: orders of the client
	messageEnd                // result, flags, summary: how the match has ended
	messageBye                // text: nothing more comes
	messageDiffers            // number: the client has another state than this one, and asks for it
	messageTruth              // number, size, machine: the state that it has asked for, which follows in parts
	messagePart               // bytes of it
	messageSlipped            // periods: so much later than before all further ticks are due
	messageToken              // revoked, text: a bye to a machine whose token is not good here
)

const (
	// maxChunk is the most bytes of a chunk.
	maxChunk = 8 << 10
	// maxText is the most bytes of a farewell.
	maxText = 256
	// maxMachine is the most bytes of what a server runs on.
	maxMachine = 64
)

var le = binary.LittleEndian

func appendPlace(b []byte, p Player, from Frame) []byte {
	return le.AppendUint32(append(b, messagePlace, byte(p)), uint32(from))
}

func consumePlace(b []byte, players int) (p Player, from Frame, err error) {
	switch {
	case len(b) != 5:
		return 0, 0, datagram.ErrShort
	case int(b[0]) >= players:
		return 0, 0, datagram.ErrRange
	}
	return Player(b[0]), Frame(le.Uint32(b[1:])), nil
}

func appendSlipped(b []byte, periods uint32) []byte {
	return le.AppendUint32(append(b, messageSlipped), periods)
}

// maxSlipped bounds by how many periods ticks are due later than before: no server is away for longer.
const maxSlipped = 1 << 20

func consumeSlipped(b []byte) (periods uint32, err error) {
	if len(b) != 4 {
		return 0, datagram.ErrShort
	}
	if periods = le.Uint32(b); periods == 0 || periods > maxSlipped {
		return 0, datagram.ErrRange
	}
	return periods, nil
}

func appendState(b []byte, number Frame, size int) []byte {
	return le.AppendUint32(le.AppendUint32(append(b, messageState), uint32(number)), uint32(size))
}

func consumeState(b []byte) (number Frame, size int, err error) {
	if len(b) != 8 {
		return 0, 0, datagram.ErrShort
	}
	return Frame(le.Uint32(b)), int(le.Uint32(b[4:])), nil
}

func appendOrders(b []byte, f Frame, orders []byte) []byte {
	return append(le.AppendUint32(append(b, messageOrders), uint32(f)), orders...)
}

func consumeOrders(b []byte, most int) (f Frame, orders []byte, err error) {
	switch {
	case len(b) <= 4:
		return 0, nil, datagram.ErrShort
	case len(b)-4 > most:
		return 0, nil, datagram.ErrRange
	}
	return Frame(le.Uint32(b)), b[4:], nil
}

func appendEnd(b []byte, o *stream.Outcome) []byte {
	b = le.AppendUint64(append(b, messageEnd), o.Result)
	b = le.AppendUint16(append(b, bit(o.Finished, 1)), uint16(o.Left))
	return o.Summary.Append(b)
}

func consumeEnd(b []byte) (o stream.Outcome, err error) {
	switch {
	case len(b) < 11:
		return o, datagram.ErrShort
	case b[8] > 1:
		return o, datagram.ErrRange
	}
	o.Result, o.Finished, o.Left = le.Uint64(b), b[8] == 1, PlayerSet(le.Uint16(b[9:]))
	o.Summary, err = stream.ConsumeSummary(b[11:])
	return o, err
}

func appendDiffers(b []byte, f Frame) []byte {
	return le.AppendUint32(append(b, messageDiffers), uint32(f))
}

func consumeDiffers(b []byte) (f Frame, err error) {
	if len(b) != 4 {
		return 0, datagram.ErrShort
	}
	return Frame(le.Uint32(b)), nil
}

// appendTruth appends the message of a state of so many bytes; of 0, if it is not held any more.
func appendTruth(b []byte, f Frame, size int, machine string) []byte {
	b = le.AppendUint32(append(b, messageTruth), uint32(f))
	return append(le.AppendUint32(b, uint32(size)), machine...)
}

func consumeTruth(b []byte) (f Frame, size int, machine string, err error) {
	switch {
	case len(b) < 8:
		return 0, 0, "", datagram.ErrShort
	case len(b) > 8+maxMachine:
		return 0, 0, "", datagram.ErrRange
	}
	return Frame(le.Uint32(b)), int(le.Uint32(b[4:])), string(b[8:]), nil
}

// text is a reason of the other side, as long as it may be.
func text(b []byte) string { return string(b[:min(len(b), maxText)]) }
