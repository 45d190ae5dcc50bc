// Package secure is the flag --secure: the token with which a match is encrypted, the transport
// that does it, and what is in the way of understanding others.
package secure
