#!/usr/bin/env bash
# CPU per request of the proxy beside nutcracker's: four memcached, everything on one core, and the proxy alone on one.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --quiet -p evenkeel --bin evenkeel >&2
cargo build --release --quiet -p evenkeel-testkit --bin bench-proxy >&2
exec target/release/bench-proxy target/release/evenkeel "$@"
