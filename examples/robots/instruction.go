package robots

// Fault is why a program has stopped.
type Fault uint8

// The faults. The program counter and the stack stay as they were before the
// instruction that failed.
const (
	Running Fault = iota
	BadOpcode
	BadOperand // the program ends before the operand
	Underflow
	Overflow
	BadJump // a jump to somewhere outside of the program
	BadHeap // an address outside of the heap, or a heap of an impossible size
	DivZero // a remainder of a division by zero

	faults = 8
)

// The instructions, with the words that they take from the stack and put there. An operand is in the byte
// after its instruction.
const (
	OpNop      byte = iota
	OpPush          // -- operand, signed
	OpDup           // a -- a a
	OpDrop          // a --
	OpSwap          // a b -- b a
	OpAdd           // a b -- a+b
	OpSub           // a b -- a-b
	OpMul           // a b -- a*b
	OpMod           // a b -- a%b, with the sign of a
	OpLess          // a b -- 1 if a < b, else 0
	OpJump          // continues at the address of this instruction + operand, signed
	OpJumpZero      // a -- jumps if a is 0
	OpGrow          // n -- adds n words, zero, to the end of the heap
	OpShrink        // n -- drops n words from the end of the heap
	OpLoad          // address -- word
	OpStore         // word address --
	OpSense         // -- the sensor that the operand names; 0 if there is none
	OpAct           // action -- ends the tick with this Action

	opcodes
)

// arity has what every instruction needs in one table, so that this is checked in one place, and the
// instructions only check what is specific to them.
var arity = [opcodes]struct{ operands, pops, pushes uint8 }{
	OpPush: {1, 0, 1}, OpDup: {0, 1, 2}, OpDrop: {0, 1, 0}, OpSwap: {0, 2, 2},
	OpAdd: {0, 2, 1}, OpSub: {0, 2, 1}, OpMul: {0, 2, 1}, OpMod: {0, 2, 1}, OpLess: {0, 2, 1},
	OpJump: {1, 0, 0}, OpJumpZero: {1, 1, 0},
	OpGrow: {0, 1, 0}, OpShrink: {0, 1, 0}, OpLoad: {0, 1, 1}, OpStore: {0, 2, 0},
	OpSense: {1, 0, 1}, OpAct: {0, 1, 0},
}
