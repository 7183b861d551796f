# Sourced by env.sh: `choose_engine` sets ENGINE to v8 or quickjs, and says why when nobody asked for QuickJS.

# The address the crate `v8` downloads its static library from: its version and features are those of Cargo.lock.
v8_url() {
    local line version features suffix=""
    line=$(cargo tree --locked --depth 0 -i v8 -f '{p}|{f}') || return 1
    version=${line#v8 v}
    version=${version%%|*}
    features=",${line#*|},"
    case "$features" in *,v8_enable_pointer_compression,*) suffix="${suffix}_ptrcomp" ;; esac
    case "$features" in *,v8_enable_sandbox,*) suffix="${suffix}_sandbox" ;; esac
    case "$features" in *,simdutf,*) suffix="${suffix}_simdutf" ;; esac
    local base="${RUSTY_V8_MIRROR:-https://github.com/denoland/rusty_v8/releases/download}"
    printf '%s\n' "$base/v$version/librusty_v8${suffix}_release_$(rustc -vV | sed -n 's/^host: //p').a.gz"
}

# Whether the crate would find the library of `$1` without the network: it keeps a copy per profile and reads a folder in cargo's home.
v8_cached() {
    local profile sum
    for profile in debug release; do
        sum="${CARGO_TARGET_DIR:-target}/$profile/gn_out/obj/librusty_v8.sum"
        if [ -f "$sum" ] && [ "$(cat "$sum")" = "$1" ]; then return 0; fi
    done
    [ -f "${CARGO_HOME:-$HOME/.cargo}/.rusty_v8/$(printf '%s' "$1" | tr -c 'A-Za-z0-9' '_')" ]
}

# Whether `$1` answers within five seconds. One byte is asked for: not every store behind a redirect knows HEAD.
v8_reachable() {
    local code
    if command -v curl >/dev/null; then
        code=$(curl --silent --location --range 0-0 --max-time 5 --output /dev/null --write-out '%{http_code}' "$1" || true)
        case "$code" in 200 | 206) return 0 ;; esac
        return 1
    fi
    command -v python3 >/dev/null && python_reaches "$1"
}

python_reaches() {
    python3 - "$1" 2>/dev/null <<'PY'
import sys, urllib.request
request = urllib.request.Request(sys.argv[1], headers={"Range": "bytes=0-0"})
sys.exit(0 if urllib.request.urlopen(request, timeout=5).status in (200, 206) else 1)
PY
}

# The crate reads the path from a folder of its own: a relative one must be made absolute.
check_archive() {
    case "${RUSTY_V8_ARCHIVE:-}" in
    "" | http:* | https:* | /*) ;;
    *) export RUSTY_V8_ARCHIVE="$PWD/$RUSTY_V8_ARCHIVE" ;;
    esac
    case "${RUSTY_V8_ARCHIVE:-}" in
    /*) [ -f "$RUSTY_V8_ARCHIVE" ] || die "RUSTY_V8_ARCHIVE: there is no file $RUSTY_V8_ARCHIVE" ;;
    esac
}

choose_engine() {
    case "${ENGINE:-}" in
    quickjs) return ;;
    v8)
        check_archive
        return
        ;;
    "") ;;
    *) die "ENGINE=$ENGINE: the engines are v8 and quickjs" ;;
    esac
    if [ -n "${RUSTY_V8_ARCHIVE:-}" ]; then
        check_archive
        ENGINE=v8
        return
    fi
    local url
    if ! url=$(v8_url); then
        ENGINE=quickjs
        say "engine QuickJS: cargo could not tell which V8 library this version needs"
    elif v8_cached "$url" || v8_reachable "$url"; then
        ENGINE=v8
    else
        ENGINE=quickjs
        say "engine QuickJS: no prebuilt V8 here and $url does not answer (set RUSTY_V8_ARCHIVE to a copy for V8)"
    fi
}
