#!/usr/bin/env bash
# Unpacks the received parts of `npm run gpu:kit` and runs every GPU test. Run it again when more parts have arrived: it
# keeps parts and results in $GPU_KIT_STATE. Usage: scripts/gpu/run.sh [--parts DIR] [options of run.mjs]
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
state="${GPU_KIT_STATE:-/tmp/gpu-kit}"
parts="$root/out/gpu-kit"
if [ "${1:-}" = --parts ]; then parts="$2"; shift 2; fi
mkdir -p "$state/parts"

shopt -s nullglob
[ -e "$parts/SHA256SUMS" ] && cp "$parts/SHA256SUMS" "$state/"
if [ ! -e "$state/SHA256SUMS" ]; then
  echo "There is no SHA256SUMS in $parts. Make the kit with \"npm run gpu:kit\" and copy it there." >&2
  exit 2
fi

# Parts of an earlier kit, which may have had more.
for path in "$state"/parts/*; do
  grep -q "  ${path##*/}\$" "$state/SHA256SUMS" || rm -f "$path"
done

is_whole() { echo "$1  $state/parts/$2" | sha256sum --check --status 2>/dev/null; }

missing=()
complete=()
for group in $(sed -E 's/^[0-9a-f]+  ([a-z]+)\.tar.*/\1/' "$state/SHA256SUMS" | uniq); do
  whole=yes
  while read -r sum file; do
    # Parts are kept outside of the checkout, since each transfer may replace it. Those of another kit have the same names.
    if ! is_whole "$sum" "$file" && [ -e "$parts/$file" ]; then cp "$parts/$file" "$state/parts/"; fi
    if ! is_whole "$sum" "$file"; then
      rm -f "$state/parts/$file"
      missing+=("$file")
      whole=no
    fi
  done < <(grep " $group\." "$state/SHA256SUMS")
  [ $whole = yes ] && complete+=("$group")
done
for group in "${complete[@]}"; do
  stamp="$root/node_modules/.gpu-kit/$group.unpacked"
  sums="$(grep " $group\." "$state/SHA256SUMS")"
  [ "$(cat "$stamp" 2>/dev/null)" = "$sums" ] && continue
  sed 's/.* //' <<< "$sums" | (cd "$state/parts" && xargs cat) | tar -xJf - -C "$root"
  mkdir -p "$(dirname "$stamp")"
  echo "$sums" > "$stamp"
done
[ ${#missing[@]} -eq 0 ] || echo "Missing parts: ${missing[*]}"
for group in node service; do
  if [[ " ${complete[*]} " != *" $group "* ]]; then
    echo "The tests need all parts of \"node\" and \"service\"." >&2
    exit 3
  fi
done

own="$root/node_modules/.gpu-kit"
export PATH="$own/bin:$PATH"
# The CUDA libraries of PyTorch. An installed toolkit has priority.
cuda="$(python3 - <<'PY' 2>/dev/null || true
import glob, os, sysconfig
site = sysconfig.get_paths()["purelib"]
found = glob.glob(os.path.join(site, "nvidia", "**", "lib"), recursive=True) + [os.path.join(site, "torch", "lib")]
print(":".join(path for path in found if os.path.isdir(path)))
PY
)"
export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$cuda${cuda:+:}$own/lib"
icd=/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json
if [ -e $icd ] && [ -z "${VK_DRIVER_FILES:-}" ]; then export VK_DRIVER_FILES=$icd; fi
cd "$root"
exec node scripts/gpu/run.mjs --state "$state" "$@"
