// Package fleet runs whole matches of real sessions over a virtual network, in virtual time and from one seed: a minute
// of play takes some milliseconds, and a seed that fails once always fails.
//
//   - Describe a match: [Setup], with the game, what the players do, and the links.
//   - Run it: [New], [Fleet.Run], [Fleet.RunUntil].
//   - Make trouble: [Peer].Down is a machine that sleeps, [Fleet.Hang] one whose datagrams wait
//     for it meanwhile, [Fleet.Stop] one that is suspended. [Fleet.Jump] moves a clock,
//     [Fleet.Move] changes an address, [Fleet.Rejoin] starts a process again, [Fleet.Inject] delivers a forged or repeated datagram,
//     and Net ([netem.Datagrams]) cuts and changes links during the run.
//   - Draw everything from a seed, play it and check it: [Draw], [Play], [Plan], [Result]. Find
//     the smallest plan that still fails: [Shrink].
//   - Examine it: each [Peer] is a [session.Session], with its Events; OnSend and OnReceive see
//     every datagram.
//
// # Limitations
//
// Peers draw no pictures, and computing takes no time, apart from Setup.Costs. Clocks run evenly, apart from
// Setup.Drift and [Fleet.Jump]; to simulate a machine that stutters, use [Fleet.Hang] for a while.
package fleet
