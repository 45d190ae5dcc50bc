// Package strict tells whether the floats of this program are the same on every machine: whether it was built so that no
// product is fused with a sum, and package math rounds like package portable. The command "tickback build --strict"
// builds programs in this way; docs/floats.md says what that covers.
//
//detlint:ignore machine,anyfloat,fusedfloat,floatint,mathfunc what the floats of this program are like is asked here, and no state comes from it
package strict

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	_ "github.com/tickback/tickback/portable" // a module with vendored packages then has its source, which the build needs
)

// Rules is the version of the rules for building programs, so that programs that were built by different rules do not play
// together.
const Rules = "3"

// CompilerFlags are passed to the compiler for every package: they prevent fused operations.
const CompilerFlags = "-d=fmahash=qn"

// proof is set by the linker: the version of Go, the rules, and a checksum of the source of package math, separated by
// slashes.
var proof string

// Variable is the name of the variable that the linker sets, and Text is its value. Sum has 16 hexadecimal digits.
const Variable = "github.com/tickback/tickback/portable/strict.proof"

// Text returns the proof of a build with this version of Go and this sum of package math's source.
func Text(version, sum string) string { return release(version) + "/" + Rules + "/" + sum }

// TextOfSources returns the proof of a build by a compiler without such a flag: products are rounded in the sources.
func TextOfSources(version, sum string) string { return release(version) + "/" + bySources + "/" + sum }

const bySources = Rules + "s"

// VersionOf returns the version of Go in a proof, as [Text] and [TextOfSources] write it, by any rules. ok is false for
// other text.
func VersionOf(proof string) (version string, ok bool) {
	version, rest, _ := strings.Cut(proof, "/")
	return version, strings.HasPrefix(version, "go") && strings.Count(rest, "/") == 1
}

// release returns a version of Go without the experiments that follow it, which do not affect floats.
func release(version string) string {
	version, _, _ = strings.Cut(version, "-X:")
	version, _, _ = strings.Cut(version, " ")
	return version
}

// ErrNot is wrapped by every error of Proof.
var ErrNot = errors.New("floats may differ between machines")

// Proof returns a text that must be equal in two programs for their floats to be the same, such as
// "go1.26.8/3/0f1e2d3c4b5a6978". The error says why this program's floats may differ from another's, and what to do; it
// wraps [ErrNot]. The first call computes some dozens of points, and later calls return the same result.
func Proof() (string, error) { return proved() }

var proved = sync.OnceValues(func() (string, error) {
	if proof == "" {
		return "", fmt.Errorf("%w: this program was not built for that: build it by %s, and test it by %s", ErrNot, Command("build --strict"), Command("test --strict"))
	}
	version, rest, _ := strings.Cut(proof, "/")
	rules, sum, _ := strings.Cut(rest, "/")
	switch {
	case version != release(runtime.Version()):
		return "", fmt.Errorf("%w: this program was built with %s, and its proof is for %s", ErrNot, runtime.Version(), version)
	case rules != Rules && rules != bySources || len(sum) != 16:
		return "", fmt.Errorf(`%w: this program was built by another version of the command: build it by that of its module, "%s build --strict"`, ErrNot, tool)
	}
	if info, ok := debug.ReadBuildInfo(); ok && rules == Rules {
		for _, s := range info.Settings {
			if s.Key == "-gcflags" && !strings.Contains(s.Value, CompilerFlags) {
				return "", fmt.Errorf("%w: the proof of this program is not for its compiler's flags, %q", ErrNot, s.Value)
			}
		}
	}
	if err := probe(); err != nil {
		return "", err
	}
	return proof, nil
})

// probe tests the floats themselves: processor settings that loaded C code may have changed, a product that the processor could fuse
// with a sum, the one NaN, a quotient of complex numbers, a conversion, and points where Go's own package math is one bit off on
// amd64.
func probe() error {
	if tiny := product(scales[0], scales[1]); product(tiny, scales[2]) != scales[0] {
		return fmt.Errorf("%w: the processor takes the least numbers for 0: C that is linked has told it to, by -ffast-math or by its control register", ErrNot)
	}
	if one, half := scales[3], scales[4]; one+half != 1 || one+0x1p-52+half != 1+0x1p-51 {
		return fmt.Errorf("%w: the processor does not round to the nearest number: C that is linked has told it not to, by fesetround", ErrNot)
	}
	if unfused(factors[0], factors[1], factors[2]) != 0 {
		return fmt.Errorf("%w: the compiler has fused a product with a sum, in spite of %s", ErrNot, CompilerFlags)
	}
	nan := factors[0] - factors[1]
	nan /= nan
	for _, c := range [...]struct{ got, want int64 }{
		{converted(-factors[0] * 0x1p70), math.MinInt64},
		{converted(factors[0] * 0x1p70), math.MaxInt64},
		{converted(nan), 0},
		{int64(narrowed(factors[0] * 0x1p40)), math.MaxInt32},
		{int64(narrowed(-factors[0] * 0x1p40)), math.MinInt32},
		{int64(narrowed(-nan)), 0},
	} {
		if c.got != c.want {
			return fmt.Errorf("%w: conversions are not those of a strict build: one comes to %d, and not to %d", ErrNot, c.got, c.want)
		}
	}
	for _, sign := range [...]uint64{0, 1 << 63} {
		//detlint:ignore nanbits it asks whether the sign of a NaN is seen, and the program ends if it is
		q := quotient(complex(0, 1), complex(math.Inf(1), math.Float64frombits(0x7FF8<<48|sign)))
		//detlint:ignore nanbits it asks whether the sign of a NaN is seen, and the program ends if it is
		if math.Signbit(real(q)) {
			return fmt.Errorf("%w: a quotient of complex numbers has the sign of a NaN", ErrNot)
		}
	}
	//detlint:ignore nanbits it asks which NaN package math has, and the program ends without the right one
	if b := math.Float64bits(-math.NaN()); b != math.Float64bits(math.NaN()) {
		return fmt.Errorf("%w: package math is not that of a strict build: it has a NaN %016x", ErrNot, b)
	}
	for _, p := range hard {
		for i, x := range p.at {
			if got := p.of(x); got != p.want[i] {
				return fmt.Errorf("%w: package math is not that of a strict build: its %s(%v) is %v, and not %v", ErrNot, p.name, x, got, p.want[i])
			}
		}
	}
	return nil
}

