// Package each has generic functions.
package each

import "sort"

// Do calls a function for each element.
func Do[T any](list []T, f func(T)) {
	for _, x := range list {
		f(x)
	}
}

// Number is what can be added.
type Number interface{ ~int32 | ~float64 }

// Scale multiplies and adds: of floats, a processor may do both at once.
func Scale[N Number](x, by, plus N) N {
	return x*by + plus // want fusedfloat
}

// Bag is a generic type.
type Bag[K comparable] struct{ m map[K]int32 }

// Keys has the keys in the order of the map.
func (b *Bag[K]) Keys() (list []K) {
	for k := range b.m { // want maporder
		list = append(list, k)
	}
	return list
}

// Sorted has them in an order of its own.
func Sorted[K ~int32](b *Bag[K]) []K {
	var list []K
	for k := range b.m {
		list = append(list, k)
	}
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	return list
}
