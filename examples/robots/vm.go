package robots

import "slices"

// Limits of a [VM].
const (
	MaxProgram   = 4096 // bytes
	MaxStack     = 32   // words
	MaxHeap      = 128  // words
	StepsPerTick = 48   // instructions that a program may run in one tick
)

// VM is a stack machine. It is made for hostile programs: whatever the bytes are,
// a tick of it is at most [StepsPerTick] instructions, its memory is bounded, and a
// mistake is a [Fault], after which it stands still until it is given another
// program. Words are 32 bits, and arithmetic wraps, as it does in Go on every
// machine.
type VM struct {
	Program []byte
	Stack   []int32
	Heap    []int32
	PC      uint16 // the program counter: at most len(Program), which means from the top
	Fault   Fault
}

// Load gives the machine a program, as a copy, and starts it. Bytes beyond
// [MaxProgram] are cut off.
func (vm *VM) Load(program []byte) {
	vm.Program = append(vm.Program[:0], program[:min(len(program), MaxProgram)]...)
	vm.Stack, vm.Heap, vm.PC, vm.Fault = vm.Stack[:0], vm.Heap[:0], 0, Running
}

// Run runs the program until it acts, fails, or has used up its tick.
func (vm *VM) Run(sensors *Sensors) Action {
	if len(vm.Program) == 0 {
		return None
	}
	for range StepsPerTick {
		if vm.Fault != Running {
			return None
		}
		if a, acts := vm.instruction(sensors); acts {
			return a
		}
	}
	return None
}

// instruction runs one instruction.
func (vm *VM) instruction(sensors *Sensors) (a Action, acts bool) {
	if int(vm.PC) == len(vm.Program) {
		vm.PC = 0
	}
	op := vm.Program[vm.PC]
	if op >= opcodes {
		vm.Fault = BadOpcode
		return None, false
	}
	need, next, operand := &arity[op], vm.PC+1, byte(0)
	if need.operands > 0 {
		if int(next) == len(vm.Program) {
			vm.Fault = BadOperand
			return None, false
		}
		operand = vm.Program[next]
		next++
	}
	switch rest := len(vm.Stack) - int(need.pops); {
	case rest < 0:
		vm.Fault = Underflow
	case rest+int(need.pushes) > MaxStack:
		vm.Fault = Overflow
	default:
		var top, below int32 // the words that it takes
		if need.pops > 0 {
			top = vm.Stack[len(vm.Stack)-1]
		}
		if need.pops > 1 {
			below = vm.Stack[rest]
		}
		return vm.execute(op, operand, rest, below, top, next, sensors)
	}
	return None, false
}

// execute executes an instruction. There are rest words on the stack below the ones that it takes; it fails
// before it changes anything.
func (vm *VM) execute(op, operand byte, rest int, below, top int32, next uint16, sensors *Sensors) (a Action, acts bool) {
	stack := vm.Stack[:rest]
	switch op {
	case OpPush:
		stack = append(stack, int32(int8(operand)))
	case OpDup:
		stack = append(stack, top, top)
	case OpSwap:
		stack = append(stack, top, below)
	case OpAdd:
		stack = append(stack, below+top)
	case OpSub:
		stack = append(stack, below-top)
	case OpMul:
		stack = append(stack, below*top)
	case OpMod:
		if top == 0 {
			vm.Fault = DivZero
			return
		}
		stack = append(stack, below%top)
	case OpLess:
		word := int32(0)
		if below < top {
			word = 1
		}
		stack = append(stack, word)
	case OpJump, OpJumpZero:
		if top != 0 { // OpJump takes no words, so that top is 0
			break
		}
		to := int(vm.PC) + int(int8(operand))
		if to < 0 || to > len(vm.Program) {
			vm.Fault = BadJump
			return
		}
		next = uint16(to)
	case OpGrow:
		if top < 0 || int64(len(vm.Heap))+int64(top) > MaxHeap {
			vm.Fault = BadHeap
			return
		}
		for range top {
			vm.Heap = append(vm.Heap, 0)
		}
	case OpShrink:
		if top < 0 || int64(top) > int64(len(vm.Heap)) {
			vm.Fault = BadHeap
			return
		}
		vm.Heap = vm.Heap[:len(vm.Heap)-int(top)]
	case OpLoad, OpStore:
		if top < 0 || int64(top) >= int64(len(vm.Heap)) {
			vm.Fault = BadHeap
			return
		}
		if op == OpStore {
			vm.Heap[top] = below
		} else {
			stack = append(stack, vm.Heap[top])
		}
	case OpSense:
		word := int32(0)
		if int(operand) < len(sensors) {
			word = sensors[operand]
		}
		stack = append(stack, word)
	case OpAct:
		a, acts = Action(uint32(top)%actions), true
	}
	vm.Stack, vm.PC = stack, next
	return a, acts
}

// set makes vm a copy of another machine. The slices are copied into those that vm
// has: assigning them would share their memory, and a program that writes to its
// heap would change the past.
func (vm *VM) set(from *VM) {
	vm.Program = append(vm.Program[:0], from.Program...)
	vm.Stack = append(vm.Stack[:0], from.Stack...)
	vm.Heap = append(vm.Heap[:0], from.Heap...)
	vm.PC, vm.Fault = from.PC, from.Fault
}

func (vm *VM) equal(other *VM) bool {
	return vm.PC == other.PC && vm.Fault == other.Fault && slices.Equal(vm.Program, other.Program) &&
		slices.Equal(vm.Stack, other.Stack) && slices.Equal(vm.Heap, other.Heap)
}
