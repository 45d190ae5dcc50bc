package served

import (
	"encoding/binary"

	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
)

// Messages of the control stream, by their first byte. The client sends messageOrders, messageDiffers and
// messageBye, the server sends all except messageOrders and messageDiffers.
const (
	messageBegin   = 1 + iota // an offer: the current match
	messagePlace              // player, tick: the client's player, and its first tick
	messageState              // number, size: a state, whose chunks follow
	messageChunk              // bytes of it
	messageOrders             // tick, bytes: orders of the client
	messageEnd                // result, flags, summary: how the match ended
	messageBye                // text: nothing more comes
	messageDiffers            // number: the client's version of this state differs, and it requests the server's
	messageTruth              // number, size, machine: the requested state, whose parts follow
	messagePart               // bytes of it
	messageSlipped            // periods: by how much all further ticks are postponed
	messageToken              // revoked, text: a bye to a machine whose token is not valid here
)

const (
	// maxText is the maximum size of a farewell, in bytes.
	maxText = 256
	// maxMachine is the maximum size of a machine description, in bytes.
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

// maxSlipped is the maximum number of periods by which ticks can be postponed: no server is interrupted for
// longer.
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

// appendTruth appends the message about a state of the given size; 0 means that it is no longer held.
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

// text returns the reason sent by the other side, truncated to maxText.
func text(b []byte) string { return string(b[:min(len(b), maxText)]) }
