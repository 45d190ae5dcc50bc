package sorting

import (
	"bytes"
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"sort"
	"strings"
)

// The keys of a map, sorted: no two are equal as a whole, so a comparison of all of a key has no ties, and one of a part
// may have some.

type square struct{ X, Y int }

func (p square) Compare(q square) int { return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y)) }
func (p square) Less(q square) bool   { return p.X < q.X || p.X == q.X && p.Y < q.Y }

type (
	single struct{ n int }
	title  string
	kind   uint8
	tile   struct {
		Pos  square
		Kind kind
	}
)
type triple struct{ A, B, C int }

//tickback:deterministic
func byFuncOfLibrary(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), cmp.Compare[string])
}

//tickback:deterministic
func byLiteral(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Compare(a, b) })
}

//tickback:deterministic
func byTexts(m map[string]int) []string { return slices.SortedFunc(maps.Keys(m), strings.Compare) }

//tickback:deterministic
func byOnlyField(m map[single]int) []single {
	return slices.SortedFunc(maps.Keys(m), func(a, b single) int { return cmp.Compare(a.n, b.n) })
}

//tickback:deterministic
func byBothFields(m map[square]int) []square {
	return slices.SortedFunc(maps.Keys(m), func(a, b square) int {
		if a.X != b.X {
			return a.X - b.X
		}
		return a.Y - b.Y
	})
}

//tickback:deterministic
func byMethod(m map[square]int) []square { return slices.SortedFunc(maps.Keys(m), square.Compare) }

//tickback:deterministic
func byEntriesOfArray(m map[[2]int]int) [][2]int {
	return slices.SortedFunc(maps.Keys(m), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
}

//tickback:deterministic
func byTextsDown(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return -strings.Compare(a, b) })
}

//tickback:deterministic
func byBytesOfArray(m map[[4]byte]int) [][4]byte {
	return slices.SortedFunc(maps.Keys(m), func(a, b [4]byte) int { return bytes.Compare(a[:], b[:]) })
}

//tickback:deterministic
func byPartsAndKind(m map[tile]int) []tile {
	return slices.SortedFunc(maps.Keys(m), func(a, b tile) int { return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.Kind, b.Kind)) })
}

//tickback:deterministic
func byMethodOfLibrary(m map[netip.AddrPort]int) []netip.AddrPort {
	return slices.SortedFunc(maps.Keys(m), netip.AddrPort.Compare)
}

func keys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.SortedFunc(maps.Keys(m), cmp.Compare[K])
}

//tickback:deterministic
func byHelper(m map[string]int) []string { return keys(m) }

func keysBy[K comparable, V any](m map[K]V, f func(a, b K) int) []K {
	return slices.SortedFunc(maps.Keys(m), f)
}

//tickback:deterministic
func byGivenFunc(m map[string]int) []string { return keysBy(m, strings.Compare) }

//tickback:deterministic
func byGivenMethod(m map[square]int) []square { return keysBy(m, square.Compare) }

//tickback:deterministic
func byPositions(m map[square]int) []square {
	var ks []square
	for k := range m {
		ks = append(ks, k)
	}
	sort.Slice(ks, func(i, j int) bool {
		a, b := ks[i], ks[j]
		if a.X != b.X {
			return a.X < b.X
		}
		return a.Y < b.Y
	})
	return ks
}

//tickback:deterministic
func byPositionsAndMethod(m map[square]int) []square {
	ks := make([]square, 0, len(m))
	for k := range m {
		ks = append(ks, k)
	}
	sort.Slice(ks, func(i, j int) bool { return ks[i].Less(ks[j]) })
	return ks
}

//tickback:deterministic
func bySwitch(m map[title]int) []title {
	return slices.SortedFunc(maps.Keys(m), func(a, b title) int {
		switch {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
}

//tickback:deterministic
func byDifferenceOfKinds(m map[kind]int) []kind {
	return slices.SortedFunc(maps.Keys(m), func(a, b kind) int { return int(a) - int(b) })
}

//tickback:deterministic
func byAllThree(m map[triple]int) []triple {
	return slices.SortedFunc(maps.Keys(m), func(a, b triple) int {
		return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.C, b.C))
	})
}

//tickback:deterministic
func byAllThreeLater(m map[triple]int) []triple {
	ks := slices.Collect(maps.Keys(m))
	slices.SortFunc(ks, func(a, b triple) int {
		return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.C, b.C))
	})
	return ks
}

