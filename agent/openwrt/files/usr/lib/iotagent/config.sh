# Reports the configuration and applies changes on trial. The guard rolls back a change that is not confirmed in time.

TEXTS_MAX=49152 # limit for the UCI text in one message, in characters
LUCI_TRIAL_S=90
NO_ROOM='there is no room on the flash for the change and what it replaces'

run_read() { # ID FILE
  local hashes name hash texts= size=0 one more=false
  sync_keys
  package_hashes >"$RUN/hashes"
  true >"$RUN/texts"
  while read -r name hash; do
    [ "$(value "$2" "@.args.known[\"$name\"]")" != "$hash" ] || continue
    uci -q export "$CONFIG/$name" >"$RUN/export"
    one=$(($(wc -c <"$RUN/export")))
    # A package that is too large for any message is never reported.
    [ $one -le $TEXTS_MAX ] || continue
    if [ $((size + one)) -gt $TEXTS_MAX ]; then more=true; continue; fi
    size=$((size + one))
    printf '%s"%s":' "${texts:+,}" "$name" >>"$RUN/texts"
    quoted_file "$RUN/export" >>"$RUN/texts"
    texts=yes
  done <"$RUN/hashes"
  {
    printf '{"at":%s,"configHash":"%s","packages":{%s},"texts":{' "$(now)" "$(sha256sum <"$RUN/hashes" | cut -c1-64)" "$(map_of <"$RUN/hashes")"
    cat "$RUN/texts"
    printf '},"more":%s}' $more
  } >"$RUN/report"
  if tell_file config "$RUN/report"; then finish "$1"; else say 'the configuration could not be reported'; fi
  rm -f "$RUN/export" "$RUN/texts" "$RUN/report"
}

# Ends an applyConfig command: either nothing was changed, or every change has been undone.
outcome() { # ID OUTCOME [MORE_JSON] [ERROR]
  settled "$1" "\"state\":\"failed\",\"error\":$(quoted "${4:-$2}" 500),\"result\":{\"outcome\":\"$2\",\"configHash\":\"$(config_hash)\"${3:-}}"
}
rejected() { # ID PACKAGE REASON [SECTION [OPTION]]
  outcome "$1" rejected ",\"fault\":{\"package\":$(quoted "$2" 64)${4:+,\"section\":$(quoted "$4" 64)}${5:+,\"option\":$(quoted "$5" 64)},\"reason\":$(quoted "$3" 300)}" "$2: $3"
}

# Whether someone else is changing the configuration: in LuCI (rpcd keeps a snapshot until its own trial ends), or in a shell.
busy_with() { # PACKAGE…: prints the reason; fails if nobody is
  local one file
  [ ! -d "$PENDING" ] || { echo 'another change is on trial'; return; }
  ! busy_item || { echo "$INSTALLING"; return; }
  for file in "$ROOT"/var/run/rpcd/snapshot-files/*; do
    [ -e "$file" ] || continue
    # Changes without a trial leave their snapshots behind, so only a recent one counts.
    [ $(($(date +%s) - $(date -r "$file" +%s))) -ge $LUCI_TRIAL_S ] || { echo 'somebody is trying a change in the web page of the device'; return; }
  done
  for one; do
    [ -z "$(uci -q changes "$one")" ] || { echo "uncommitted changes of $one on the device (uci changes)"; return; }
    [ ! -e "$ROOT/var/run/uci/$one" ] || { echo "$one is overridden in /var/run/uci"; return; }
  done
  return 1
}

# fw4 skips a section with an invalid option and prints a warning. nft refuses all rules if one of them is wrong: those that
# are loaded stay, and after the next start of the device there are none. Only the installed configuration can be checked.
firewall_faults() { ! has fw4 || fw4 check 2>&1 | sed -n -e '/^\[!\]/p' -e 's/^[^ ]*: Error: /nft: /p' | sort -u; }

# What it says now, and did not say before. It names a section without a name by its place, which is another one once a section before it was
# added or removed.
new_fault() { # BEFORE NOW
  printf '%s\nnow\n%s\n' "$1" "$2" | awk '
    $0 == "now" { now = 1; next }
    { same = $0; gsub(/@[a-z_]+\[[0-9]+\]/, "@", same) }
    !now { said[same]++; next }
    $0 != "" && said[same]-- <= 0 { print; exit }'
}

# Prepares the journal in $STATE/pending-new. Prints nothing, or `PACKAGE REASON` if the change is rejected.
stage() { # FILE
  local index name hash base found fault journal="$STATE/pending-new"
  rm -rf "$journal" && mkdir -p "$journal/before" "$journal/after" "$journal/files" && true >"$journal/packages" && true >"$journal/files/list" ||
    { echo "${names##* } $NO_ROOM"; return; }
  pick "$1" ALL=@.args.packages
  for index in $ALL; do
    pick "$1" "NAME=@.args.packages[$index].name" "HASH=@.args.packages[$index].hash"
    name=$NAME hash=$HASH
    if [ -n "$hash" ]; then
      text_to "$1" "@.args.packages[$index].text" "$journal/after/$name" || { echo "$name $NO_ROOM"; return; }
      # With an absolute path, uci reads this file alone, without uncommitted changes of the package.
      fault=$(uci export "$journal/after/$name" 2>&1 >"$RUN/export")
      [ -z "$fault" ] || { echo "$name ${fault#uci: }"; return; }
      found=$(sha256sum <"$RUN/export" | cut -c1-64)
      [ "$found" = "$hash" ] || { echo "$name does not hash as it was sent: $found instead of $hash"; return; }
    fi
    # Half of the former text would be what a rollback restores.
    [ ! -f "$CONFIG/$name" ] || cp "$CONFIG/$name" "$journal/before/$name" || { echo "$name $NO_ROOM"; return; }
    base=$(package_hash "$name")
    echo "$name ${base:--} ${hash:--}" >>"$journal/packages" || { echo "$name $NO_ROOM"; return; }
  done
  pick "$1" ALL=@.args.files
  for index in $ALL; do
    pick "$1" "FILE=@.args.files[$index].path"
    case $FILE in
    /etc/openvpn/* | /etc/n2n/* | /etc/ssl/* | /etc/agent/*) ;;
    *) echo "files $FILE may not be written"; return ;;
    esac
    case $FILE in *..* | *[!A-Za-z0-9._/-]*) echo "files $FILE may not be written"; return ;; esac
    [ "$(jsonfilter -i "$1" -t "@.args.files[$index].text" 2>/dev/null)" != string ] || text_to "$1" "@.args.files[$index].text" "$journal/files/$index.after" ||
      { echo "files $NO_ROOM"; return; }
    [ ! -f "$ROOT$FILE" ] || cp "$ROOT$FILE" "$journal/files/$index.before" || { echo "files $NO_ROOM"; return; }
    base=$(file_hash "$ROOT$FILE") hash=$(file_hash "$journal/files/$index.after")
    echo "$index ${base:--} ${hash:--} $FILE" >>"$journal/files/list" || { echo "files $NO_ROOM"; return; }
  done
}

# The hash that the whole configuration will have with the staged packages.
staged_hash() {
  local name before after
  {
    package_hashes | while read -r name after; do grep -q "^$name " "$STATE/pending-new/packages" || echo "$name $after"; done
    while read -r name before after; do [ "$after" = - ] || echo "$name $after"; done <"$STATE/pending-new/packages"
  } | LC_ALL=C sort | sha256sum | cut -c1-64
}

confirmed() { printf '{"outcome":"confirmed","configHash":"%s"}' "$(config_hash)"; }
# The outcome is stored first: after the journal is deleted, it could not be reconstructed.
confirm_trial() { # ID
  # Where there is no other room, it is for that; a rollback does not need it.
  rm -rf "$PENDING/after"
  store "$1" "\"state\":\"done\",\"result\":$(confirmed)"
  drop_journal
}
run_apply() { # ID FILE
  local index names= why fault before
  pick "$2" REVISION=@.args.revision CONFIRM=@.args.confirmS WHOLE=@.args.configHash ALL=@.args.packages
  case $REVISION$CONFIRM in '' | *[!0-9]*) refuse "$1" 'arguments are missing'; return ;; esac
  [ -n "$ALL" ] || { refuse "$1" 'no packages'; return; }
  for index in $ALL; do
    pick "$2" "NAME=@.args.packages[$index].name"
    is_managed "$NAME" || { rejected "$1" "$NAME" 'not a managed package of this device'; return; }
    names="$names $NAME"
  done
  # shellcheck disable=SC2086
  if why=$(busy_with $names); then outcome "$1" busy ",\"detail\":$(quoted "$why" 300)" "$why"; return; fi
  sync_keys
  for NAME in $names; do
    [ "$(package_hash "$NAME")" = "$(value "$2" "@.args.base[\"$NAME\"]")" ] || {
      outcome "$1" conflict ",\"detail\":\"$NAME is not what the change is based on\"" "$NAME was changed on the device"
      return
    }
  done
  fault=$(stage "$2")
  [ -z "$fault" ] || { rm -rf "$STATE/pending-new"; rejected "$1" "${fault%% *}" "${fault#* }"; return; }
  [ "$(staged_hash)" = "$WHOLE" ] || {
    rm -rf "$STATE/pending-new"
    outcome "$1" conflict ',"detail":"another package is not what the platform knows"' 'another package was changed on the device'
    return
  }

  {
    echo "$REVISION" >"$STATE/pending-new/revision" && echo "$1" >"$STATE/pending-new/command" &&
      echo "$CONFIRM" >"$STATE/pending-new/confirmS" && boot_id >"$STATE/pending-new/boot" && echo written >"$STATE/pending-new/phase"
  } || { rm -rf "$STATE/pending-new"; rejected "$1" "${names##* }" "$NO_ROOM"; return; }
  sync
  lock
  # It may have begun since it was looked for.
  if busy_item; then
    unlock
    rm -rf "$STATE/pending-new"
    outcome "$1" busy ",\"detail\":\"$INSTALLING\"" "$INSTALLING"
    return
  fi
  rm -f "$RUN/trial" "$RUN/revert" "$RUN/reverted"
  mv "$STATE/pending-new" "$PENDING"
  flush "$STATE"
  # The platform must know that the trial begins, or it would not wait for its result.
  if ! settled "$1" '"state":"accepted"'; then
    rm -f "$STATE/commands/$1"
    drop_journal
    unlock
    return
  fi
  before=$(firewall_faults)
  swap_in
  fault=$(new_fault "$before" "$(firewall_faults)")
  if [ -n "$fault" ]; then
    restore "$fault" quiet
    drop_journal
    unlock
    rejected "$1" firewall "$fault" "$(printf '%s' "$fault" | sed -n 's/^.*Section \([^ ]*\).*/\1/p')" "$(printf '%s' "$fault" | sed -n "s/^.*option '\{0,1\}\([A-Za-z0-9_]*\).*/\1/p")"
    return
  fi
  uptime_s >"$RUN/trial"
  [ "$CONFIRM" -eq 0 ] || time_to_prove "$CONFIRM" >"$RUN/prove"
  set_phase trial
  [ "$CONFIRM" -ne 0 ] || confirm_trial "$1"
  # Before the services: while one of them does not come to an end, the guard must be able to roll back.
  unlock
  # shellcheck disable=SC2086
  tell_services $names
  if [ "$CONFIRM" -eq 0 ]; then
    finish "$1" "$(confirmed)"
    hello
    return
  fi
  say "revision $REVISION is on trial for $CONFIRM s"
}
# Only a new connection proves that the platform is still reachable, and only one that is made after the services have reloaded: procd
# begins with that a second after it was told, and the firewall of a small router needs some seconds, a radio more. Until then nothing
# counts as a confirmation. $RUN/prove holds the uptime from which on a connection is a proof; at that time `watch_connection` ends the
# former one.
LEAST_RELOAD_S=5
time_to_prove() { # SECONDS of the trial
  local reload=$(($1 / 6))
  [ $reload -ge $LEAST_RELOAD_S ] || reload=$LEAST_RELOAD_S
  echo $(($(uptime_s) + reload))
}
# A new connection is there.
ready_to_prove() {
  local moment
  ! moment=$(number_in "$RUN/prove") || [ "$(uptime_s)" -lt "$moment" ] || rm -f "$RUN/prove"
}

trial_of() { [ -d "$PENDING" ] && [ "$(cat "$PENDING/revision")" = "$1" ] && [ "$(phase)" = trial ]; }

run_confirm() { # ID FILE
  local command
  pick "$2" REVISION=@.args.revision
  lock
  if trial_of "$REVISION"; then
    # Too early: it comes again, at the latest with the next connection.
    [ ! -e "$RUN/prove" ] || { unlock; return; }
    command=$(cat "$PENDING/command")
    confirm_trial "$command"
    unlock
    say "revision $REVISION confirmed"
    finish "$1"
    reply "$command"
    hello
  else
    unlock
    finish "$1"
  fi
}

run_revert() { # ID FILE
  pick "$2" REVISION=@.args.revision
  ! trial_of "$REVISION" || true >"$RUN/revert"
  finish "$1"
}

# Reports a rollback by the guard under the id of the command that started the trial, then deletes the journal.
settle_trial() {
  local command
  [ -d "$PENDING" ] && [ "$(phase)" = reverted ] || return 0
  command=$(cat "$PENDING/command")
  KEPT=flash
  hello && outcome "$command" reverted ",\"detail\":$(quoted "$(cat "$PENDING/detail")" 300)" "$(cat "$PENDING/detail")" || return 0
  lock
  [ "$(phase)" != reverted ] || drop_journal
  unlock
}
