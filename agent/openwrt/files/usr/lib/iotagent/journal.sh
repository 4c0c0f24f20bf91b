# The journal of a change on trial, $PENDING on flash:
#   revision command confirmS boot   what is tried, by which command, for how long, since which boot
#   packages   lines NAME HASH_BEFORE HASH_AFTER ("-": does not exist)      before/NAME after/NAME  their files
#   files      lines NUMBER HASH_BEFORE HASH_AFTER PATH                     files/NUMBER.before files/NUMBER.after
#   phase      written → trial → reverted; `detail` says why it was reverted
# It appears whole (by a rename) and goes whole. $RUN/trial holds the uptime at which the trial began.

phase() { cat "$PENDING/phase" 2>/dev/null; }
set_phase() { echo "$1" >"$PENDING/phase.new" && flush "$PENDING/phase.new" && mv "$PENDING/phase.new" "$PENDING/phase" && flush "$PENDING"; }
drop_journal() { rm -rf "$STATE/done.old" && mv "$PENDING" "$STATE/done.old" && flush "$STATE"; rm -rf "$STATE/done.old" "$RUN/trial" "$RUN/revert"; }

remaining_s() {
  local since left
  since=$(cat "$RUN/trial" 2>/dev/null) || since=$(uptime_s)
  left=$(($(cat "$PENDING/confirmS") - $(uptime_s) + since))
  [ "$left" -gt 0 ] && echo "$left" || echo 0
}

# A package's or file's content from the journal to its place; by a rename, so that nobody reads half of it.
put() { # SOURCE TARGET ("-": the target goes)
  if [ -f "$1" ]; then
    mkdir -p "${2%/*}"
    cp "$1" "$2.iotagent" && flush "$2.iotagent" && mv "$2.iotagent" "$2"
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

# Restores what is still as it was applied; what somebody changed since is left alone and named in `detail`.
restore() { # WHY [quiet]
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
  sync
  echo "$1${kept:+; changed on the device meanwhile and left as it is:$kept}" >"$PENDING/detail"
  set_phase reverted
  rm -f "$RUN/trial" "$RUN/revert"
  uptime_s >"$RUN/reverted"
  say "configuration of revision $(cat "$PENDING/revision") taken back: $(cat "$PENDING/detail")"
  # At boot the services have not started yet; they read what is there then.
  [ "${2:-}" = quiet ] || [ -z "$touched" ] || tell_services $touched
}