//tickback:deterministic
func byEntries(m map[[2]int]int) [][2]int {
	return slices.SortedFunc(maps.Keys(m), func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
}

//tickback:deterministic
func byEntriesInALoop(m map[[2]int]int) [][2]int {
	return slices.SortedFunc(maps.Keys(m), func(a, b [2]int) int {
		for i := range a {
			if c := cmp.Compare(a[i], b[i]); c != 0 {
				return c
			}
		}
		return 0
	})
}

//tickback:deterministic
func byTruth(m map[bool]int) []bool {
	return slices.SortedFunc(maps.Keys(m), func(a, b bool) int {
		if a == b {
			return 0
		}
		if b {
			return -1
		}
		return 1
	})
}

//tickback:deterministic
func byOneOfTwo(m map[string]int, down bool) []string {
	by := strings.Compare
	if down {
		by = func(a, b string) int { return strings.Compare(b, a) }
	}
	return slices.SortedFunc(maps.Keys(m), by)
}

//tickback:deterministic
func byLengthThenText(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
}

//tickback:deterministic
func byValueThenKey(m map[string]square) []string { // by value, ties by key
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Or(m[a].Compare(m[b]), strings.Compare(a, b)) })
}

//tickback:deterministic
func stablyByText(m map[string]int) (n int) {
	for _, k := range slices.SortedStableFunc(maps.Keys(m), strings.Compare) {
		n = n*31 + m[k]
	}
	return n
}

//tickback:deterministic
func byHelperAndKind(m map[tile]int) []tile {
	return slices.SortedFunc(maps.Keys(m), func(a, b tile) int { return cmp.Or(byPos(a.Pos, b.Pos), cmp.Compare(a.Kind, b.Kind)) })
}

func byPos(a, b square) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) }

//tickback:deterministic
func byHelperOfParts(m map[square]int) []square { return slices.SortedFunc(maps.Keys(m), byPos) }

func reversed[T any](f func(a, b T) int) func(a, b T) int { return func(a, b T) int { return f(b, a) } }

//tickback:deterministic
func byReversed(m map[square]int) []square { return slices.SortedFunc(maps.Keys(m), reversed(byPos)) }

//tickback:deterministic
func bySequence(m map[square]int) []square {
	var ks []square
	for k := range maps.Keys(m) {
		ks = append(ks, k)
	}
	slices.SortFunc(ks, square.Compare)
	return ks
}

//tickback:deterministic
func byAppended(m map[square]struct{}) []square {
	ks := slices.AppendSeq(make([]square, 0, len(m)), maps.Keys(m))
	slices.SortFunc(ks, func(a, b square) int { return a.Compare(b) })
	return ks
}

type label struct{ s string }

func (t label) String() string { return t.s }

//tickback:deterministic
func byAccessor(m map[label]int) []label {
	return slices.SortedFunc(maps.Keys(m), func(a, b label) int { return strings.Compare(a.String(), b.String()) })
}

//tickback:deterministic
func byLessBothWays(m map[square]int) []square {
	return slices.SortedFunc(maps.Keys(m), func(a, b square) int {
		if a.Less(b) {
			return -1
		}
		if b.Less(a) {
			return 1
		}
		return 0
	})
}

//tickback:deterministic
func byPositionsOfTexts(m map[string]int) []string {
	ks := slices.Collect(maps.Keys(m))
	sort.Slice(ks, func(i, j int) bool { return ks[i] < ks[j] })
	return ks
}

//tickback:deterministic
func bySlicesOfTexts(m map[string]int) []string {
	ks := slices.Collect(maps.Keys(m))
	sort.Sort(sort.StringSlice(ks))
	return ks
}

//tickback:deterministic
func byReverseOfTexts(m map[string]int) []string {
	ks := slices.Collect(maps.Keys(m))
	sort.Sort(sort.Reverse(sort.StringSlice(ks)))
	return ks
}

type marked struct {
	square
	N int
}

//tickback:deterministic
func byEmbeddedAndNumber(m map[marked]int) []marked {
	return slices.SortedFunc(maps.Keys(m), func(a, b marked) int { return cmp.Or(a.square.Compare(b.square), a.N-b.N) })
}

