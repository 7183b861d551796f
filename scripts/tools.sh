# Sourced by env.sh: `need_tools` sees to what the build needs besides Rust: a C and C++ compiler, libclang with its headers
# (bindings of libnghttp2), and cmake for QuickJS. Missing ones come from apt as root, else from PyPI into target/tools, else are named.

need_tools() {
    local missing=""
    have_compiler || missing="$missing compiler"
    have_libclang || missing="$missing libclang"
    if [ "$ENGINE" = quickjs ] && ! have_cmake; then missing="$missing cmake"; fi
    [ -n "$missing" ] || return 0

    if may_use_apt; then
        say "installing with apt:$missing"
        apt_install "$missing" || say "apt could not install everything"
    fi
    if ! have_compiler; then
        die "no C and C++ compiler: install one ($(hint g++ 'xcode-select --install' 'gcc-c++'))"
    fi
    if ! have_libclang; then wheel_libclang || die "libclang is missing: install it ($(hint libclang-dev 'brew install llvm' clang-devel)), or set LIBCLANG_PATH"; fi
    if [ "$ENGINE" = quickjs ] && ! have_cmake; then
        wheel_cmake || die "cmake is missing: install it ($(hint cmake 'brew install cmake' cmake))"
    fi
}

# How a person installs it: `$1` Debian's package, `$2` the command on macOS, `$3` Fedora's package.
hint() {
    case "$(uname -s)" in
    Darwin) printf '%s' "$2" ;;
    *) printf '%s' "Debian, Ubuntu: sudo apt-get install $1; Fedora: sudo dnf install $3" ;;
    esac
}

have_compiler() {
    if [ "$(uname -s)" = Darwin ]; then xcode-select -p >/dev/null 2>&1; return; fi
    command -v "${CC:-cc}" >/dev/null && command -v "${CXX:-c++}" >/dev/null
}

have_cmake() { "${CMAKE:-cmake}" --version >/dev/null 2>&1; }

# Looks where the crate `clang-sys` looks.
have_libclang() {
    local dir file libdir=""
    if [ -n "${LIBCLANG_PATH:-}" ]; then return 0; fi
    if command -v llvm-config >/dev/null; then libdir=$(llvm-config --libdir 2>/dev/null || true); fi
    for dir in $libdir /usr/lib*/llvm-*/lib /usr/lib/llvm*/lib* /usr/lib /usr/lib64 /usr/lib/*-linux-gnu /usr/local/lib /usr/local/llvm*/lib* \
        /Library/Developer/CommandLineTools/usr/lib /Applications/Xcode.app/Contents/Developer/Toolchains/XcodeDefault.xctoolchain/usr/lib \
        /opt/homebrew/opt/llvm*/lib /usr/local/opt/llvm*/lib; do
        for file in "$dir"/libclang.so* "$dir"/libclang-[0-9]*.so* "$dir"/libclang.dylib; do
            if [ -s "$file" ]; then
                clang_headers "$dir"
                return 0
            fi
        done
    done
    return 1
}

# A bare libclang knows no stddef.h of its own: then the compiler's headers serve.
clang_headers() {
    local file
    for file in "$1"/clang/*/include/stddef.h; do
        if [ -f "$file" ]; then return; fi
    done
    if [ "$(uname -s)" = Linux ] && ! command -v clang >/dev/null; then compiler_headers; fi
}

compiler_headers() {
    case "${BINDGEN_EXTRA_CLANG_ARGS:-}" in
    *-I*) ;;
    *) export BINDGEN_EXTRA_CLANG_ARGS="-I$("${CC:-cc}" -print-file-name=include)" ;;
    esac
}

may_use_apt() { [ "$(id -u)" = 0 ] && [ -z "${HOOKRT_NO_APT:-}" ] && command -v apt-get >/dev/null; }

apt_install() {
    local tool packages=""
    for tool in $1; do
        case "$tool" in
        compiler) packages="$packages gcc g++ libc6-dev" ;;
        libclang) packages="$packages libclang-dev" ;;
        cmake) packages="$packages cmake" ;;
        esac
    done
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq </dev/null >&2 || say "apt-get update failed; trying with the lists at hand"
    # shellcheck disable=SC2086 # a list of words
    apt-get install -y -qq --no-install-recommends $packages </dev/null >&2
}

TOOLS="$PWD/target/tools"

# Installs the wheel `$1` into target/tools; `$2` is a file it brings.
wheel() {
    if [ -e "$TOOLS/$2" ]; then return 0; fi
    command -v python3 >/dev/null || return 1
    say "installing $1 from PyPI into target/tools"
    mkdir -p "$TOOLS"
    if python3 -m pip --version >/dev/null 2>&1; then
        python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --only-binary :all: --upgrade --target "$TOOLS" "$1" </dev/null >&2 || return 1
    elif command -v uv >/dev/null; then
        uv pip install --quiet --only-binary :all: --target "$TOOLS" "$1" </dev/null >&2 || return 1
    else
        say "python3 has no pip"
        return 1
    fi
    [ -e "$TOOLS/$2" ]
}

wheel_libclang() {
    local name=libclang.so
    if [ "$(uname -s)" = Darwin ]; then name=libclang.dylib; fi
    wheel libclang "clang/native/$name" || return 1
    export LIBCLANG_PATH="$TOOLS/clang/native"
    if [ "$(uname -s)" = Linux ]; then compiler_headers; fi
}

wheel_cmake() {
    wheel cmake cmake/data/bin/cmake || return 1
    export PATH="$TOOLS/cmake/data/bin:$PATH"
}
