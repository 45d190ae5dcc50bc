package robots

// Action is what a robot does in a tick, and a player's input: None leaves it to
// the program.
type Action uint8

// The actions. Greater numbers start at None again.
const (
	None Action = iota
	Forward
	Left
	Right
	Fire
	LayMine
	Lock // locks on the nearest robot

	actions = 7
)

// Sensors are what a program can know, by the numbers that OpSense takes.
type Sensors [sensors]int32

// The sensors.
const (
	SenseFrame byte = iota
	SenseX
	SenseY
	SenseDir
	SenseHp
	SenseReload
	SenseTargetX // the target's coordinate minus the robot's own; 0 without a target
	SenseTargetY
	SenseLast   // ticks that its newest bullet has left to fly
	SenseID     // the newest id in the world
	SenseRandom // 0 to 32767

	sensors
)

// Wanderer returns a program that drives about at random and shoots.
func Wanderer() []byte {
	return []byte{
		OpPush, byte(Lock), OpAct,
		OpPush, byte(Fire), OpAct,
		OpSense, SenseRandom, OpPush, 4, OpMod,
		OpJumpZero, 7, // jumps to Left
		OpPush, byte(Forward), OpAct,
		OpJump, 5, // jumps to the end, and so to the top
		OpPush, byte(Left), OpAct,
	}
}

// Sower returns a program that lays mines along its way, and stores their ids in its heap, which grows by two
// words a mine. At 12 words it gives them back and starts over.
func Sower() []byte {
	return []byte{
		OpPush, 0, // the size of the heap, which stays on the stack
		OpPush, byte(LayMine), OpAct, // from here on it repeats
		OpPush, 2, OpGrow,
		OpDup, OpSense, SenseID, OpSwap, OpStore,
		OpPush, 2, OpAdd,
		OpPush, byte(Forward), OpAct,
		OpPush, byte(Right), OpAct,
		OpPush, byte(Forward), OpAct,
		OpDup, OpPush, 12, OpLess, OpJumpZero, 4, // over the next instruction
		OpJump, 0xE3, // -29
		OpShrink,
	}
}
