// Program does what walks stacks: it collects garbage below deep and growing stacks, panics, recovers, defers in
// loops, and calls methods of values through pointers that are nil. With an argument it ends with a panic.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
)

type shape interface{ area() int }

type square struct{ side int }

func (s square) area() int { return s.side * s.side }

//go:noinline
func nobody() shape { return (*square)(nil) }

type tree[T any] struct {
	left, right *tree[T]
	value       T
}

//go:noinline
func (t *tree[T]) sum(of func(T) int) int {
	if t == nil {
		return 0
	}
	return t.left.sum(of) + of(t.value) + t.right.sum(of)
}

func grow(depth int) *tree[[2]int] {
	if depth == 0 {
		return nil
	}
	return &tree[[2]int]{grow(depth - 1), grow(depth - 1), [2]int{depth, 1}}
}

//go:noinline
func deep(n int, keep *[64]byte) (sum int) {
	var mine [64]byte
	mine[n%64] = byte(n)
	if n%1000 == 0 {
		runtime.GC()
	}
	if n > 0 {
		sum = deep(n-1, &mine)
	}
	return sum + int(keep[(n+1)%64]) + int(mine[n%64])
}

func tried(do func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	do()
	return "nothing"
}

func deferred(n int) (list []int) {
	for i := range n {
		defer func() { list = append(list, i) }()
	}
	return nil
}

func main() {
	if len(os.Args) > 1 {
		var list []int
		defer func() { fmt.Println(list[len(os.Args)]) }()
		panic(os.Args[1])
	}
	fmt.Println(deep(20_000, new([64]byte)))
	t := grow(12)
	var wait sync.WaitGroup
	sums := make([]int, 50)
	for i := range sums {
		wait.Go(func() {
			for range 20 {
				sums[i] += t.sum(func(v [2]int) int { runtime.Gosched(); return v[0] * v[1] })
				_ = make([]byte, 1<<16)
			}
		})
	}
	wait.Wait()
	fmt.Println(sums)
	fmt.Println(tried(func() { nobody().area() }))
	fmt.Println(tried(func() { var m map[string]int; m["a"]++ }))
	fmt.Println(tried(func() { fmt.Println([]int{1}[len(sums)]) }))
	fmt.Println(tried(func() { panic(tried(func() { panic("inner") })) }))
	fmt.Println(deferred(5))
	_, _, line, ok := runtime.Caller(0)
	fmt.Fprintln(os.Stderr, "line", line, ok)
}
