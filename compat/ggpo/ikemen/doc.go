// Package ggpo is compat/ggpo in the newer shape of github.com/ikemen-engine/ggpo, in which players are added by handles
// and a transport knows where they are. Change the prefix of the imports, github.com/ikemen-engine/ggpo, to
// github.com/tickback/tickback/compat/ggpo/ikemen, and delete the work-arounds: docs/ggpo.md is the guide.
//
// The shape with a port and addresses, which has InitializeConnection, is package compat/ggpo. All types here that are
// not declared anew are those of it, and so is all that is said of them.
//
//   - Where the others are: package transport/udp, for sockets, and transport/webrtc, for channels that are open already.
//     Both have AddPeer.
//   - Make a session: [NewPeer], [NewSpectator], [NewSyncTest], and InitializeTransport of it.
//   - Who plays where: AddPlayer, with [NewLocalPlayer], [NewRemotePlayer] and [NewSpectatorPlayer].
//   - What the game implements: [Session]. What its loop calls: [Backend].
package ggpo
