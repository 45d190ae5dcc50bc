// Package canon gives a game state its canonical form: one sequence of bytes
// that is the same on every architecture, whatever its byte order, word size
// and padding. Peers compare hashes of it, recordings and state transfers
// carry it, and a desync report names the fields in which two of them differ.
//
// # A plain state
//
// A plain state is a type without pointers: fixed-width numbers, bools, and
// arrays and structs of them. [PlanFor] checks the type once and compiles it.
//
//   - Check that a type is plain: [PlanFor]; [CheckError] lists every field
//     that is not, with a remedy each. [AllowFloats] admits floats.
//   - Leave presentation out: tag the field canon:"-".
//   - Hash a state: [Plan.Hash]
//   - Compare two states exactly: [Plan.Equal]
//   - Store or send a state: [Plan.Append], [Plan.Decode], [Plan.Size]
//   - Send how a state differs from one that the other side has: [Plan.AppendDelta],
//     [Plan.ApplyDelta]
//   - See how two states differ: [Plan.Diff]
//   - Print a state: [Plan.AppendText]
//   - Make it faster: [Plan.Gaps] lists the padding to remove.
//
// The encoding is every scalar in declaration order, little-endian, a bool as
// 0 or 1, a float as its bits; no padding, no blank fields, nothing excluded,
// no lengths and no names. It says nothing about its own type: compare a
// version first, or the build.
//
// # Any Go value
//
// A game that owns memory (slices, maps, pointers) can use the slow walkers.
// They follow any value, cycles included, and tell sharing from equal copies.
//
//   - Hash: [HashAny]; of bytes that the game writes itself: [HashBytes]
//   - Encode, for hashing or comparing elsewhere: [AppendAny]
//   - See how two values differ: [DiffAny]
//   - Print: [AppendTextAny]
//
// # A graph in place
//
// A [Saver] does more for such a game than the walkers: it saves everything reachable from a value in a [Memento], and
// restores it in the same memory, fast enough for every frame.
//
//   - Save and bring back: [SaverFor], [Saver.Save], [Saver.Restore]
//   - Hash, compare, see how two states differ: [Memento.Hash], [Saver.Equal], [Saver.Diff]
//   - Encode for another machine, and decode there: [Encoded], [Saver.Origin], [Origin.Marshal], [Origin.Unmarshal]
//   - Say what is no state, or cannot be saved: [Leave], [Opaque], [Uncompared], [Reset], [Functions],
//     [Numbers], [Capacity]
//   - Play such a game in an engine: rollback.SaveInPlace
//
// The text of a state, of either kind, is read with [TextLines], and two texts are compared with
// [DiffTexts], which needs neither the type nor the build.
//
// # Costs
//
// A plan is built in microseconds and shared by all callers. Hash, Equal, Decode, and Append into a buffer with room,
// do not allocate. Where a type has no gaps and the machine is little-endian they run at the speed of memory: the
// encoding is the memory. Gaps cost a few nanoseconds for each element of an array that has them; big-endian machines
// handle every scalar. Deltas do not allocate either; one takes some 30 ns for each number that differs, or as long as
// Equal if none does.
//
// The walkers use reflect and allocate: about a microsecond and some hundred
// bytes for each node of a graph. That suits a check
// every second or a report, not every frame of a big state.
//
// A saver compiles a type once. It takes some 100 ns for each object, slice or map of a graph, plus the time to copy
// it, and allocates nothing once states no longer grow.
//
// # Limitations
//
//   - int, uint and uintptr are not plain, since their width differs by
//     platform. The walkers take them as 64 bits.
//   - What floats compute may differ between architectures; canon compares
//     the bits that they have: 0 and -0 are two. The walkers and savers treat all NaNs as the same one, also in keys
//     of maps; a plan does not, but [Plan.OneNaN] replaces them by one.
//   - The walkers take slices by content: two slices of one array read like
//     two copies, and a slice reachable in many ways is walked as many times. A
//     walk that this would make endless ends at [MaxValues]. A pointer into a
//     slice, array or struct is a target of its own. Maps are compared by
//     their entries, not by how they grew.
//   - The walkers name dynamic types by reflect's String, which omits the
//     directory of a package. Two types of the same name in packages of the
//     same name hash alike; DiffAny refuses them.
//   - A map whose keys are pointers, or hold some, is ordered by what each key
//     leads to, all of which is walked for every key. An index or an id as the
//     key costs nothing.
//   - A walked value must not change meanwhile, nor one that is saved or restored.
//   - Savers tell apart what the walkers do not: nil from empty slices and maps, and memory that overlaps
//     from copies. Another process can only load a graph that is encoded relative to an [Origin] which it has, too.
//   - XXH3 finds accidents, not attackers: anyone can construct two states
//     with the same hash.
package canon
