// Package fleet runs whole matches of real sessions over a virtual network, in
// virtual time and from one seed: a minute of play takes some milliseconds, and a
// seed that fails once fails always.
//
//   - Describe a match: [Setup], with the game, what the players do, and the links.
//   - Run it: [New], [Fleet.Run], [Fleet.RunUntil].
//   - Make trouble: [Peer].Down is a machine that sleeps, [Fleet.Hang] one whose
//     datagrams wait for it meanwhile, [Fleet.Stop] one that is suspended,
//     [Fleet.Jump] moves its clock, [Fleet.Move] gives it another address,
//     [Fleet.Inject] is somebody who forges or sends again, Net ([netem.Datagrams]) cuts and changes links while it runs.
//   - Have everything drawn from a seed, played and checked: [Draw], [Play], [Plan],
//     [Result]; find the least that still fails: [Shrink].
//   - Look at it: each [Peer] is a [session.Session], with its Events; OnSend and
//     OnReceive see every datagram.
//
// # Limitations
//
// Each peer draws nothing and computes in no time. Clocks run evenly, apart from
// Setup.Drift; a machine that stutters is one that is Down for a while.
package fleet
