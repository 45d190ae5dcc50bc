#!/usr/bin/env bash
# Writes the modules of a tagged release as a module proxy on disk, and prints its folder: proxy.sh CHECKOUT VERSION
# FOLDER. The go command fetches the tags from the checkout by git, as it will from the repository, and keeps them in
# the form of a proxy below FOLDER.
set -euo pipefail

checkout=$(cd "$1" && pwd) version=$2 folder=$3
path=github.com/tickback/tickback
modules=($path $path/detlint $path/online $path/cmd $path/play)
GOWORK=off GOFLAGS="${GOFLAGS:-} -modcacherw" GOMODCACHE=$folder GOPRIVATE=$path \
	GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=url.file://$checkout.insteadOf GIT_CONFIG_VALUE_0=https://$path \
	go mod download "${modules[@]/%/@$version}" >&2
for m in "${modules[@]}"; do
	for kind in info mod zip; do
		[ -s "$folder/cache/download/$m/@v/$version.$kind" ] || {
			echo "proxy: there is no $kind of $m" >&2
			exit 1
		}
	done
	[ -s "$folder/$m@$version/LICENSE" ] || {
		echo "proxy: $m has no license" >&2
		exit 1
	}
done
echo "$folder/cache/download"
