#!/usr/bin/env bash
# Builds the tools of tools/go.mod into bin/tools. They have a module of their
# own so that their dependencies never reach the users of the library.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p bin/tools
GOWORK=off go -C tools build -o ../bin/tools/ \
	honnef.co/go/tools/cmd/staticcheck mvdan.cc/gofumpt ./benchtable ./notices ./typecheck
