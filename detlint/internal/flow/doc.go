// Package flow determines what the code of one function does to memory: which of its parameters, captured variables
// and package variables it may write to, store or return, and where a value may come from. It is flow-insensitive
// within a function, and follows calls by the [Traits] of the callee, which can be stored and loaded without the
// source.
package flow
