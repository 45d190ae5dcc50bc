// Package predict is client-side prediction and reconciliation for games with an authoritative server. The client makes
// its moves ahead of the server. When an update from the server arrives, the client replays the moves that the server
// has not seen yet. It is for a server whose clients send moves of any duration. The clients of a tickback.Server send
// an input for each tick, and predict the states of all players with package rollback.
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
//   - test that a step is fit for it: tickbacktest.Prediction
//
// It opens no socket, starts no goroutine and reads no clock: time, moves and updates are arguments. It knows no wire
// format. After [New] nothing is allocated.
//
// # The central rule
//
// A duration is simulated in substeps of one cadence, which is the server's tick, and a remainder: 150 ms are 50+50+50,
// 120 ms are 50+50+20. Live play, replay and server all divide a move like that, by [Motion.Apply]. A remainder belongs
// to its move: two moves of 120 ms are 50+50+20+50+50+20. In 50+50+50+50+40 one substep would belong to both, and could
// not be replayed once the server has acknowledged the first.
//
// Durations are whole numbers, and the states belong to the game: if its step uses fixed point or integers, client and
// server agree to the last bit, on any machines.
//
// # Limitations
//
//   - It predicts one player, whose state its own moves decide: where it is, where it looks. What others do to it comes
//     as a correction.
//   - An update is a whole state of the player. What has been cut off to save bytes is a correction every time.
//   - A server that takes moves as they come has to bound them: by Motion.Check each, and by an [Account] in sum.
//     Nothing here knows a client that lies.
//   - A client whose moves are lost for good gets out of step: moves have to be sent until they are acknowledged, as
//     [Predictor.Pending] has them.
package predict
