module github.com/tickback/tickback/examples/port

go 1.26.0

require golang.org/x/term v0.47.0

require (
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

require (
	github.com/tickback/tickback v0.0.0
	golang.org/x/sys v0.49.0 // indirect
)

// The library in this same repository; the workspace uses it too.
replace github.com/tickback/tickback => ../../
