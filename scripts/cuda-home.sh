#!/bin/sh
# Prints the CUDA toolkit to use: the first folder that has both ptxas and
# libdevice among CUDA_HOME, CUDA_PATH, the one of the ptxas on PATH,
# /usr/local/cuda, and what setup.sh put into build/cuda. Status 1: none.

root=$(cd "$(dirname "$0")/.." && pwd)
on_path=$(command -v ptxas) && on_path=$(dirname "$(dirname "$(readlink -f "$on_path")")")

for home in "$CUDA_HOME" "$CUDA_PATH" "$on_path" /usr/local/cuda "$root/build/cuda"; do
  if [ -n "$home" ] && [ -x "$home/bin/ptxas" ] &&
     [ -e "$home/nvvm/libdevice/libdevice.10.bc" ]; then
    echo "$home"
    exit 0
  fi
done
exit 1
