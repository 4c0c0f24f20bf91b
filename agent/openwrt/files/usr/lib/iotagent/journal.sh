# The journal of a change on trial, $PENDING on flash:
#   revision command confirmS boot   the revision on trial, its command, the length of the trial in seconds, the boot id
#   packages   lines NAME HASH_BEFORE HASH_AFTER ("-": does not exist)      before/NAME after/NAME  their contents
#   files      lines NUMBER HASH_BEFORE HASH_AFTER PATH                     files/NUMBER.before files/NUMBER.after
#   phase      written → trial → reverted; `detail` is the reason for the rollback
# The directory is created and deleted atomically, by a rename. $RUN/trial holds the uptime at which the trial began.

phase() { cat "$PENDING/phase" 2>/dev/null; }
set_phase() { echo "$1" >"$PENDING/phase.new" && flush "$PENDING/phase.new" && mv "$PENDING/phase.new" "$PENDING/phase" && flush "$PENDING"; }
drop_journal() { rm -rf "$STATE/done.old" && mv "$PENDING" "$STATE/done.old" && flush "$STATE"; rm -rf "$STATE/done.old" "$RUN/trial" "$RUN/prove" "$RUN/revert"; }

remaining_s() {
  local since left
  since=$(number_in "$RUN/trial") || since=$(uptime_s)
  left=$(($(cat "$PENDING/confirmS") - $(uptime_s) + since))
  [ "$left" -gt 0 ] && echo "$left" || echo 0
}

# Installs a package or file from the journal. It is installed once: the source may be gone afterwards.
put() { # SOURCE TARGET (without a source, the target is deleted)
  if [ -f "$1" ]; then
    mkdir -p "${2%/*}"
    replace "$1" "$2"
  else
    rm -f "$2"
  fi
}

swap_in() {
  local name before after number path
  while read -r name before after; do put "$PENDING/after/$name" "$CONFIG/$name"; done <"$PENDING/packages"
  while read -r number before after path; do put "$PENDING/files/$number.after" "$ROOT$path"; done <"$PENDING/files/list"
  replaced_keys "$PENDING/packages"
  sync
}

# Restores everything that is still as the trial left it. What someone has changed since then is kept, and named in `detail`.
restore() { # REASON [quiet]
  local name before after present number path touched= kept=
  while read -r name before after; do
    present=$(package_hash "$name")
    case ${present:--} in
    "$before") ;;
    "$after") put "$PENDING/before/$name" "$CONFIG/$name" && touched="$touched $name" ;;
    *) kept="$kept $name" ;;
    esac
  done <"$PENDING/packages"
  while read -r number before after path; do
    present=$(file_hash "$ROOT$path")
    case ${present:--} in
    "$before") ;;
    "$after") put "$PENDING/files/$number.before" "$ROOT$path" ;;
    *) kept="$kept $path" ;;
    esac
  done <"$PENDING/files/list"
  replaced_keys "$PENDING/packages"
  # Where there is no other room, it is for what follows.
  rm -rf "$PENDING/after"
  sync
  echo "$1${kept:+; changed on the device meanwhile and left as it is:$kept}" >"$PENDING/detail"
  set_phase reverted
  rm -f "$RUN/trial" "$RUN/prove" "$RUN/revert"
  uptime_s >"$RUN/reverted"
  say "configuration of revision $(cat "$PENDING/revision") rolled back: $(cat "$PENDING/detail")"
  # At boot, services have not started yet and need no reload.
  [ "${2:-}" = quiet ] || [ -z "$touched" ] || tell_services $touched
}
