package fixed

import "testing"

// Rule: nothing a step calls allocates.
func TestHotOperationsDoNotAllocate(t *testing.T) {
	n, v := MustParse("-12.75"), Vec2{MustParse("3.5"), -One}
	buf := make([]byte, 0, maxTextLen)
	for name, f := range map[string]func(){
		"arithmetic": func() {
			n = n.Add(One).Sub(Half).Mul(Pi).Div(One + 1).Mod(100 * One).Neg().Abs()
			n = Lerp(n, One, Half).Clamp(-n, n).Floor().Ceil().Round() + FromRatio(1, 3)
		},
		"roots and angles": func() {
			n = Sqrt(n.Abs()).Add(Sin(n)).Add(Cos(n)).Add(Tan(n)).Add(Atan2(n, One))
			s, c := SinCos(n)
			n = s.Add(c)
		},
		"vectors": func() {
			v = v.Add(Vec2{n, n}).Sub(Vec2{One, n}).Neg().Scale(Half).Perp().Lerp(Vec2{n, One}, Half)
			n = v.Dot(v).Add(v.Cross(v)).Add(v.Length()).Add(v.Distance(Vec2{})).Add(v.Angle())
			v = v.Normalise().Rotate(n)
		},
		"text": func() {
			buf, _ = n.AppendText(buf[:0])
			n, _ = Parse("-0.0000152587890625")
		},
	} {
		if got := testing.AllocsPerRun(100, f); got != 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}
