#!/usr/bin/env bash
# Compares Tickback with other libraries for rollback, in the way that docs/reference/peers.md describes, and prints its
# tables; with -update it writes them into the page, and the pictures beside it. With -quick it only builds everything,
# and checks that all libraries make the same states and that each row gets a figure. scripts/peers.sh -help has the rest.
#
# It takes Go, Cargo (Rust 1.87 or later) and a C++ compiler. What of the latter two is missing is installed
# where apt-get can, and otherwise those libraries are left out, and the tables say so.
set -euo pipefail
cd "$(dirname "$0")/.."

# install brings what the machine lacks, if that is easy. What is still missing afterwards is reported where it
# is needed.
install() {
	local packages=()
	command -v c++ >/dev/null || packages+=(g++)
	command -v cargo >/dev/null || packages+=(cargo)
	[ ${#packages[@]} -gt 0 ] && command -v apt-get >/dev/null || return 0
	local apt=(apt-get)
	[ "$(id -u)" -eq 0 ] || apt=(sudo -n apt-get)
	echo "peers: installing ${packages[*]}" >&2
	{ "${apt[@]}" update -qq && DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -y -qq --no-install-recommends "${packages[@]}"; } >/dev/null ||
		echo "peers: ${packages[*]} could not be installed" >&2
}

# Rust's own installer puts Cargo where not every shell looks.
command -v cargo >/dev/null || [ ! -x "$HOME/.cargo/bin/cargo" ] || PATH=$HOME/.cargo/bin:$PATH
case "${1:-}" in
-h | -help | --help) ;;
*) install ;;
esac
mkdir -p bin/peers
if [ "${1:-}" = -quick ]; then
	GOWORK=off go -C bench/peers vet ./...
	GOWORK=off go -C bench/peers test ./...
	rust=bench/peers/rust/Cargo.toml
	if command -v cargo >/dev/null && cargo fetch --quiet --locked --manifest-path "$rust"; then
		CARGO_TARGET_DIR=$PWD/bin/peers/target cargo test --quiet --locked --manifest-path "$rust" --profile quick -p peers-common
	else
		echo "peers: the tests in Rust are left out: there is no cargo, or it does not reach the registry of crates" >&2
	fi
fi
GOWORK=off go -C bench/peers build -o ../../bin/peers/peers .
exec bin/peers/peers "$@"
