// Package rules has the code of docs/rules-of-determinism.md: each duty of a step, broken
// and kept. All of it is in tests. They compile what the page shows, let the wrong forms
// diverge, and check what the page says about which tool notices.
package rules
