#!/usr/bin/env bash
# Checks the style of the sources: scripts/lint.sh [--fix] [--build DIR] [--all | --changed BASE] [CHECK...]
#
# CHECK is clang-format, gersemi (CMake), shellcheck, ruff (Python) or clang-tidy; without one, all five run.
# Every check covers the whole tree, except clang-tidy: it covers the C++ files that differ from BASE, by default the merge base
# with main, or on main the commit before HEAD.
#   --fix           let clang-format, gersemi and ruff rewrite files
#   --build DIR     configured build whose compile commands clang-tidy reads (default: the first of build/ci, release,
#                   no-cuda, dev)
#   --all           clang-tidy on every C++ file
#   --changed BASE  clang-tidy on the C++ files that differ from the commit BASE
# Exit status: 0 clean, 1 a check found something, 2 a tool is missing or bad usage.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 2

fail() {
  echo "lint.sh: $1" >&2
  exit 2
}

fix=no all=no base='' build='' checks=()
while (($#)); do
  case $1 in
    --fix) fix=yes ;;
    --all) all=yes ;;
    --changed | --build)
      (($# > 1)) || fail "$1 needs a value"
      if [[ $1 == --changed ]]; then base=$2; else build=$2; fi
      shift
      ;;
    clang-format | gersemi | shellcheck | ruff | clang-tidy) checks+=("$1") ;;
    *) fail "unknown argument \"$1\": see the top of scripts/lint.sh" ;;
  esac
  shift
done
((${#checks[@]})) || checks=(clang-format gersemi shellcheck ruff clang-tidy)
git rev-parse --git-dir > /dev/null 2>&1 || fail "not a git checkout: the list of files comes from git"

# files PATTERN...: prints existing files that are tracked, or new and not ignored.
files() { git ls-files --cached --others --exclude-standard --deduplicate -- "$@" | while read -r file; do [[ ! -f $file ]] || echo "$file"; done; }

# llvm_tool NAME: prints the command of version 14, because versions differ in their findings.
llvm_tool() {
  local command
  for command in "$1-14" "$1"; do
    if command -v "$command" > /dev/null && "$command" --version | grep -q 'version 14\.'; then
      echo "$command"
      return
    fi
  done
  echo "lint.sh: $1 14 not found: apt-get install $1-14" >&2
  return 1
}

# python_tools: installs the pinned versions of gersemi and ruff into build/lint-venv and sets venv.
python_tools() {
  venv=$root/build/lint-venv
  cmp -s scripts/lint-requirements.txt "$venv/installed" && return
  rm -rf "$venv"
  python3 -m venv "$venv" || fail "cannot create build/lint-venv: apt-get install python3-venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r scripts/lint-requirements.txt ||
    fail "cannot install the packages of scripts/lint-requirements.txt into build/lint-venv: see pip's message above"
  cp scripts/lint-requirements.txt "$venv/installed"
}

# changed_since: prints the commit that clang-tidy compares with; nothing for every file.
changed_since() {
  local commit main
  [[ $all == no ]] || return 0
  if [[ -n $base ]]; then
    if commit=$(git merge-base HEAD "$base" 2> /dev/null) && [[ $commit != $(git rev-parse HEAD) ]]; then
      echo "$commit"
      return
    fi
    echo "lint.sh: no commits since \"$base\": comparing with the default" >&2
  fi
  for main in origin/main main; do
    if commit=$(git merge-base HEAD "$main" 2> /dev/null) && [[ $commit != $(git rev-parse HEAD) ]]; then
      echo "$commit"
      return
    fi
  done
  git rev-parse --verify --quiet HEAD~1
}

# tidy_files COMPILE_COMMANDS: prints the C++ files to check. For a changed header, checks the source of the same name.
tidy_files() {
  local commit file
  commit=$(changed_since)
  { if [[ -n $commit ]]; then git diff --name-only --diff-filter=d "$commit" -- '*.cpp' '*.h'; else files '*.cpp'; fi; } |
    sed 's/\.h$/.cpp/' | sort -u | while read -r file; do
    if grep -qF "\"$root/$file\"" "$1"; then echo "$file"; fi
  done
}

check_clang-format() {
  local tool mode=(--dry-run --Werror)
  tool=$(llvm_tool clang-format) || exit 2
  [[ $fix == no ]] || mode=(-i)
  files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs -d '\n' "$tool" "${mode[@]}" || return 1
  # clang-format leaves comments as they are.
  ! files '*.h' '*.cpp' '*.cu' '*.cuh' '*.glsl' '*.comp' '*.frag' '*.vert' | xargs -d '\n' grep -nHE '^.{121}'
}

check_gersemi() {
  local mode=(--check --diff --quiet)
  python_tools
  [[ $fix == no ]] || mode=(--in-place)
  files CMakeLists.txt '*/CMakeLists.txt' '*.cmake' | xargs -d '\n' "$venv/bin/gersemi" "${mode[@]}"
}

check_shellcheck() {
  command -v shellcheck > /dev/null || fail "shellcheck not found: apt-get install shellcheck"
  files '*.sh' .ci/run scripts/wheel | xargs -d '\n' shellcheck
}

check_ruff() {
  local status=0
  python_tools
  if [[ $fix == yes ]]; then
    "$venv/bin/ruff" check --quiet --fix . || status=1
    "$venv/bin/ruff" format --quiet . || status=1
  else
    "$venv/bin/ruff" check --quiet . || status=1
    "$venv/bin/ruff" format --quiet --diff . || status=1
  fi
  return $status
}

check_clang-tidy() {
  local tool preset list status
  tool=$(llvm_tool clang-tidy) || exit 2
  if [[ -z $build ]]; then
    for preset in ci release no-cuda dev; do
      [[ -e build/$preset/compile_commands.json ]] && build=build/$preset && break
    done
  fi
  [[ -e $build/compile_commands.json ]] || fail "clang-tidy needs a configured build: cmake --preset release"
  python3 scripts/tools/compile_commands.py "$build" "$build/lint" || fail "cannot read the compile commands of $build"
  mapfile -t list < <(tidy_files "$build/lint/compile_commands.json")
  echo "clang-tidy: ${#list[@]} files"
  ((${#list[@]})) || return 0
  cmake --build "$build" --target glad > /dev/null || fail "cannot generate the OpenGL loader in $build"
  printf '%s\n' "${list[@]}" |
    xargs -d '\n' -n 1 -P "$(nproc)" "$tool" -p "$build/lint" --quiet --extra-arg=-Wno-unknown-warning-option 2>&1 |
    grep -vE '^[0-9]+ warnings?( and [0-9]+ errors?)? generated\.$'
  status=${PIPESTATUS[1]}
  return "$status"
}

failed=()
for check in "${checks[@]}"; do
  "check_$check" || failed+=("$check")
done
if ((${#failed[@]})); then
  echo "lint.sh: found something: ${failed[*]}; scripts/lint.sh --fix rewrites what it can" >&2
  exit 1
fi
echo "lint.sh: clean (${checks[*]})"
