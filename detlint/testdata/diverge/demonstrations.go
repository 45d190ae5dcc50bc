package main

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"hash/maphash"
	"maps"
	"math"
	"math/big"
	"math/rand"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

type unit struct{ ID, HP int32 }

type input struct{ Move int8 }

type tick = rollback.Tick[input]

// gold has many entries of the same value.
var gold = func() map[int32]int32 {
	m := map[int32]int32{}
	for i := range int32(100) {
		m[i] = i % 3
	}
	return m
}()

// demonstrations are those of this program, by their rules.
var demonstrations = map[string]demonstration{
	"maporder": {
		func(int) any {
			who, least := int32(-1), int32(10)
			for k, v := range gold {
				if v < least {
					who, least = k, v
				}
			}
			return who
		},
		func(int) any {
			who, least := int32(-1), int32(10)
			for _, k := range slices.Sorted(maps.Keys(gold)) {
				if gold[k] < least {
					who, least = k, gold[k]
				}
			}
			return who
		},
	},
	"sorttie": {
		func(run int) any {
			return sorted(run, func(a, b unit) int { return cmp.Compare(a.HP, b.HP) })
		},
		func(run int) any {
			return sorted(run, func(a, b unit) int { return cmp.Or(cmp.Compare(a.HP, b.HP), cmp.Compare(a.ID, b.ID)) })
		},
	},
	"concurrency": {
		func(int) any {
			left, right := make(chan string, 1), make(chan string, 1)
			left <- "left"
			right <- "right"
			took := ""
			for range 8 {
				select {
				case side := <-left:
					took += side
					left <- side
				case side := <-right:
					took += side
					right <- side
				}
			}
			return took
		},
		func(int) any { return min("left", "right") },
	},
	"clock": {
		func(int) any { return time.Now().UnixNano() },
		func(int) any { return 5 * time.Second },
	},
	"random": {
		func(int) any { return rand.Int63() },
		func(int) any {
			r := rng.NewXorshift128Plus(7)
			return r.Next()
		},
	},
	"environment": {
		func(int) any { return os.Getenv("HARD") },
		func(int) any { return "hard" },
	},
	"machine": {
		func(int) any { return runtime.GOMAXPROCS(0) },
		func(int) any { return 4 },
	},
	"address": {
		func(int) any { return fmt.Sprintf("%p", new([1000]unit)) },
		func(int) any { return unit{ID: 3} },
	},
	"maphash": {
		func(int) any { return maphash.String(maphash.MakeSeed(), "axe") },
		func(int) any { return canon.HashBytes([]byte("axe")) },
	},
	"collector": {
		func(run int) any { return pooled(run, false) },
		func(run int) any { return pooled(run, true) },
	},
	"globals": {
		func(run int) any { return again(run, func(n *int32) { hits++; *n = hits }) },
		func(run int) any { return again(run, func(n *int32) { *n++ }) },
	},
	"closure": {
		func(run int) any {
			count := int32(0)
			return again(run, func(n *int32) { count++; *n = count })
		},
		func(run int) any {
			limit := int32(3)
			return again(run, func(n *int32) { *n = min(*n+1, limit) })
		},
	},
	"output": {
		func(run int) any {
			var log bytes.Buffer
			again(run, func(n *int32) { *n++; fmt.Fprintln(&log, "hit", *n) })
			return log.String()
		},
		func(run int) any { return again(run, func(n *int32) { *n++ }) },
	},
	"excluded": {
		func(run int) any { return newcomer(run, func(s *guarded) bool { return s.Flash == 0 }) },
		func(run int) any { return newcomer(run, func(*guarded) bool { return true }) },
	},
	"capacity": {
		func(run int) any { return filled(run, func(list []int32) bool { return len(list) == cap(list) }) },
		func(run int) any { return filled(run, func(list []int32) bool { return len(list)%8 == 0 }) },
	},
	"retain": {
		func(run int) any { return ordered(run, func(last *[]byte, b []byte) { *last = b }) },
		func(run int) any {
			return ordered(run, func(last *[]byte, b []byte) { *last = append((*last)[:0], b...) })
		},
	},
	"status": {
		func(run int) any {
			return supposed(run, func(t *tick) bool { return t.Status(0) == rollback.Confirmed })
		},
		func(run int) any {
			return supposed(run, func(t *tick) bool { return t.Status(0) != rollback.Disconnected })
		},
	},
	"alias": {
		func(run int) any { return restored(run, func(s, slot *swarm) { *slot = *s }) },
		func(run int) any {
			return restored(run, func(s, slot *swarm) { slot.Bees, slot.Queen = append(slot.Bees[:0], s.Bees...), s.Queen })
		},
	},
	"copies": {
		func(run int) any {
			return restored(run, func(s, slot *swarm) { slot.Bees = append(slot.Bees[:0], s.Bees...) })
		},
		func(run int) any {
			return restored(run, func(s, slot *swarm) { slot.Bees, slot.Queen = append(slot.Bees[:0], s.Bees...), s.Queen })
		},
	},
	"encoding": {
		func(int) any {
			var b bytes.Buffer
			if err := gob.NewEncoder(&b).Encode(gold); err != nil {
				return err
			}
			return canon.HashBytes(b.Bytes())
		},
		func(int) any {
			h, err := canon.HashAny(gold)
			if err != nil {
				return err
			}
			return h
		},
	},
	"nankey": {
		func(run int) any {
			seen, x := map[float64]bool{}, math.NaN()
			for range 1 + run {
				seen[x] = true
			}
			return len(seen)
		},
		func(run int) any {
			seen, x := map[fixed.Num]bool{}, fixed.Num(0).Div(0)
			for range 1 + run {
				seen[x] = true
			}
			return len(seen)
		},
	},
	"fixedops": {
		func(run int) any { return exact(run, func(x, y fixed.Num) fixed.Num { return x * y }) },
		func(run int) any { return exact(run, fixed.Num.Mul) },
	},
	"fixedwrap": {
		func(run int) any { return largest(run, func(x, y fixed.Num) fixed.Num { return x + y }) },
		func(run int) any { return largest(run, fixed.Num.Add) },
	},
	"saturate": {
		func(run int) any { return limited(run, func(n int32) int32 { return n + 1000 }) },
		func(run int) any {
			return limited(run, func(n int32) int32 { return int32(min(int64(n)+1000, math.MaxInt32)) })
		},
	},
}

