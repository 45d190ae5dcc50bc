// Package robots is a worked example of a game that owns its memory: robots that
// run programs which their players upload, in a world of pointers, maps, slices
// that grow and shrink, a small virtual machine, and, in one variant, a variable
// of the process. None of that fits a plain state ([rollback.Game]), so the game
// is a [rollback.OwnMemory], and this package shows how each of its capabilities
// can be written, and what each costs and buys.
//
//   - [Game] is the game as one would write it; [Ported] is the one with the
//     variable of the process, and [Cured] is how to live with one. Read those
//     three first.
//   - [World] is what a step advances, and [Snapshot] what it is stored in.
//   - [VM] runs the programs; [Wanderer] and [Sower] are two.
//   - [Action] is a player's input; the bytes of a program are a player's orders.
//
// # The game
//
// Two to four robots drive about a grid, shoot, and lay mines. In each tick, each
// robot does what its player says, or else what its program says. A program is any
// bytes: a mistake in it stops the program, never the game. The first to destroy
// [WinScore] opponents has won; the robots keep going.
//
// # One image for everything
//
// A state is made of what can be copied by assignment, and of what links it
// together. Save turns a [World] into a [Snapshot], an image in which a pointer has
// become an index, and Restore turns it back. They alone know how the world is
// linked. All other capabilities are short, because they work on the image:
//
//	capability  how it is made here            what it buys
//	Step        the rules                      lockstep, with Hash below
//	Save        world to image                 a prediction window, the sync test
//	Restore     image to world                 the other half of Save
//	Hash        image to bytes to hash         agreed hashes without a slow walk
//	Equal       image of now, compared         rollbacks that stop early
//	Marshal     image to bytes                 late joiners, engines elsewhere
//	Unmarshal   bytes to image, checked        the other half of Marshal
//	Describe    the image itself               reports that name the field
//	New         a world and its state 0        many matches in one process
//	Init        state 0 again                  restarts that keep the memory
//	Effects     a list                         sounds and sparks that play once
//
// A game does not need all of this on the first day. Step alone is a match in
// lockstep; Save and Restore bring rollback. The tests of this package take the
// capabilities away one at a time, and show what is left.
//
// # Rules that the code keeps
//
//   - A slot shares no memory with the world. What shares is not found when it is
//     saved, but frames later, when the world has written to it.
//   - What is saved is written over what the slot held before: its slices are cut
//     to length 0 and appended to, its map is cleared and filled. After the largest
//     state has been seen, nothing is allocated.
//   - Memory that is not state (free lists, work space) is tagged canon:"-", and
//     nothing in it reaches a decision.
//   - Maps are looked up, or visited by sorted keys. Copying one, and comparing two,
//     does not depend on the order.
//   - Bytes from elsewhere are checked in full before anything is changed.
package robots