//tickback:deterministic
func byPromotedAndNumber(m map[marked]int) []marked {
	return slices.SortedFunc(maps.Keys(m), func(a, b marked) int { return cmp.Or(a.X-b.X, a.Y-b.Y, a.N-b.N) })
}

// Only a part of the key is compared, or something else.

//tickback:deterministic
func byTwoOfThree(m map[triple]int) []triple {
	return slices.SortedFunc(maps.Keys(m), func(a, b triple) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) }) // want maporder
}

//tickback:deterministic
func byOneOfTwoFields(m map[square]int) []square {
	return slices.SortedFunc(maps.Keys(m), func(a, b square) int { return cmp.Compare(a.X, b.X) }) // want maporder sorttie
}

//tickback:deterministic
func valuesByOneField(m map[int]square) []square {
	return slices.SortedFunc(maps.Values(m), func(a, b square) int { return cmp.Compare(a.X, b.X) }) // want maporder sorttie
}

//tickback:deterministic
func byValues(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Compare(m[a], m[b]) }) // want maporder sorttie
}

//tickback:deterministic
func byLengthOfText(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Compare(len(a), len(b)) }) // want maporder sorttie
}

//tickback:deterministic
func byFoldedText(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }) // want maporder sorttie
}

//tickback:deterministic
func byOnePart(m map[tile]int) []tile {
	return slices.SortedFunc(maps.Keys(m), func(a, b tile) int { return byPos(a.Pos, b.Pos) }) // want maporder
}

//tickback:deterministic
func byOneEntry(m map[[2]int]int) [][2]int {
	return slices.SortedFunc(maps.Keys(m), func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) }) // want maporder sorttie
}

//tickback:deterministic
func byReversedPart(m map[square]int) []square {
	return slices.SortedFunc(maps.Keys(m), reversed(func(a, b square) int { return a.X - b.X })) // want maporder sorttie
}

type loose struct{ X, Y int }

func (p loose) Compare(q loose) int { return cmp.Compare(p.X, q.X) }

func keysBad[K comparable, V any](m map[K]V, f func(a, b K) int) []K {
	return slices.SortedFunc(maps.Keys(m), f) // want maporder sorttie
}

//tickback:deterministic
func byGivenPart(m map[square]int) []square {
	return keysBad(m, func(a, b square) int { return a.X - b.X })
}

//tickback:deterministic
func byMethodOfAPart(m map[loose]int) []loose {
	return slices.SortedFunc(maps.Keys(m), func(a, b loose) int { return a.Compare(b) }) // want maporder sorttie
}

//tickback:deterministic
func byMethodItselfOfAPart(m map[loose]int) []loose {
	return slices.SortedFunc(maps.Keys(m), loose.Compare) // want maporder sorttie
}

//tickback:deterministic
func byFirstByte(m map[string]int) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return strings.Compare(a[:1], b[:1]) }) // want maporder sorttie
}

//tickback:deterministic
func byFirstBytes(m map[[4]byte]int) [][4]byte {
	return slices.SortedFunc(maps.Keys(m), func(a, b [4]byte) int { return slices.Compare(a[:2], b[:2]) }) // want maporder sorttie
}

type flags struct{ A, B bool }

//tickback:deterministic
func byOneTruth(m map[flags]int) []flags {
	return slices.SortedFunc(maps.Keys(m), func(a, b flags) int { // want maporder sorttie
		if a.A != b.A {
			return 1
		}
		return 0
	})
}

//tickback:deterministic
func byNothing(m map[bool]int) []bool {
	return slices.SortedFunc(maps.Keys(m), func(a, b bool) int { return 0 }) // want maporder sorttie
}

//tickback:deterministic
func byTwoOfThreeLater(m map[triple]int) []triple {
	ks := slices.Collect(maps.Keys(m)) // want maporder
	slices.SortFunc(ks, func(a, b triple) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	return ks
}

//tickback:deterministic
func byTwoOfThreeOfALoop(m map[triple]int) (ks []triple) {
	for k := range m { // want maporder
		ks = append(ks, k)
	}
	slices.SortFunc(ks, func(a, b triple) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	return ks
}