var hits int32

// sorted sorts units of three lives, which were in another order before in each run.
func sorted(run int, by func(a, b unit) int) any {
	var list []unit
	for i := range int32(50) {
		list = append(list, unit{i, i % 3})
	}
	if run == 1 {
		slices.Reverse(list)
	}
	slices.SortFunc(list, by)
	return list
}

// pooled uses a list from a pool in two frames, in run 1 with a collection in between.
func pooled(run int, reset bool) any {
	debug.SetGCPercent(-1)
	lists := sync.Pool{New: func() any { return new([]int32) }}
	n := 0
	for frame := range int32(2) {
		list := lists.Get().(*[]int32)
		if reset {
			*list = (*list)[:0]
		}
		*list = append(*list, frame)
		n = len(*list)
		lists.Put(list)
		if run == 1 {
			runtime.GC()
			runtime.GC()
		}
	}
	return n
}

// again runs three frames, in run 1 the last two of them twice: the state has gone back.
func again(run int, step func(n *int32)) any {
	n := int32(0)
	step(&n)
	saved := n
	step(&n)
	step(&n)
	if run == 1 {
		n = saved
		step(&n)
		step(&n)
	}
	return n
}

type guarded struct {
	Life  int32
	Flash int32 `canon:"-"`
}

// newcomer runs two frames; in run 1 the second one is of a machine that got the encoded state.
func newcomer(run int, counts func(s *guarded) bool) any {
	step := func(s *guarded) {
		if counts(s) {
			s.Life--
		}
		s.Flash = 8
	}
	s := guarded{Life: 5}
	step(&s)
	if run == 1 {
		s = guarded{Life: s.Life} // that is all that is in the encoding
	}
	step(&s)
	return s.Life
}

// filled appends to a list in 20 frames; in run 1 it is one that was restored.
func filled(run int, full func(list []int32) bool) any {
	var list []int32
	n := 0
	for frame := range int32(20) {
		if run == 1 {
			list = append(make([]int32, 0, 100), list...)
		}
		if full(list) {
			n++
		}
		list = append(list, frame)
	}
	return n
}

// ordered steps with orders, whose memory is used again in run 1.
func ordered(run int, keep func(last *[]byte, b []byte)) any {
	engine := []byte("attack")
	var last []byte
	keep(&last, engine)
	if run == 1 {
		copy(engine, "retire")
	}
	return string(last)
}

type counted struct{ N int32 }

// supposed steps with an input that is confirmed, and in run 1 with one that is predicted.
func supposed(run int, counts func(t *tick) bool) any {
	game := rollback.Game[counted, input]{Step: func(s *counted, t *tick) {
		if counts(t) {
			s.N++
		}
	}}
	box, err := rollback.NewSandbox(game, 1, 0)
	if err != nil {
		return err
	}
	frame := rollback.SandboxFrame[input]{Inputs: []input{{1}}, Statuses: []rollback.Status{rollback.Confirmed}}
	if run == 1 {
		frame.Statuses[0] = rollback.Predicted
	}
	if _, err := box.Step(frame); err != nil {
		return err
	}
	return box.Live().N
}

type swarm struct {
	Bees  []int32
	Queen int32
}

// restored steps once, in run 1 twice with the state restored in between.
func restored(run int, save func(s, slot *swarm)) any {
	step := func(s *swarm) { s.Queen++; s.Bees[0]++ }
	s, slot := swarm{Bees: []int32{1, 2}, Queen: 5}, swarm{}
	save(&s, &slot)
	step(&s)
	if run == 1 {
		s.Bees, s.Queen = append([]int32(nil), slot.Bees...), slot.Queen
		step(&s)
	}
	return s
}

// exact multiplies 3 and 2, in run 0 by hand.
func exact(run int, mul func(x, y fixed.Num) fixed.Num) any {
	x, y := fixed.FromInt(3), fixed.FromInt(2)
	if run == 0 {
		n := new(big.Int).Mul(big.NewInt(int64(x)), big.NewInt(int64(y)))
		return fixed.Num(n.Rsh(n, fixed.FracBits).Int64())
	}
	return mul(x, y)
}

// largest adds at the end of the range, where run 0 stays.
func largest(run int, add func(x, y fixed.Num) fixed.Num) any {
	if run == 0 {
		return fixed.Max
	}
	return add(fixed.Max, fixed.One)
}

// limited adds at the end of the range, where run 0 stays.
func limited(run int, add func(n int32) int32) any {
	if run == 0 {
		return int32(math.MaxInt32)
	}
	return add(math.MaxInt32)
}
