#!/bin/sh
# Analyzes a part inside the image, as its own user: deploy/analyze-in-image.sh TAG PART > result.json
#
# The root file system is the image's and belongs to root; the user of the image can write /tmp and its data folder.
set -eu
tag=${1:?usage: deploy/analyze-in-image.sh TAG PART}
part=${2:?usage: deploy/analyze-in-image.sh TAG PART}
buildah="buildah --storage-driver ${STORAGE_DRIVER:-vfs}"
made=$($buildah from --pull-never "$tag")
trap '$buildah rm "$made" >/dev/null' EXIT
$buildah copy -q "$made" "$part" "/tmp/$(basename "$part")" >/dev/null
$buildah run --isolation chroot "$made" -- sh -c 'test "$(id -u)" != 0 && ! touch /opt/fettle/written 2>/dev/null' \
    || { echo "the image runs as root, or its user can write the program" >&2; exit 1; }
$buildah run --isolation chroot "$made" -- fettle analyze "/tmp/$(basename "$part")" --format json --fail-on never
