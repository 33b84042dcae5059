#!/bin/sh
# Runs the image without an engine, as its own user on a read-only root: deploy/run-image.sh TAG FOLDER COMMAND...
#
# FOLDER is seen as /mnt, read-only; only /tmp and the data folder can be written, and both are gone at the end. The
# network is the machine's. Needs root, or buildah's user namespaces; an engine does the same with
#   docker run --read-only --tmpfs /tmp -v data:/var/lib/fettle/data IMAGE COMMAND...
set -eu
usage="usage: deploy/run-image.sh TAG FOLDER COMMAND..."
tag=${1:?$usage}
folder=$(realpath "${2:?$usage}")
shift 2
if [ "$(id -u)" != 0 ] && [ -z "${FETTLE_UNSHARED:-}" ]; then
    FETTLE_UNSHARED=1 exec buildah unshare "$0" "$tag" "$folder" "$@"
fi
buildah="buildah --storage-driver ${STORAGE_DRIVER:-vfs}"
made=$($buildah from --pull-never "$tag")
trap '$buildah rm "$made" >/dev/null' EXIT
trap 'trap - TERM INT; kill "$running" && wait "$running"; exit 143' TERM INT
said() { $buildah inspect --type image --format "$1" "$tag"; }
# Names and values in the image have no spaces.
# shellcheck disable=SC2016,SC2046
unshare --mount sh -c '
    set -eu
    root=$1 folder=$2 user=$3
    shift 3
    mount --bind "$root" "$root"
    mount -o remount,bind,ro "$root"
    mount -t tmpfs tmpfs "$root/tmp"
    mount -t tmpfs -o "uid=$user,mode=700" tmpfs "$root/var/lib/fettle/data"
    mount --bind "$folder" "$root/mnt"
    mount -o remount,bind,ro "$root/mnt"
    mount --rbind /dev "$root/dev"
    mount --rbind /proc "$root/proc"
    exec chroot --userspec="$user:$user" "$root" env -i "$@"
' run-image "$($buildah mount "$made")" "$folder" "$(said '{{.OCIv1.Config.User}}')" \
    $(said '{{range .OCIv1.Config.Env}}{{.}} {{end}}') "$@" &
running=$!
wait "$running" # its status is ours
