package programs

// numbers has flaws in which numbers differ between machines, or are not what was meant.
var numbers = []flaw{
	{"float: fused", "fusedfloat", "", byArm, ``, `x := s.G + 0.7
x = «x*s.G¦float64(x*s.G)» + 0.3
for range 30 {
	x = «x*0.93¦float64(x*0.93)» + 0.1
}
s.F = x
s.Wide += int64(portable.Float64bits(s.F) & 0xff)`},
	{"float: dot product", "fusedfloat", "", byArm, `type vec$K struct{ x, y float64 }

func (a vec$K) dot(b vec$K) float64 { return «a.x*b.x + a.y*b.y¦float64(a.x*b.x) + float64(a.y*b.y)» }`, `v := vec$K{s.G + 0.1, s.G + 0.7}
h := 0.0
for range 20 {
	v.x += 0.37
	h += v.dot(v)
}
s.Wide += int64(portable.Float64bits(h) & 0xff)`},
	{"float: += of a product", "fusedfloat", "", byArm, ``, `x := s.G + 0.3
for i := range 20 {
	x += «0.1*float64(i)*x¦float64(0.1*float64(i)*x)»
}
s.Wide += int64(portable.Float64bits(x) & 0xff)`},
	{"float: lerp", "fusedfloat", "", byArm, `func lerp$K(a, b, k float64) float64 { return a + «(b-a)*k¦float64((b-a)*k)» }`, `x := s.G + 0.1
for range 20 {
	x = lerp$K(x, 9.7, 0.13)
}
s.Wide += int64(portable.Float64bits(x) & 0xff)`},
	{"float: product by a function", "fusedfloat", "", byArm, `func scale$K(a, k float64) float64 { return «a * k¦float64(a * k)» }`, `x := s.G + 0.1
for range 20 {
	x = scale$K(x, 0.77) + 0.31
}
s.Wide += int64(portable.Float64bits(x) & 0xff)`},
	{"float: float32", "fusedfloat", "", byArm, ``, `x := float32(s.G) + 0.3
for range 20 {
	x = «x*0.77¦float32(x*0.77)» + 0.31
}
s.Wide += int64(math32.Float32bits(x) & 0xff)`},
	{"float: length", "fusedfloat", "", byArm, `type vec$K struct{ X, Y float64 }

func (v vec$K) Len() float64 { return math.Sqrt(«v.X*v.X¦float64(v.X*v.X)» + float64(v.Y*v.Y)) }`, `h := 0.0
for i := range 20 {
	h += vec$K{float64(i) + 0.3, s.G + 0.7}.Len()
}
s.Wide += int64(portable.Float64bits(h) & 0xff)`},
	{"float: generic", "fusedfloat", "", byArm, `func mad$K[F ~float32 | ~float64](a, b, c F) F { return «a*b¦F(a*b)» + c }`, `x := s.G + 0.1
for range 20 {
	x = mad$K(x, 0.77, 0.31)
}
s.Wide += int64(portable.Float64bits(x) & 0xff)`},
	{"float: division", "fusedfloat", "", "", ``, `x := s.G + 0.1
for range 20 {
	x = «x/0x1p13¦float64(x/0x1p13)» + 0.7
}
s.Wide += int64(portable.Float64bits(x) & 0xff)`},
	{"float: bits of a NaN", "nanbits", "", byArm, ``, `x := s.G - s.G
«s.Wide += int64(math.Float64bits(x / x) >> 63)¦s.Wide += int64(portable.Float64bits(x / x) >> 63)»`},
	{"float: sign of a NaN", "nanbits", "", byArm, ``, `x := math.Inf(1) + s.G
if «math¦portable».Signbit(x - x) {
	s.N++
}`},
	{"float: narrow, of a wide integer", "intfloat", "", byWidth, ``, `n := int64(s.M)&1 + 0x66721bc00000
s.Wide += int64(«float32(n)¦float32(n >> 30)») >> 10`},
	{"float: complex", "fusedfloat", "", "", ``, `c := complex(s.G+0.3, 0.7)
«c = c * c¦c = c + c»
s.Wide += int64(portable.Float64bits(real(c)) & 0xff)`},
	{"float: Sin", "mathfunc", "", "", ``, `s.F = math.«Sin¦Abs»(s.G + 0.3)`},
	{"float: Pow", "mathfunc", "", "", ``, `s.F = «math.Pow(s.G, 1.5)¦math.Sqrt(s.G)»`},
	{"float: Atan2", "mathfunc", "", "", ``, `s.F = «math.Atan2(s.G, 2)¦math.Floor(s.G)»`},
	{"float: Exp as a value", "mathfunc", "", "", `var curve$K = map[string]func(float64) float64{"a": math.«Exp¦Sqrt»}`, `s.F = curve$K["a"](s.G)`},
	{"float: Hypot", "mathfunc", "", "", ``, `s.F = «math.Hypot(s.G, 2)¦math.Max(s.G, 2)»`},
	{"float: does not fit", "floatint", "", byArm, ``, `x := s.F + 1e30
«s.Wide += int64(x)¦if x > -100 && x < 100 { s.Wide += int64(x) }»`},
	{"float: to a byte", "floatint", "", "", ``, `«s.N += int32(uint8(s.F))¦if s.F >= 0 && s.F < 200 { s.N += int32(uint8(s.F)) }»`},
	{"float: rounded to int", "floatint intwidth", "", "", ``, `«s.N += int32(math.Round(s.F))¦s.F = math.Round(s.F)»`},
	{"float: NaN as a key", "nankey", "", "", ``, `m := map[float64]int32{}
«m[s.F/s.G]¦m[2]» = 1
s.N += int32(len(m))`},
	{"float: NaN in a struct key", "nankey", "", "", ``, `type at struct{ x, y float64 }
m := map[at]int32{}
m[at{«s.F / s.G¦1», 1}]++
s.N += int32(len(m))`},
	{"width: product", "intwidth", "", byWidth, ``, `n := int(s.M&0xff)*1000 + 70000
s.Wide += «int64(n * n)¦int64(n) * int64(n)»`},
	{"width: product shifted", "intwidth", "", byWidth, ``, `n := int(s.M&0xff)*1000 + 70000
s.N += int32(«n * n >> 8¦int64(n) * int64(n) >> 8»)`},
	{"width: product divided", "intwidth", "", byWidth, ``, `n := int(s.M&0xff)*1000 + 70000
s.N += int32(«n * n / 100¦n / 100»)`},
	{"width: product compared", "intwidth", "", byWidth, ``, `n := int(s.M&0xff) + 70000
if «n*n > 100000¦n > 300» {
	s.N += 3
}
s.N++`},
	{"width: remainder of a hash", "intwidth", "", byWidth, ``, `h := «17¦uint32(17)»
for i := range «10¦uint32(10)» {
	h = h*31 + i + 7
}
s.N += int32(h % 1000)`},
	{"width: FNV in int", "intwidth", "", byWidth, `func hash$K(text string) «uint¦uint64» {
	h := «uint¦uint64»(2166136261)
	for i := range len(text) {
		h ^= «uint¦uint64»(text[i])
		h *= 16777619
	}
	return h
}`, `s.N += int32(hash$K("some text") % 1000)`},
	{"width: shift", "intwidth", "", byWidth, ``, `n := int(s.M&3) + 33
mask := «1¦int64(1)» << n
s.Wide += int64(mask)`},
	{"width: shift in a helper", "intwidth", "", byWidth, `func bit$K(n int) «int¦int64» { return 1 << n }`, `s.Wide += int64(bit$K(40 + int(s.M&3)))`},
	{"width: Atoi", "intwidth", "", byWidth, ``, `if n, err := strconv.«Atoi("3000000000")¦ParseInt("3000000000", 10, 64)»; err == nil {
	s.Wide += int64(n)
}`},
	{"width: ParseInt of the machine", "intwidth machine", "", byWidth, ``, `if n, err := strconv.ParseInt("3000000000", 10, «0¦64»); err == nil {
	s.Wide += n
}`},
	{"width: MaxInt", "intwidth machine", "", byWidth, ``, `s.Wide += math.«MaxInt¦MaxInt32»`},
	{"width: MaxInt as a sentinel", "intwidth machine", "", byWidth, ``, `least := «math.MaxInt¦math.MaxInt32»
if s.M == 12345 {
	least = 1
}
s.Wide += int64(least)`},
	{"width: int of int64", "intwidth", "", byWidth, ``, `wide := int64(s.M&0xff)<<33 + 5
if «int(wide)¦wide» > 100 {
	s.N += 3
}
s.N++`},
	{"width: int of uint32", "intwidth", "", byWidth, ``, `h := uint32(s.M)&0xff + 0xfffffff0 - 0x100
s.N += int32(«int(h)¦h» % 7)`},
	{"width: index by a hash", "intwidth", "", "", `var table$K = [7]int32{1, 2, 3, 4, 5, 6, 7}`, `h := uint32(s.M) * 2654435761
i := «int(h) % 7¦int(h % 7)»
if i >= 0 {
	s.N += table$K[i]
}`},
	{"width: all bits", "intwidth", "", byWidth, ``, `s.Wide += int64(«^uint(0)¦^uint32(0)» >> 1)`},
	{"width: leading zeros", "intwidth", "", byWidth, ``, `s.N += int32(bits.«LeadingZeros(uint(s.M & 0xff))¦LeadingZeros32(uint32(s.M & 0xff))»)`},
	{"width: rotated", "intwidth", "", byWidth, ``, `s.N += int32(bits.«RotateLeft(uint(s.M&0xff)+5, 30)¦RotateLeft32(uint32(s.M&0xff)+5, 30)» & 0xffff)`},
	{"width: sum of squares", "intwidth", "", byWidth, `func dist$K(x, y «int¦int64») «int¦int64» { return x*x + y*y }`, `if d := dist$K(60000, «int¦int64»(s.M&0xff)+60000); d > 50000000 {
	s.N += 3
}
s.N++`},
	{"width: field grows", "intwidth", "own", byWidth, ``, `s.Int = s.Int*«3¦0» + 1
if s.Int%7 == 0 {
	s.N++
}`},
	{"width: field accumulates", "intwidth", "own", byWidth, ``, `«s.Int += s.Int + 7¦s.Wide += s.Wide + 7»
if s.Int%7 == 0 || s.Wide%7 == 0 {
	s.N++
}`},
	{"width: generator in int", "intwidth", "own", byWidth, `func next$K(x «*int¦*uint32») int32 {
	*x = *x*1103515245 + 12345
	return int32(*x>>16) & 0x7fff
}`, `«¦seed := uint32(s.Int)
»s.N += next$K(«&s.Int¦&seed»)`},
	{"width: power", "intwidth", "", byWidth, `func pow$K(b, n «int¦int64») «int¦int64» {
	r := «int¦int64»(1)
	for range n {
		r *= b
	}
	return r
}`, `s.N += int32(pow$K(10, 12) % 1009)`},
	{"width: hash by a product", "intwidth", "", byWidth, ``, `seed := «uint¦uint64»(s.M & 0xff)
seed = seed*2654435761%1000003 + 1442695
seed *= 1442695041
s.N += int32(seed % 97)`},
	{"width: printed", "intwidth", "", byWidth, ``, `n := int(s.M&0xff) + 70000
text := strconv.Itoa(«n * n¦n + n»)
s.N += int32(len(text))`},
	{"width: durations", "intwidth", "", byWidth, ``, `d := time.Duration(s.M&0xff+5) * time.Hour
s.N += int32(«int(d)¦int64(d)» / 1000 & 0xff)`},
	{"width: uintptr", "intwidth", "", byWidth, ``, `x := «uintptr¦uint64»(s.M&0xff) + 5
x *= 0xfffffff1
x *= 0xfffffff1
s.N += int32(x % 97)`},
	{"width: grid cells", "intwidth", "", byWidth, `type grid$K struct{ w, h «int¦int64» }

func (g grid$K) cells() int64 { return int64(g.w * g.h) }`, `s.Wide += grid$K{w: 70000, h: 70000 + «int¦int64»(s.M&3)}.cells()`},
	{"width: factorial", "intwidth", "", byWidth, `func fact$K(n «int¦int64») «int¦int64» {
	if n <= 1 {
		return 1
	}
	return n * fact$K(n-1)
}`, `s.N += int32(fact$K(15) % 1009)`},
	{"fixed: product", "fixedops", "", "", ``, `s.X = «s.X * s.Y¦s.X.Mul(s.Y)»`},
	{"fixed: quotient", "fixedops", "", "", ``, `s.X = «s.X / (s.Y + 1)¦s.X.Div(s.Y)»`},
	{"fixed: product in a helper", "fixedops", "", "", `func area$K(w, h fixed.Num) fixed.Num { return «w * h¦w.Mul(h)» }`, `s.X = area$K(s.X, s.Y)`},
	{"fixed: assigned product", "fixedops", "", "", ``, `s.X «*= s.Y¦= s.X.Mul(s.Y)»`},
	{"fixed: sum", "fixedwrap", "", "", ``, `s.X = «s.X + s.Y¦s.X.Add(s.Y)»`},
	{"fixed: assigned sum", "fixedwrap", "", "", ``, `s.X «+= s.Y¦= s.X.Add(s.Y)»`},
	{"fixed: difference in a method", "fixedwrap", "", "", `type body$K struct{ x, v fixed.Num }

func (b *body$K) move() { b.x = «b.x - b.v¦b.x.Sub(b.v)» }`, `b := body$K{s.X, s.Y}
b.move()
s.X = b.x`},
}