// factors are in a variable, so that the compiler does not know their values: the third one is minus the rounded product of the
// others.
var factors = [3]float64{1 + 0x1p-30, 1 + 0x1p-30, -(1 + 0x1p-29)}

// scales are two numbers whose product is below 2^-1022, and a factor that scales it back; then one, and half of its
// last bit.
var scales = [5]float64{0x1p-1000, 0x1p-60, 0x1p60, 1, 0x1p-53}

//go:noinline
func product(x, y float64) float64 { return x * y }

//go:noinline
func unfused(x, y, z float64) float64 { return x*y + z }

//go:noinline
func quotient(x, y complex128) complex128 { return x / y }

//go:noinline
func converted(x float64) int64 { return int64(x) }

//go:noinline
func narrowed(x float64) int32 { return int32(x) }

// hard lists points and the results that are nearest to the true ones. A test checks that package portable has the same
// results.
var hard = []struct {
	name     string
	of       func(float64) float64
	at, want [2]float64
}{
	{"Acos", math.Acos, [2]float64{0x1.2b0d7feac4ae1p-1, 0x1.c4ea230b7d902p-2}, [2]float64{0x1.e4e2919659ba1p-1, 0x1.1cd5ad2d24fc1p+0}},
	{"Asin", math.Asin, [2]float64{0x1.b46e827842c9cp-2, 0x1.7002009d5eb26p-2}, [2]float64{0x1.c2dbaadada073p-2, 0x1.786dc5c539057p-2}},
	{"Atan", math.Atan, [2]float64{0x1.893cead829712p+0, 0x1.fef1789af654dp-1}, [2]float64{0x1.fcc82c9d7271dp-1, 0x1.91984dcf36a8p-1}},
	{"Cbrt", math.Cbrt, [2]float64{0x1.91101c7a66142p+0, 0x1.6f779b508237p-4}, [2]float64{0x1.295317e874628p+0, 0x1.ca689fbc665abp-2}},
	{"Cos", math.Cos, [2]float64{0x1.32fab45b5849p+1, 0x1.1218420ce6f68p+0}, [2]float64{-0x1.78f2e20ed849ap-1, 0x1.eb08ae04f0098p-2}},
	{"Cosh", math.Cosh, [2]float64{0x1.676014b624bfcp+1, 0x1.27301eacff15fp+1}, [2]float64{0x1.0a17a8fe2a177p+3, 0x1.445554e39bdf9p+2}},
	{"Exp", math.Exp, [2]float64{0x1.ccc9750920258p+0, 0x1.3f019a4ccebabp+1}, [2]float64{0x1.83285e52cbd65p+2, 0x1.82d3312c017d5p+3}},
	{"Exp2", math.Exp2, [2]float64{0x1.690e846c6fbcp+0, 0x1.4e03fe4377122p+1}, [2]float64{0x1.543b8ead22adfp+1, 0x1.86960bcf37ee1p+2}},
	{"Expm1", math.Expm1, [2]float64{0x1.3a22b9aa0160cp+1, 0x1.2ea0fdd9e0d67p-1}, [2]float64{0x1.5461d51ae4893p+3, 0x1.9ca1fc9f8421dp-1}},
	{"Log", math.Log, [2]float64{0x1.aaa712558b544p+0, 0x1.4a43576704ac6p+1}, [2]float64{0x1.05869f3d44873p-1, 0x1.e54dcd1f55881p-1}},
	{"Log10", math.Log10, [2]float64{0x1.61c0b73aa21dap-1, 0x1.135528ef4d065p+1}, [2]float64{-0x1.48d8f7534fbebp-3, 0x1.54a19ce823728p-2}},
	{"Log1p", math.Log1p, [2]float64{0x1.c3105fa6d3004p+0, 0x1.24654e2edce0ep-1}, [2]float64{0x1.0414e29edcfdfp+0, 0x1.ce9bef32085b9p-2}},
	{"Log2", math.Log2, [2]float64{0x1.203334fada97dp+0, 0x1.1de5a084cf0c6p+1}, [2]float64{0x1.5e0ecc2068ecap-3, 0x1.28cb43c354e01p+0}},
	{"Sin", math.Sin, [2]float64{0x1.306f9f5fd9e2cp+0, 0x1.7248587ef454fp+1}, [2]float64{0x1.db2c530bb1cd5p-1, 0x1.f838d6b9e8339p-3}},
	{"Sinh", math.Sinh, [2]float64{0x1.3242c8bd8b172p+1, 0x1.beb6d874ada3p-3}, [2]float64{0x1.5b3d1d655f10ep+2, 0x1.c243d1b2a8e3bp-3}},
	{"Tan", math.Tan, [2]float64{0x1.f64a96c32cdcfp-1, 0x1.f256c35258e9cp-1}, [2]float64{0x1.7e8afd054d456p+0, 0x1.783a0389a0af2p+0}},
	{"Tanh", math.Tanh, [2]float64{0x1.962e325c7c2c8p+0, 0x1.fdbbb044dcf9ap-2}, [2]float64{0x1.d6da20c6fd605p-1, 0x1.d76c638af4f77p-2}},
}
