package portable

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/portable/internal/wide"
)

// Rule: at random points, no pair is further from the true value than the bound that was proved by hand.
func TestPairsKeepTheirBounds(t *testing.T) {
	n := *points
	if n == 0 {
		n = 2000
	}
	r := rand.New(rand.NewPCG(*seed, 9))
	worst := map[string]float64{}
	check := func(name string, want wide.Num, bound, scale float64, parts ...float64) {
		t.Helper()
		for _, p := range parts {
			want = want.Sub(wide.Of(p))
		}
		off, _ := wide.Round(want.Abs(), wide.Float64, wide.Sure)
		worst[name] = max(worst[name], off/(bound*scale))
		if !(off <= bound*scale) {
			t.Fatalf("%s is off by %g, which is %.2f of its bound (%b)", name, off, off/(bound*scale), parts)
		}
	}
	for range n {
		x := r.Float64()*40 - 20
		k, left, rest := expPart(x)
		hi, lo := expPair(&powers[k&127], left, expSeries(left, rest))
		check("Exp", wide.Of(x).Exp().Shift(-int(k>>7)), expSure, 1, hi, lo)

		y := math.Ldexp(1+r.Float64(), r.IntN(2100)-1050)
		if r.IntN(2) == 0 {
			y = 1 + math.Ldexp(r.Float64()-0.5, -r.IntN(40))
		}
		b, more, ok := normalBits(y)
		if hi, lo = logPair(b, more, 0); ok && y != 1 {
			check("Log", wide.Of(y).Log(), logSure, math.Abs(hi), hi, lo)
			check("Pow's logarithm", wide.Of(y).Log(), 1, min(logSureFar, logSureNear*math.Abs(hi)), hi, lo)
		}
		if z := y - 1; z > -1 && z != 0 && y < 0x1p1000 {
			hi, lo = log1pPair(z, 0)
			check("Log1p", wide.Of(z).Log1p(), logSure, math.Abs(hi), hi, lo)
		}

		x = math.Ldexp(r.Float64()*2-1, r.IntN(30)-16)
		k, left, rest = part(x)
		if math.Abs(x) >= nearest {
			k, left, rest = partFar(x)
		}
		hi, lo, bound := sinePair(k, left, rest)
		check("Sin", wide.Sine(x, 0), bound, 1, hi, lo)
		shi, slo, sbound, chi, clo, cbound := circlePair(k, left, rest)
		check("Sin of both", wide.Sine(x, 0), sbound, 1, shi, slo)
		check("Cos of both", wide.Sine(x, 1), cbound, 1, chi, clo)

		a := r.Float64()
		i, hi, lo := angle(a)
		if i != 0 {
			check("Asin", wide.Of(a).Asin(), asinFar, 1, float64(i*partHigh), float64(i*partMiddle), float64(i*partLow), hi, lo)
		}
		if a = math.Ldexp(1+r.Float64(), r.IntN(14)-7); a >= atanLeast && a < atanOver {
			at, l := atanEntry(a)
			upper := upperHalf(a)
			hi, lo = arc(a-at, 0, 1+float64(upper*at), float64((a-upper)*at), l)
			check("Atan", wide.Of(a).Atan(), atanSure, hi, hi, lo)
		}

		p, prest := fastSum(1+r.Float64(), r.Float64()*0x1p-53)
		q, qrest := fastSum(1+r.Float64(), r.Float64()*0x1p-53)
		hi, lo = quotient(p, prest, q, qrest, 1/q)
		ratio := wide.Of(p).Add(wide.Of(prest)).Quo(wide.Of(q).Add(wide.Of(qrest)))
		check("quotient", ratio, quotientSure, hi, hi, lo)
		across, down := math.Ldexp(p, r.IntN(60)-30), math.Ldexp(q, r.IntN(60)-30)
		about := float64(across*across) + float64(down*down)
		pp, pl := squarePair(across)
		qq, ql := squarePair(down)
		square, rest := fullSum(pp, qq)
		hi = math.Sqrt(about)
		lo = float64(rootLeft(hi, square, rest, pl+ql) * (0.5 / about) * hi)
		check("Hypot", wide.Of(across).Mul(wide.Of(across)).Add(wide.Of(down).Mul(wide.Of(down))).Sqrt(), hypotSure, hi, hi, lo)
		hi, lo = rootPair(p, prest)
		check("root", wide.Of(p).Add(wide.Of(prest)).Sqrt(), rootSure, hi, hi, lo)
	}
	for name, w := range worst {
		t.Logf("%-16s off by up to %.2f of its bound", name, w)
		if w == 0 {
			t.Errorf("%s was not checked", name)
		}
	}
}
