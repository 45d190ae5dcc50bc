package ggpo

import "github.com/tickback/tickback/compat/ggpo"

// ErrorCode is the reason of an [Error].
type ErrorCode = ggpo.ErrorCode

// Error is the error of every call of a [Backend]: its Code, the Name of it, a Detail that says what to do, and the error
// below.
type Error = ggpo.Error

// The codes, with the spelling of the ports of GGPO; package compat/ggpo says what each means.
const (
	Ok                           = ggpo.Ok
	ErrorCodeSuccess             = ggpo.ErrorCodeSuccess
	ErrorCodeGeneralFailure      = ggpo.ErrorCodeGeneralFailure
	ErrorCodeInvalidSession      = ggpo.ErrorCodeInvalidSession
	ErrorCodeInvalidPlayerHandle = ggpo.ErrorCodeInvalidPlayerHandle
	ErrorCodePlayerOutOfRange    = ggpo.ErrorCodePlayerOutOfRange
	ErrorCodePredictionThreshod  = ggpo.ErrorCodePredictionThreshod
	ErrorCodeUnsupported         = ggpo.ErrorCodeUnsupported
	ErrorCodeNotSynchronized     = ggpo.ErrorCodeNotSynchronized
	ErrorCodeInRollback          = ggpo.ErrorCodeInRollback
	ErrorCodeInputDropped        = ggpo.ErrorCodeInputDropped
	ErrorCodePlayerDisconnected  = ggpo.ErrorCodePlayerDisconnected
	ErrorCodeTooManySpectators   = ggpo.ErrorCodeTooManySpectators
	ErrorCodeInvalidRequest      = ggpo.ErrorCodeInvalidRequest
)

// Success reports whether a code means that nothing is wrong.
func Success(result ErrorCode) bool { return ggpo.Success(result) }

// EventCode is the kind of an [Event].
type EventCode = ggpo.EventCode

// Event is something that has happened, for OnEvent.
type Event = ggpo.Event

// The kinds of events; package compat/ggpo says when each comes and which fields it has.
const (
	EventCodeConnectedToPeer       = ggpo.EventCodeConnectedToPeer
	EventCodeSynchronizingWithPeer = ggpo.EventCodeSynchronizingWithPeer
	EventCodeSynchronizedWithPeer  = ggpo.EventCodeSynchronizedWithPeer
	EventCodeRunning               = ggpo.EventCodeRunning
	EventCodeDisconnectedFromPeer  = ggpo.EventCodeDisconnectedFromPeer
	EventCodeTimeSync              = ggpo.EventCodeTimeSync
	EventCodeConnectionInterrupted = ggpo.EventCodeConnectionInterrupted
	EventCodeConnectionResumed     = ggpo.EventCodeConnectionResumed
	EventCodeSyncTestDesync        = ggpo.EventCodeSyncTestDesync
	EventCodeDesync                = ggpo.EventCodeDesync
	EventCodeDesyncReport          = ggpo.EventCodeDesyncReport
	EventCodeFrameNotAdvanced      = ggpo.EventCodeFrameNotAdvanced
	EventCodeSpectatorJoined       = ggpo.EventCodeSpectatorJoined
	EventCodeSpectatorLeft         = ggpo.EventCodeSpectatorLeft
)

// NetworkStats are the statistics of the connection to a player, of GetNetworkStats.
type NetworkStats = ggpo.NetworkStats

// NetworkNetworkStats describe the network.
type NetworkNetworkStats = ggpo.NetworkNetworkStats

// NetworkTimeSyncStats say which machine is ahead of the other.
type NetworkTimeSyncStats = ggpo.NetworkTimeSyncStats
