// Package flow says what the code of one function does to memory: which of its parameters,
// captured variables and package variables it may write to, keep or return, and where a value
// may come from. It is flow-insensitive within a function, and goes through calls by their
// [Traits], which can be stored and read again without the source.
package flow
