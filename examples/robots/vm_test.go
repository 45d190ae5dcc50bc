package robots_test

import (
	"slices"
	"testing"

	"github.com/tickback/tickback/examples/robots"
)

const minus = 0x100 // minus-3 is the operand -3

// What every instruction does with the stack, and what goes wrong with it.
func TestInstructions(t *testing.T) {
	push := func(words ...byte) (p []byte) {
		for _, w := range words {
			p = append(p, robots.OpPush, w)
		}
		return p
	}
	many := slices.Repeat(push(1), robots.MaxStack)
	big := append(push(127, 127), robots.OpMul, robots.OpDup, robots.OpMul, robots.OpPush, 127, robots.OpMul)
	wrapped := int32(127 * 127)
	wrapped *= wrapped
	wrapped *= 127
	for _, c := range []struct {
		name    string
		program []byte
		stack   []int32
		fault   robots.Fault
	}{
		{"nop", []byte{robots.OpNop}, nil, robots.Running},
		{"push", push(7, minus-7), []int32{7, -7}, robots.Running},
		{"push without operand", []byte{robots.OpPush}, nil, robots.BadOperand},
		{"push on a full stack", append(slices.Clone(many), push(1)...), slices.Repeat([]int32{1}, robots.MaxStack), robots.Overflow},
		{"dup", append(push(7), robots.OpDup), []int32{7, 7}, robots.Running},
		{"dup of nothing", []byte{robots.OpDup}, nil, robots.Underflow},
		{"drop", append(push(7, 8), robots.OpDrop), []int32{7}, robots.Running},
		{"swap", append(push(7, 8), robots.OpSwap), []int32{8, 7}, robots.Running},
		{"swap of one", append(push(7), robots.OpSwap), []int32{7}, robots.Underflow},
		{"add", append(push(7, 8), robots.OpAdd), []int32{15}, robots.Running},
		{"sub", append(push(7, 8), robots.OpSub), []int32{-1}, robots.Running},
		{"mul that wraps", big, []int32{wrapped}, robots.Running},
		{"mod", append(push(minus-7, 4), robots.OpMod), []int32{-3}, robots.Running},
		{"mod by zero", append(push(7, 0), robots.OpMod), []int32{7, 0}, robots.DivZero},
		{"less", append(push(7, 8), robots.OpLess), []int32{1}, robots.Running},
		{"not less", append(push(8, 8), robots.OpLess), []int32{0}, robots.Running},
		{"jump", []byte{robots.OpJump, 4, robots.OpPush, 1, robots.OpPush, 2}, []int32{2}, robots.Running},
		{"jump to the end", []byte{robots.OpJump, 2}, nil, robots.Running},
		{"jump beyond", []byte{robots.OpJump, 3}, nil, robots.BadJump},
		{"jump before", []byte{robots.OpJump, minus - 1}, nil, robots.BadJump},
		{"jump if zero", append(push(0), robots.OpJumpZero, 3, 0xFF), nil, robots.Running},
		{"no jump if not", append(push(1), robots.OpJumpZero, 3, robots.OpNop), nil, robots.Running},
		{"store and load", append(append(append(push(2), robots.OpGrow), append(push(9, 1), robots.OpStore)...), append(push(1), robots.OpLoad)...), []int32{9}, robots.Running},
		{"load beyond", append(push(0), robots.OpLoad), []int32{0}, robots.BadHeap},
		{"store before", append(push(5, minus-1), robots.OpStore), []int32{5, -1}, robots.BadHeap},
		{"grow by less than nothing", append(push(minus-1), robots.OpGrow), []int32{-1}, robots.BadHeap},
		{"grow too much", append(append(push(127), robots.OpGrow), append(push(2), robots.OpGrow)...), []int32{2}, robots.BadHeap},
		{"shrink too much", append(push(1), robots.OpShrink), []int32{1}, robots.BadHeap},
		{"grow and shrink", append(append(push(3), robots.OpGrow), append(push(3), robots.OpShrink)...), nil, robots.Running},
		{"sense", []byte{robots.OpSense, robots.SenseHp}, []int32{42}, robots.Running},
		{"sense nothing", []byte{robots.OpSense, 200}, []int32{0}, robots.Running},
		{"no such instruction", append(push(1), 0xFF), []int32{1}, robots.BadOpcode},
	} {
		var vm robots.VM
		// A last action ends the tick, lest the program begins again.
		vm.Load(append(slices.Clone(c.program), robots.OpPush, byte(robots.Fire), robots.OpAct))
		if c.fault == robots.BadOperand || c.fault == robots.BadJump {
			vm.Load(c.program)
		}
		a := vm.Run(&robots.Sensors{robots.SenseHp: 42})
		want(t, c.name+": fault", vm.Fault, c.fault)
		if !slices.Equal(vm.Stack, c.stack) {
			t.Errorf("%s: the stack is %v, want %v", c.name, vm.Stack, c.stack)
		}
		want(t, c.name+": acts", a == robots.Fire, c.fault == robots.Running)
	}
}

// A program goes on where it was in the tick before, and from the top at its end.
func TestAProgramRunsOverTicks(t *testing.T) {
	var vm robots.VM
	vm.Load([]byte{robots.OpPush, byte(robots.Left), robots.OpAct, robots.OpPush, byte(robots.Right), robots.OpAct})
	for _, a := range []robots.Action{robots.Left, robots.Right, robots.Left} {
		want(t, "action", vm.Run(&robots.Sensors{}), a)
	}
	vm.Load([]byte{robots.OpJump, 0})
	want(t, "an endless loop", vm.Run(&robots.Sensors{}), robots.None)
	want(t, "is no fault", vm.Fault, robots.Running)
	vm.Load(nil)
	want(t, "no program", vm.Run(&robots.Sensors{}), robots.None)
	vm.Load(make([]byte, robots.MaxProgram+1))
	want(t, "the longest program", len(vm.Program), robots.MaxProgram)
}

// Whatever the bytes are, a program neither panics nor outgrows its bounds, and two
// machines do the same with it.
func FuzzProgram(f *testing.F) {
	f.Add(robots.Wanderer(), int32(3))
	f.Add(robots.Sower(), int32(-1))
	f.Add([]byte{robots.OpPush, 0x7F, robots.OpGrow, robots.OpPush, 1, robots.OpJump, 0xFE}, int32(0))
	f.Fuzz(func(t *testing.T, program []byte, sensor int32) {
		var a, b robots.VM
		a.Load(program)
		b.Load(program)
		sensors := robots.Sensors{robots.SenseTargetX: sensor, robots.SenseRandom: sensor & 0x7FFF}
		for range 50 {
			want(t, "action", a.Run(&sensors), b.Run(&sensors))
		}
		if len(a.Stack) > robots.MaxStack || len(a.Heap) > robots.MaxHeap || int(a.PC) > len(a.Program) {
			t.Errorf("stack %d, heap %d, at %d of %d", len(a.Stack), len(a.Heap), a.PC, len(a.Program))
		}
		if !slices.Equal(a.Stack, b.Stack) || !slices.Equal(a.Heap, b.Heap) || a.PC != b.PC || a.Fault != b.Fault {
			t.Error("two machines disagree")
		}
	})
}
