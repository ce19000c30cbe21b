# Shared by utils/check and utils/demo; to be sourced. Needs bash.

cif_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
[ -t 2 ] && [ -z "${NO_COLOR:-}" ] || say() { printf '==> %s\n' "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 2; }

# install_packages FILE: installs the Debian packages that are listed in FILE and
# not there yet. Says nothing when all are there.
install_packages() {
  local missing=() package root=()
  while read -r package; do
    dpkg-query -W -f='${Status}\n' "$package" 2>/dev/null |
      grep -q 'install ok installed' || missing+=("$package")
  done < <(grep -v '^#' "$1")
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null ||
      die "these packages are missing, and only root can install them: ${missing[*]}"
    root=(sudo)
  fi
  say "Installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${root[@]}" apt-get update &&
         DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y \
           --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -20 "$log" >&2
    die "the packages could not be installed"
  fi
  rm -f "$log"
}

# build PRESET [TARGET...]: configures once, with cmake_options, and builds; quiet
# when nothing is to be done, and the compiler's own words when it fails.
cmake_options=()
build() {
  local preset=$1 log
  shift
  log=$(mktemp)
  cd "$cif_root"
  if [ ! -f "build/$preset/build.ninja" ]; then
    say "Configuring build/$preset"
    cmake --preset "$preset" "${cmake_options[@]}" >"$log" 2>&1 ||
      { cat "$log" >&2; die "cmake failed"; }
  fi
  if ! ninja -C "build/$preset" -n "$@" 2>/dev/null | grep -q 'no work to do'; then
    say "Building build/$preset"
    ninja -C "build/$preset" "$@" >"$log" 2>&1 ||
      { grep -v '^\[' "$log" | tail -60 >&2; die "the build failed"; }
  fi
  rm -f "$log"
}
