// Package admission decides which machines a host deals with, before it keeps anything about
// them.
//
//   - [Gate]: a machine proves its address by a cookie, and answers are limited, so that a
//     false address gains nothing. An attempt to be let in counts once.
//   - [Invitation]: a machine proves that it knows the token of the match, which is never
//     sent; a token can be revoked and replaced.
//
// Who gets a place, and what it gets, is the caller's business. The package keeps no address
// and no connection, and reads no clock.
package admission
