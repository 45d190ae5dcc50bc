// Package netem imitates bad networks: delay, jitter, reordering, loss,
// duplication, corruption, narrow bandwidth, small MTUs and cut links, in virtual time and
// from a seed. It opens no socket, starts no goroutine and reads no clock; one
// seed gives the same run, bit by bit, on every machine.
//
// # Describe a link
//
//   - One direction between two nodes, the zero value perfect: [Link]. Bursts of
//     losses: [Burst]. Probabilities: [PPM], as in 2*netem.Percent.
//   - How the jitter varies: [Distribution].
//   - Ready to use: [Lan], [Wifi], [Mobile], [Intercontinental], [Awful]; by
//     name, [ProfileNamed] and [Profiles].
//
// # Run a network in virtual time
//
//   - Datagrams as bytes, without allocations: [NewDatagrams].
//   - Anything else: [New], with [Options] on how to clone and corrupt it.
//   - The loop of its owner, in three steps: [Network].
//   - Change links while it runs: [Topology.SetLink], [Topology.SetAll]. Cut
//     single directions, for partitions and one-way cuts, and heal them:
//     [Topology.Cut].
//   - See what has happened: [Topology.Stats], [Topology.TotalStats].
//
// # Impair something else
//
//   - Decisions only, without a network: [Path].
//   - A real transport in real time: package realtime.
//
// # What happens to a datagram
//
// In this order: a link that is cut or down loses it, and so does one whose MTU is smaller. It waits in a queue until
// those before it have left, or is dropped if the queue is full. When it has left it may be lost. Delay and jitter
// decide when it arrives. It may be duplicated, and what arrives may be corrupted. All of this is decided when the
// datagram is sent: later changes of the link, including cuts, do not affect datagrams in flight.
//
// Each datagram of a link has a fixed number of random words of its own, made from the seed, the two nodes and its
// number on that link. So neither other links nor other settings change its random choices: with twice the jitter the
// same datagrams are lost.
//
// # Profiles
//
// Each profile is for one direction; a round trip has twice the delay. Delay is the minimum, jitter the mean of what is
// added. The losses are given outside of bursts, in bursts, and in total; for bursts, the table says how many begin in
// 1000 datagrams, and their mean length.
//
//	name              delay  jitter            loss, in bursts, in all  bursts                reorder  duplicate  corrupt  bandwidth    queue
//	lan               200µs  50µs exponential  0.001%, 0%, 0.001%       none                  false    0%         0%       125000 kB/s  512 KiB
//	wifi              8ms    4ms exponential   0.1%, 40%, 0.5%          3.0 in 1000, of 3.3   false    0.005%     0%       2500 kB/s    256 KiB
//	mobile            30ms   15ms exponential  0.3%, 50%, 1.9%          5.0 in 1000, of 6.6   false    0.01%      0%       625 kB/s     128 KiB
//	intercontinental  90ms   10ms normal       0.2%, 50%, 0.4%          1.0 in 1000, of 4.0   true     0%         0%       2500 kB/s    256 KiB
//	awful             100ms  50ms exponential  3%, 60%, 8.2%            20.0 in 1000, of 5.0  true     0.5%       0.1%     64 kB/s      16 KiB
//
// # Costs
//
// A datagram of 25 bytes among 8 nodes, with some hundred in flight, costs some
// 90 ns for Send and Receive together on a server of 2.4 GHz, and no allocation.
// A path takes 300 bytes.
//
// # Limitations
//
//   - Links are independent of each other: the datagrams of one node to several
//     others do not share its uplink.
//   - A burst goes on from datagram to datagram, not from millisecond to
//     millisecond: on a link with little traffic it lasts longer.
//   - With Reorder, each datagram has a jitter of its own; real delays of
//     neighbours resemble each other.
//   - At most [MaxNodes] nodes, [MaxInFlight] datagrams in flight and [MaxSize]
//     bytes in a datagram. There are no fragments.
package netem
