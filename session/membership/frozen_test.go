package membership

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/tickback/tickback/wire/datagram"
)

// ofAll encodes sets in the largest match, and ofFew in one of at most 8 players.
var ofAll, ofFew = datagram.SetsOf(maxPlayers), datagram.SetsOf(8)

// The bytes of the log do not change, on any machine: docs/reference/wire.md lists them.
func TestFrozenMember(t *testing.T) {
	full := claim{accused: 1, stopped: 0b101, whole: 0b10, wishes: wishes{leaving: true, leave: 9, kick: 2, resume: true}}
	full.held = [maxPlayers]Frame{3, 4, 0x01020304}
	full.ready[3] = newcomer{0b1001000, 0x1122334455667788}
	full.intent = intent{kind: Drop, players: 6}
	full.gate = gate{full.ready[3], 100}
	joins := claim{intent: intent{Join, full.gate.players, full.gate}}
	s := Begin([]PlayerSet{0b1, 0b110}, 0b1000)
	apply(t, &s, Entry{Kind: Join, Players: 0b1000, Frame: 100, ID: 5}, Entry{Kind: Pause, Players: 0b1, Frame: 120})

	const zeros, present = "0000" + "0000000000000000", "ffffffff" + "ffffffff"
	for name, c := range map[string]struct {
		bytes []byte
		want  string
	}{
		"none":    {Entry{}.append(nil, ofFew), "00"},
		"leave":   {Entry{Kind: Leave, Players: 0b110, Frame: 120}.append(nil, ofFew), "0106" + "78000000"},
		"drop":    {Entry{Kind: Drop, Players: 0b10010, Cuts: [maxPlayers]Frame{1: 7, 4: 1 << 30}}.append(nil, ofFew), "0212" + "07000000" + "00000040"},
		"kick":    {Entry{Kind: Kick, Players: 1, Cuts: [maxPlayers]Frame{5}}.append(nil, ofFew), "0301" + "05000000"},
		"join":    {Entry{Kind: Join, Players: 0b11000000, Frame: 900, ID: 1 << 63}.append(nil, ofFew), "04c0" + "84030000" + "0000000000000080"},
		"pause":   {Entry{Kind: Pause, Players: 1, Frame: 1}.append(nil, ofFew), "0501" + "01000000"},
		"resume":  {Entry{Kind: Resume, Players: 1, Frame: 1}.append(nil, ofFew), "0601" + "01000000"},
		"silence": {(&message{}).append(nil, ofFew), "00" + "00000000" + "000000" + "00" + "00" + "000000" + "00" + "00"},
		"claim": {
			(&message{slot: 7, claim: full}).append(nil, ofFew),
			"00" + "07000000" + "010502" + "03000000" + "04000000" + "04030201" + "08" + "488877665544332211" +
				"01" + "09000000" + "020001" + "0206" + "01" + "488877665544332211" + "64000000",
		},
		"claim of a join": {
			(&message{claim: joins}).append(nil, ofFew),
			"00" + "00000000" + "000000" + "00" + "00" + "000000" + "04" + "488877665544332211" + "64000000" + "00",
		},
		"prepare":  {(&message{what: tellPrepare, slot: 3, ballot: newBallot(2, 1)}).append(nil, ofFew), "01" + "03000000" + "2100000000000000"},
		"promise":  {(&message{what: tellPromise, ballot: newBallot(2, 1)}).append(nil, ofFew), "02" + "00000000" + "2100000000000000" + "0000000000000000"},
		"previous": {(&message{what: tellPromise, ballot: newBallot(2, 1), previous: newBallot(1, 1)}).append(nil, ofFew), "02" + "00000000" + "2100000000000000" + "1100000000000000" + "00"},
		"refuse":   {(&message{what: tellRefuse, ballot: newBallot(1, 1), previous: newBallot(2, 1)}).append(nil, ofFew), "03" + "00000000" + "1100000000000000" + "2100000000000000"},
		"accept":   {(&message{what: tellAccept, ballot: newBallot(1, 1)}).append(nil, ofFew), "04" + "00000000" + "1100000000000000" + "00"},
		"accepted": {(&message{what: tellAccepted, ballot: newBallot(1, 1)}).append(nil, ofFew), "05" + "00000000" + "1100000000000000" + "00"},
		"chosen":   {(&message{what: tellChosen, slot: 9}).append(nil, ofFew), "06" + "09000000" + "00"},
		"claim of many": {
			(&message{slot: 7, claim: claim{accused: 1 << 15, stopped: 1 << 15, held: [maxPlayers]Frame{15: 7}, intent: intent{kind: Drop, players: 1 << 15}}}).append(nil, ofAll),
			"00" + "07000000" + "008000800000" + "07000000" + "0000" + "00" + "00000000" + "020080" + "00",
		},
		"state of many": {
			Begin([]PlayerSet{1<<15 | 1}, 1<<14).Append(nil, ofAll),
			"00000000" + "0180" + zeros[2:] + present + strings.Repeat("0000"+zeros[2:]+present, 13) +
				"0000" + zeros[2:] + "00000000" + "ffffffff" + "0000" + zeros[2:] + present + "00" + "00000000" + "0000",
		},
		"state": {
			s.Append(nil, ofFew),
			"02000000" + "0101" + "0000000000000000" + present + "0600" + "0000000000000000" + present + zeros + present +
				"0800" + "0500000000000000" + "00000000" + "64000000" + zeros + present + zeros + present + zeros + present + zeros + present +
				"01" + "78000000" + "01",
		},
	} {
		if got := hex.EncodeToString(c.bytes); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
	}
}
