# shellcheck shell=bash
# What has to be on the machine, for the commands beside this file, which source it.
# Where nothing is missing it costs some milliseconds and changes nothing.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# A crashing test should end at once, not trace its stack interactively.
export SWIFT_BACKTRACE=enable=no

build_packages=(
    pkg-config libsecp256k1-dev libssl-dev libcurl4-openssl-dev libsqlite3-dev libpq-dev libqrencode-dev libpng-dev libyaml-dev
)
packaging_packages=(binutils dpkg-dev fish lintian man-db python3 systemd xz-utils zsh)
judge_packages=(python3-venv chromium chromium-driver)
bench_packages=(python3-venv wrk gcc libc6-dev nghttp2-server time)

fail() {
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

require_swift() {
    command -v swift >/dev/null || fail 'Swift 6.3 is needed: https://www.swift.org/install/linux/'
}

# Installs those of the named Debian packages that are missing.
require_packages() {
    command -v dpkg-query >/dev/null || fail "this is not Debian; install the likes of: $*"
    local installed package
    local -a missing=()
    installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null) || true
    for package in "$@"; do
        grep -qx "$package installed" <<<"$installed" || missing+=("$package")
    done
    [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
}

install_packages() {
    local -a privileged=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "neither root nor sudo; ask an administrator for: apt-get install $*"
        privileged=(sudo)
    fi
    local -a install=("${privileged[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends)
    echo "Installing $*"
    # The package lists of a fresh machine are empty or old.
    "${install[@]}" --quiet=2 "$@" 2>/dev/null && return
    "${privileged[@]}" apt-get update --quiet=2 || fail 'apt-get update failed'
    "${install[@]}" --quiet=2 "$@" || fail "apt-get install failed for: $*"
}

# What the tests start servers and poolers of their own from: Debian's would start with the packages.
require_postgresql() {
    local -a privileged=()
    local policy=/usr/sbin/policy-rc.d
    [ ! -x /usr/lib/postgresql/15/bin/initdb ] || [ ! -x /usr/sbin/pgbouncer ] || return 0
    [ "$(id -u)" = 0 ] || privileged=(sudo)
    require_packages postgresql-common
    "${privileged[@]}" sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' \
        /etc/postgresql-common/createcluster.conf
    if [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' | "${privileged[@]}" tee "$policy" >/dev/null
        "${privileged[@]}" chmod 755 "$policy"
        trap '"${privileged[@]}" rm -f '"$policy" RETURN
    fi
    require_packages postgresql-15 pgbouncer
}

# Makes .venv with the pinned Python packages, once for each state of the list.
require_python() {
    local wanted=$root/Scripts/requirements.txt made=$root/.venv/requirements.txt
    python=$root/.venv/bin/python
    cmp --silent "$wanted" "$made" && return
    echo 'Setting up the Python packages in .venv'
    rm -rf "$root/.venv"
    # Debian's own interpreter: the one that python3-venv belongs to.
    /usr/bin/python3 -m venv "$root/.venv" || fail 'the Python environment could not be created'
    # The list is complete; axe-playwright-python would bring a browser of its own.
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --requirement "$wanted" ||
        fail 'the Python packages could not be installed'
    cp "$wanted" "$made"
}

# The programs and tests of a debug build, unless BINARIES names a folder.
require_binaries() {
    [ -z "${BINARIES:-}" ] || return 0
    require_swift
    require_packages "${build_packages[@]}"
    swift build --build-tests --quiet
    BINARIES=$(swift build --show-bin-path)
}

# Builds products as they are shipped: optimized, with the Swift runtime inside. Seconds where nothing has changed.
build_release() {
    local product
    for product in "$@"; do
        # Whether the compiler colors its words is part of every command line: left to the terminal, a build from a
        # script and one by hand would each undo the other.
        swift build --package-path "$root" --configuration release --static-swift-stdlib --no-color-diagnostics \
            --product "$product"
    done
    release=$root/.build/release
}
