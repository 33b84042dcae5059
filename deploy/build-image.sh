#!/bin/sh
# Builds the image with buildah, without a daemon or privileges of its own: deploy/build-image.sh TAG [buildah options]
#
# Where no image registry can be reached, FETTLE_BASE_DIR names the root of a Debian with python3 and python3-venv, as
#   debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm DIR
# makes it; it takes the place of the base image.
set -eu
tag=${1:?usage: deploy/build-image.sh TAG [buildah options]}
shift
cd "$(dirname "$0")/.."
buildah="buildah --storage-driver ${STORAGE_DRIVER:-vfs}"
if [ -n "${FETTLE_BASE_DIR:-}" ]; then
    base=localhost/fettle-base
    made=$($buildah from scratch)
    $buildah copy -q "$made" "$FETTLE_BASE_DIR" /
    $buildah commit -q "$made" "$base"
    $buildah rm "$made" >/dev/null
    set -- --build-arg "BASE=$base" --pull-never "$@"
fi
$buildah bud --isolation chroot --layers=false -f deploy/Containerfile -t "$tag" "$@" .
$buildah images "$tag"
