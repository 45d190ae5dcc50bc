package datagram

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// token is the token of the matches here.
var token = []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}

func sampleAttach() Attach {
	a := Attach{Nonce: 0x0102030405060708, Players: 5, Sets: SetsOf(8), ID: 0x2122232425262728}
	a.Prove(token, 0x1112131415161718)
	return a
}

// wideAttach is an Attach for a match with more than 8 players.
func wideAttach() Attach {
	a := Attach{Nonce: 0x0102030405060708, Players: 0x8005, Sets: SetsOf(16), ID: 0x2122232425262728}
	a.Prove(token, 0x1112131415161718)
	return a
}

// watchAttach is an Attach of a machine that only watches, and knows the token for that.
func watchAttach() Attach {
	a := Attach{Nonce: 0x0102030405060708}
	a.Prove(token, 0x1112131415161718)
	return a
}

// The proof is a standard HMAC-SHA256.
func TestFrozenAttach(t *testing.T) {
	for _, c := range []struct {
		a    Attach
		want string
	}{
		{Attach{Nonce: 0x0102030405060708}, "06" + "0807060504030201"},
		{watchAttach(), "06" + "0807060504030201" + "ca7a12b28c8374e11dd7d6b8fe2ddd3c"},
		{wideAttach(), "06" + "0807060504030201" + "0580" + "2827262524232221" + "f95b69bc5fb56cec085b84bf0bbf59ae"},
		{sampleAttach(), "06" + "0807060504030201" + "05" + "2827262524232221" + "241bdf3c50bc0f71d69e071103382633"},
	} {
		if got := hex.EncodeToString(c.a.Append(nil)); got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
	}
}

func TestAttachComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sets := SetsOf(rapid.IntRange(1, MaxPlayers).Draw(t, "match"))
		a := Attach{Nonce: rapid.Uint64().Draw(t, "nonce"), Players: rapid.Uint16().Draw(t, "players") & (1<<sets.players - 1)}
		if a.Players != 0 {
			a.Sets, a.ID = sets, rapid.Uint64().Draw(t, "id")
		}
		if a.Players != 0 || rapid.Bool().Draw(t, "proves") {
			copy(a.Proof[:], rapid.SliceOfN(rapid.Byte(), ProofSize, ProofSize).Draw(t, "proof"))
			a.Proof[0] |= 1
		}
		b := Key(9).Seal(a.Append([]byte("before")), 6, 0)[6:]
		if got, err := ConsumeAttach(b, sets); got != a || err != nil {
			t.Fatalf("%+v comes back as %+v, %v", a, got, err)
		}
	})
}

// An Attach has one of three lengths in a match, and a request for a seat must have players, and only players of the
// match.
func TestFaultyAttachesAreRefused(t *testing.T) {
	whole := Key(9).Seal(sampleAttach().Append(nil), 0, 0)
	for _, a := range []Attach{sampleAttach(), wideAttach()} {
		lengthsOf(t, a)
	}
	if _, err := ConsumeAttach(whole, SetsOf(2)); !errors.Is(err, ErrPlayers) {
		t.Errorf("player 2 of two: %v", err)
	}
	if _, err := ConsumeAttach(Key(9).Seal(wideAttach().Append(nil), 0, 0), SetsOf(15)); !errors.Is(err, ErrPlayers) {
		t.Errorf("player 15 of fifteen: %v", err)
	}
	if _, err := ConsumeAttach(append(Attach{Nonce: 1}.Append(nil), make([]byte, ProofSize+TagSize)...), SetsOf(8)); !errors.Is(err, ErrRange) {
		t.Errorf("an empty proof: %v", err)
	}
	for at, want := range map[int]error{0: ErrKind, 9: ErrRange} {
		b := bytes.Clone(whole)
		b[at] = 0
		if _, err := ConsumeAttach(b, SetsOf(8)); !errors.Is(err, want) {
			t.Errorf("byte %d: %v, not %v", at, err, want)
		}
	}
}

// lengthsOf reads an Attach in all lengths.
func lengthsOf(t *testing.T, a Attach) {
	whole := Key(9).Seal(a.Append(nil), 0, 0)
	plain, watching := len(Attach{}.Append(nil))+TagSize, len(watchAttach().Append(nil))+TagSize
	for n := range len(whole) + 2 {
		b := append(bytes.Clone(whole), 0)[:min(n, len(whole)+1)]
		if _, err := ConsumeAttach(b, a.Sets); (err == nil) != (n == len(whole) || n == plain || n == watching) || err != nil && !errors.Is(err, ErrShort) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// A proof is only valid for one newcomer who asks one host once for certain players, and knows the token.
func TestAProofIsGoodForWhatItWasMadeFor(t *testing.T) {
	const host = 0x1112131415161718
	if !sampleAttach().Proves(token, host) {
		t.Fatal("it is not good at all")
	}
	for name, change := range map[string]func(a *Attach, token []byte, host *uint64){
		"nonce":          func(a *Attach, _ []byte, _ *uint64) { a.Nonce ^= 1 },
		"players":        func(a *Attach, _ []byte, _ *uint64) { a.Players ^= 2 },
		"id":             func(a *Attach, _ []byte, _ *uint64) { a.ID ^= 1 << 63 },
		"token":          func(_ *Attach, token []byte, _ *uint64) { token[31] ^= 1 },
		"host":           func(_ *Attach, _ []byte, host *uint64) { *host ^= 1 },
		"its first byte": func(a *Attach, _ []byte, _ *uint64) { a.Proof[0] ^= 1 },
		"its last byte":  func(a *Attach, _ []byte, _ *uint64) { a.Proof[ProofSize-1] ^= 0x80 },
	} {
		a, other, at := sampleAttach(), bytes.Clone(token), uint64(host)
		change(&a, other, &at)
		if a.Proves(other, at) {
			t.Errorf("with another %s it is still good", name)
		}
	}
}

// Bytes that are read as an Attach are the encoding of that Attach, to the last byte.
func FuzzConsumeAttach(f *testing.F) {
	f.Add(Key(1).Seal(Attach{Nonce: 1}.Append(nil), 0, 0), byte(1))
	f.Add(Key(1).Seal(watchAttach().Append(nil), 0, 0), byte(1))
	f.Add(Key(1).Seal(sampleAttach().Append(nil), 0, 0), byte(7))
	f.Add(Key(1).Seal(sampleAttach().Append(nil), 0, 0), byte(1)) // of a player that the match does not have
	f.Add(Key(1).Seal(wideAttach().Append(nil), 0, 0), byte(15))
	f.Add(Key(1).Seal(wideAttach().Append(nil), 0, 0), byte(14))
	f.Fuzz(func(t *testing.T, b []byte, players byte) {
		sets := fuzzSets(players)
		a, err := ConsumeAttach(b, sets)
		if err != nil {
			if !known(err) {
				t.Fatal(err)
			}
			return
		}
		if uint32(a.Players)>>sets.players != 0 {
			t.Fatalf("%b of %d players", a.Players, sets.players)
		}
		if again := a.Append(nil); !bytes.Equal(again, b[:len(b)-TagSize]) {
			t.Fatalf("% x, not % x", again, b)
		}
		a.Proves(token, 3)
	})
}
