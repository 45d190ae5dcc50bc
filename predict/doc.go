// Package predict is client-side prediction and reconciliation for games with an authoritative server. The client makes
// its moves ahead of the server. When an update from the server arrives, the client replays the moves that the server
// has not seen yet.
//
//   - say how inputs move a state, once for client and server: [Motion]
//   - make the client's side: [New] with a [Config]
//   - make moves: [Predictor.Advance] for time that has passed, [Predictor.Do] for a
//     move of any length, [Predictor.Play] for one that has a tick already
//   - draw: [Predictor.State]
//   - send what is not acknowledged: [Predictor.Pending]
//   - take what the server says: [Predictor.Accept] of an [Update]
//   - hide a correction, and show the others: package smooth
//   - make a move on the server: [Motion.Check], then [Motion.Apply]
//   - bound the time that a client can claim: [Account]
//   - see how a duration is divided: [Substeps]
//   - look inside: [Predictor.Stats], [Predictor.Len], [Predictor.Acked]
//   - test that a step is fit for it: tickbacktest.Prediction
//
// It opens no socket, starts no goroutine and reads no clock: time, moves and updates
// are arguments. It knows no wire format.
//
// # The central rule
//
// A duration is simulated in substeps of one cadence, which is the server's tick, and a remainder: 150 ms are 50+50+50,
// 120 ms are 50+50+20. Live play, replay and server all divide a move like that, by [Motion.Apply]. A remainder belongs
// to its move: two moves of 120 ms are 50+50+20+50+50+20 everywhere, and never 50+50+50+50+40. Making a move in one
// step of 150 ms gives a different result, since a player that turns while it moves would then go straight on instead
// of round a bend.
//
// Durations are whole numbers, and the states belong to the game: if its step uses fixed point or integers, client and
// server agree to the last bit, on any machines.
//
// # What is ignored, and what is an error
//
// Datagrams are late, lost and doubled. An update whose frame is not above the last one's
// is ignored and counted. An update that no honest server sends is an error, and changes
// nothing: [ErrPlayer], [ErrFuture], [ErrAckBack]. A move is refused with [ErrDuration],
// [ErrOrder] or [ErrFull].
//
// # Costs
//
// After [New] nothing is allocated. An update copies the state two to three times, and replays every pending move: at a
// round trip of 250 ms and a cadence of 50 ms that is five or six steps. Config.Room and Motion.Longest bound it.
//
// # Limitations
//
//   - It predicts one player, whose state its own moves decide: where it is, where it
//     looks. What others do to it comes as a correction. A game that can afford to
//     simulate everybody at every client needs no server that decides: see package
//     rollback.
//   - An update is a whole state of the player. What has been cut off to save bytes is
//     a correction every time.
//   - A server that takes moves as they come has to bound them: by Motion.Check each,
//     and by an [Account] in sum. Nothing here knows a client that lies.
//   - A client whose moves are lost for good gets out of step: moves have to be sent
//     until they are acknowledged, as [Predictor.Pending] has them.
package predict
