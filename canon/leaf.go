package canon

import (
	"fmt"
	"reflect"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// A leaf is a scalar or a string, given as an addressable reflect.Value that
// was not read through an unexported field.

var stringerType = reflect.TypeFor[fmt.Stringer]()

// leafBytes bounds the text of a leaf in a difference, and of what a String
// method returns.
const leafBytes = 200

// appendLeaf appends the text of v on one line: the result of its String method if it has one, else the number itself
// or the quoted string.
func appendLeaf(b []byte, v reflect.Value, stringer bool) []byte {
	if stringer {
		if s, ok := callString(v); ok {
			return appendLine(b, s)
		}
	}
	return appendPlain(b, v)
}

// appendScalar appends the text of v; for a NaN other than that of [math.NaN] it appends the bits too.
func appendScalar(b []byte, v reflect.Value, stringer bool) []byte {
	b = appendLeaf(b, v, stringer)
	if (v.CanFloat() || v.CanComplex()) && floatBits(v) != oneBits(v) {
		b = append(append(append(b, " ("...), bitsText(v)...), ')')
	}
	return b
}

// callString calls the String method of v, which belongs to the game. A panic in it must not prevent the report of a
// desync.
func callString(v reflect.Value) (s string, ok bool) {
	defer func() {
		if recover() != nil {
			s, ok = "", false
		}
	}()
	//detlint:ignore unproved,environment what the method says is for the report of a desync, and for nobody else
	return v.Interface().(fmt.Stringer).String(), true
}

// appendLine appends s, quoted if it would not fit on one line, and limited in length.
func appendLine(b []byte, s string) []byte {
	s = head(s, leafBytes)
	for _, r := range s {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return strconv.AppendQuote(b, s)
		}
	}
	return append(b, s...)
}

// head returns s if it has at most most bytes, else its start and an ellipsis.
func head(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// appendPlain appends the value itself. Floats are written as the shortest decimal that reads back as the same number.
func appendPlain(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Float32, reflect.Float64:
		//detlint:ignore anyfloat it shows the bits that a game has in its state, and computes nothing
		return strconv.AppendFloat(b, v.Float(), 'g', -1, v.Type().Bits())
	case reflect.Complex64, reflect.Complex128:
		//detlint:ignore anyfloat it shows the bits that a game has in its state, and computes nothing
		return append(b, strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits())...)
	case reflect.String:
		return strconv.AppendQuote(b, v.String())
	default:
		return strconv.AppendUint(b, v.Uint(), 10)
	}
}

// leafPair returns texts of two leaves that differ, such that the texts differ too: if the String method or the decimal
// form gives the same text for both, the underlying value follows in parentheses.
func leafPair(a, b reflect.Value, stringer bool) (textA, textB string) {
	if a.Kind() == reflect.String {
		return stringPair(a, b, stringer)
	}
	textA, textB = string(appendLeaf(nil, a, stringer)), string(appendLeaf(nil, b, stringer))
	if textA != textB {
		return textA, textB
	}
	rawA, rawB := string(appendPlain(nil, a)), string(appendPlain(nil, b))
	if rawA == rawB {
		rawA, rawB = bitsText(a), bitsText(b)
	}
	return textA + " (" + rawA + ")", textB + " (" + rawB + ")"
}

// stringPair does what leafPair does, for strings. Long ones are cut around the first difference, and its offset is
// given.
func stringPair(a, b reflect.Value, stringer bool) (textA, textB string) {
	sa, sb := a.String(), b.String()
	if stringer {
		textA, textB = string(appendLeaf(nil, a, true)), string(appendLeaf(nil, b, true))
		if textA != textB {
			return textA, textB
		}
	}
	if len(sa) <= leafBytes && len(sb) <= leafBytes {
		return strconv.Quote(sa), strconv.Quote(sb)
	}
	first := 0
	for first < min(len(sa), len(sb)) && sa[first] == sb[first] {
		first++
	}
	return window(sa, first), window(sb, first)
}

// window quotes the bytes of s around offset first.
func window(s string, first int) string {
	const before, after = 16, 48
	from, to := max(0, first-before), min(len(s), first+after)
	return fmt.Sprintf("%q (bytes %d to %d of %d)", s[from:to], from, to, len(s))
}

// bitsText returns the bits of a scalar in hexadecimal. Floats and complex
// numbers can differ and still read the same, as can a bool that was written
// through unsafe.
func bitsText(v reflect.Value) string {
	bits := floatBits(v)
	switch v.Kind() {
	case reflect.Float32:
		return fmt.Sprintf("0x%08x", bits[0])
	case reflect.Float64:
		return fmt.Sprintf("0x%016x", bits[0])
	case reflect.Complex64:
		return fmt.Sprintf("0x%08x, 0x%08x", bits[0], bits[1])
	case reflect.Complex128:
		return fmt.Sprintf("0x%016x, 0x%016x", bits[0], bits[1])
	}
	return fmt.Sprintf("0x%02x", bits[0])
}
