// Package vulncheck has no code: its test checks that scripts/vulncheck.sh finds what a database of vulnerabilities
// says, and never reports success for a check that did not happen.
package vulncheck
