// Package admission decides which machines a host deals with, before it stores anything about them.
//
//   - [Gate]: a machine proves its address by a cookie, and answers are limited, so that a
//     false address gains nothing. Each attempt to be admitted counts once.
//   - [Invitation]: a machine proves that it knows the token of the match, which is never
//     sent; a token can be revoked and replaced.
//
// The caller decides which machines get a place, and what they get. The package stores no address and no
// connection, and reads no clock.
package admission
