module github.com/tickback/tickback/bench/peers

go 1.26.0

require github.com/tickback/tickback v0.0.0

require (
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	golang.org/x/sys v0.30.0 // indirect
)

replace github.com/tickback/tickback => ../..
