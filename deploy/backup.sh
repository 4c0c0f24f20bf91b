#!/bin/sh
# Once a day: a dump of the database, then the files (docs/operations.md says why in this order). Keeps the newest
# $KEEP of each. `backup.sh once` makes one and ends. JWT_SECRET is not in it: keep it elsewhere.
# Files in an object store (FILES_URL) are not in it either, unless $SAVE_FILES is a command that saves them:
#   SAVE_FILES='cd /opt/iot && npm run --silent admin -- save-files --to /backups/files'
set -eu
# Hashes of passwords, configurations of devices, recordings: for nobody else on this machine.
umask 077
to=${BACKUP_DIR:-/backups}
files=${FILES_DIR:-/data/files}

make() {
  at=$(date -u +%Y%m%dT%H%M%SZ)
  # What is incomplete would never be counted, and fill the disk: after a failure, and after one that was killed.
  trap 'rm -f "$to/.iot-$at.dump" "$to/.files-$at.tar"' EXIT
  trap 'exit 1' HUP INT TERM
  find "$to" -maxdepth 1 \( -name '.iot-*.dump' -o -name '.files-*.tar' \) -mtime +0 -exec rm -f {} +
  pg_dump -Fc -f "$to/.iot-$at.dump" "$DATABASE_URL"
  mv "$to/.iot-$at.dump" "$to/iot-$at.dump"
  if [ -d "$files" ]; then
    # 1: a file changed or went away meanwhile, such as the recording of an open terminal. All others are complete.
    tar -cf "$to/.files-$at.tar" -C "$files" . || [ $? -eq 1 ]
    mv "$to/.files-$at.tar" "$to/files-$at.tar"
  fi
  for kind in iot files; do
    ls -1 "$to" | grep "^$kind-" | sort -r | tail -n +$((${KEEP:-14} + 1)) | while read -r old; do
      rm -f "$to/$old"
    done
  done
  if [ -n "${SAVE_FILES:-}" ]; then
    sh -c "$SAVE_FILES"
  elif [ -n "${FILES_URL:-}" ]; then
    echo "FILES_URL is set, SAVE_FILES is not: the files of the object store are not in this backup" >&2
  fi
  echo "backup $at"
}

[ "${1:-}" = once ] && { make; exit; }
while :; do
  # A process of its own: `set -e` does not hold within a condition.
  if sh "$0" once; then sleep 86400; else
    echo "backup failed; the next attempt is in an hour" >&2
    sleep 3600
  fi
done
