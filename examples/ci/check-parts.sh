#!/bin/sh
# Usage: check-parts.sh FOLDER [PROCESS]. Writes fettle.sarif and fettle.xml beside itself; ends as `fettle analyze` does.
set -eu
folder=$1
process=${2:-cnc:3-axis}
set -- "$folder"/*.st[ep]*
if [ -f "$folder/baseline.json" ]; then
    set -- "$@" --baseline "$folder/baseline.json"
fi
fettle analyze "$@" --process "$process" --format sarif --fail-on never > fettle.sarif
fettle analyze "$@" --process "$process" --format junit --fail-on never > fettle.xml
fettle analyze "$@" --process "$process"
