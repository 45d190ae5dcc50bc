// Package vectors has floats in structs.
package vectors

// Products in fields of structs: the compiler keeps these in registers, and functions that it puts where they
// are called do their sums right there. Each of these is fused by Go 1.26 for arm64.

type vec struct{ x, y float64 }

type body struct {
	at, speed vec
	mass      float64
}

func (a vec) scale(k float64) vec        { return vec{a.x * k, a.y * k} }
func (a vec) scaleRounded(k float64) vec { return vec{float64(a.x * k), float64(a.y * k)} }
func (a vec) add(b vec) vec              { return vec{a.x + b.x, a.y + b.y} }
func (a *vec) move(b vec)                { a.x += b.x; a.y += b.y }
func (a vec) swapped() vec               { return vec{a.y, a.x} }
func (a vec) larger(b vec) vec           { return vec{max(a.x, b.x), max(a.y, b.y)} }

//tickback:deterministic
func scaledAndAdded(b *body) { b.at = b.at.add(b.speed.scale(0.016)) } // want fusedfloat

//tickback:deterministic
func scaledAndMoved(b *body) {
	b.at.move(b.speed.scale(0.016)) // want fusedfloat
}

//tickback:deterministic
func byVariable(b *body) {
	d := vec{b.speed.x * 0.3, b.speed.y}
	b.at.x += d.x // want fusedfloat
	b.at.y += d.y
}

//tickback:deterministic
func byBranch(b *body) {
	var d vec
	if b.mass > 3 {
		d.x = b.speed.x * 0.3
	}
	b.at = b.at.add(d) // no compiler looks further than a branch when it puts a function here
	b.at.x += d.x      // want fusedfloat
}

func volume(sides []float64) float64 {
	v := 1.0
	for _, s := range sides {
		v *= s
	}
	return v
}

//tickback:deterministic
func byLoop(b *body, sides []float64) { b.at.x += volume(sides) }

//tickback:deterministic
func byMemory(b *body) {
	b.speed.x = b.speed.x * 0.98
	b.at.x = b.at.x + b.speed.x // want fusedfloat
}

//tickback:deterministic
func byWholeStruct(b *body) {
	b.speed = b.speed.scale(0.98)
	b.at.y += b.speed.y // want fusedfloat
}

func weighed(b *body) (x, y float64) { return b.speed.x * b.mass, b.speed.y }

//tickback:deterministic
func ofTwoResults(b *body) {
	x, y := weighed(b)
	b.at.x += x // want fusedfloat
	b.at.y += y
}

func total(a, b float64) float64       { return a + b }
func totalOf3(a, b, c float64) float64 { return total(total(a, b), c) }

//tickback:deterministic
func argument(b *body) {
	b.at.x = total(b.at.x, b.speed.x*0.3)       // want fusedfloat
	b.at.y = totalOf3(b.at.x, 1, b.speed.y*0.3) // want fusedfloat
}

//tickback:deterministic
func argumentOfLiteral(b *body) {
	add := func(x float64) { b.at.x += x }
	add(b.speed.x * 0.3) // want fusedfloat
}

//tickback:deterministic
func roundedFields(b *body) {
	b.at = b.at.add(b.speed.scaleRounded(0.016))
	d := vec{float64(b.speed.x * 0.3), b.speed.y}
	b.at.x += d.x
}

//tickback:deterministic
func roundedArguments(b *body) {
	b.at.x = total(b.at.x, float64(b.speed.x*0.3))
	d := b.speed.x * 0.3
	b.at.y = total(b.at.y, float64(d))
}

//tickback:deterministic
func otherField(b *body) {
	d := vec{b.speed.x * 0.3, b.speed.y}
	b.at.y += d.y
	b.at.x = d.x
}

//tickback:deterministic
func overwritten(b *body) {
	b.speed.x = b.speed.x * 0.98
	b.at.y = b.speed.x
	b.speed.x = b.mass
	b.at.x = b.at.x + b.speed.x
}

//tickback:deterministic
func onlyCompared(b *body) {
	b.at = b.at.larger(b.speed.scale(0.3))
	b.at = b.speed.scale(0.3).swapped()
}

// An array of several elements is memory, and what lies in memory is rounded.
//
//tickback:deterministic
func array(a, b *[3]float64) {
	var t [3]float64
	for i := range t {
		t[i] = a[i] * 0.3
	}
	for i := range t {
		b[i] += t[i]
	}
}

//tickback:deterministic
func sumsOnly(b *body) { b.at = b.at.add(b.speed).add(vec{1, 2}) }

//tickback:deterministic
func productsOnly(b *body) { b.at = b.at.scale(0.3).scaleRounded(0.7) }

//tickback:deterministic
func sumThenProduct(b *body) { b.at = b.at.add(b.speed).scale(0.3) }

//tickback:deterministic
func swappedAndAdded(b *body) { b.at = b.at.swapped().add(b.speed.larger(b.at)) }

//tickback:deterministic
func roundedByMethod(b *body) {
	b.speed = b.speed.scaleRounded(0.98)
	b.at = b.at.add(b.speed)
}

//tickback:deterministic
func closer(b, o *body) bool { return b.at.scale(2).x < o.at.x }

//tickback:deterministic
func roundedInTwoSteps(b *body) {
	d := float64(b.speed.x * 0.3)
	b.at = b.at.add(vec{d, d})
}

//tickback:deterministic
func doubled(b *body) { b.at.x = 2*b.speed.x + b.at.x }
