# Task items: offer, download with resume, verification, sysupgrade. items/ID.offer is the offer, items/ID the step,
# items/ID.told: its end was acknowledged, items/ID.fate: a link to the word `cancelled` or `upgrading`, which is no file.

# Cancelling (the main process) and installing (the background) exclude each other: whichever makes the link first is what
# happens, also after a power cut.
decide() { # ITEM cancelled|upgrading
  ln -sn "$2" "$STATE/items/$1.fate" 2>/dev/null && flush "$STATE/items"
  [ "$(readlink "$STATE/items/$1.fate")" = "$2" ]
}
step_of() {
  if [ "$(readlink "$STATE/items/$1.fate")" = cancelled ]; then echo cancelled; else cat "$STATE/items/$1" 2>/dev/null; fi
}
report() { # ITEM STEP [MORE_JSON]
  tell progress "{\"item\":\"$1\",\"at\":$(now),\"step\":\"$2\"${3:-}}"
}
present() { # ITEM: what is known of it
  local step failure detail
  [ -e "$STATE/items/$1" ] || { report "$1" unknown; return; }
  read -r step failure detail <<END
$(step_of "$1")
END
  case $step in
  failed) report "$1" failed ",\"failure\":\"$failure\"${detail:+,\"detail\":$(quoted "$detail" 500)}" ;;
  cancelled) report "$1" failed ',"failure":"unknownError","detail":"cancelled"' ;;
  *) report "$1" "$step" ;;
  esac && case $step in done | failed | cancelled) true >"$STATE/items/$1.told" ;; esac
}
fail() { # ITEM FAILURE [DETAIL]
  if keep "items/$1" "failed $2 ${3:-}"; then
    present "$1"
  else
    # With a full flash the platform must be told all the same.
    report "$1" failed ",\"failure\":\"$2\"${3:+,\"detail\":$(quoted "$3" 500)}"
  fi
}
INSTALLING='an installation is running'
# True during an installation, which must not be interrupted.
busy_item() { grep -qs '^upgrading' "$STATE"/items/*; }
cancelled() { [ "$(step_of "$1")" = cancelled ]; }
NO_ROOM_FOR_STEP='there is no room on the flash for its state'
# From here on it is never started again. Fails if it was cancelled, or if that cannot be stored.
# Nor during the trial of a configuration, which would end with it: ON_TRIAL then says that one began meanwhile.
begin_installing() { # ITEM
  lock
  ON_TRIAL=$(ls -d "$PENDING" 2>/dev/null)
  if [ -z "$ON_TRIAL" ] && decide "$1" upgrading && keep "items/$1" upgrading; then
    unlock
    report "$1" upgrading
    return 0
  fi
  unlock
  [ -n "$ON_TRIAL" ] || cancelled "$1" || fail "$1" upgradeFailed "$NO_ROOM_FOR_STEP"
  return 1
}

# The download, and beside it the SHA-256 of the file that it is to become. Of an item that was called back it is kept: the same
# file continues from there. `.of` then also says until when; it goes earlier where RAM is short.
PART=$ROOT/tmp/iotagent.part
KEEP_PART_MS=691200000
LEAST_FREE_KB=16384
keep_part() { printf '%s %s\n' "$SUM" $(($(now) + KEEP_PART_MS)) >"$PART.of"; }
tidy_part() {
  local sum= until= free
  read -r sum until 2>/dev/null <"$PART.of"
  [ -n "$until" ] || return 0
  free=$(awk '/^MemAvailable/ { print $2 }' "$ROOT/proc/meminfo")
  [ "$(now)" -lt "$until" ] && [ "${free:-0}" -ge $LEAST_FREE_KB ] || rm -f "$PART" "$PART.of"
}
part_bytes() { [ -e "$PART" ] && wc -c <"$PART" | tr -d ' ' || echo 0; }

# /tmp is in RAM: once it is full, neither the services of the router nor this agent can write anything there. The archive and what is
# unpacked from it are there at the same time, and mostly as large as each other: what an archive contains is compressed already.
NO_ROOM_IN_RAM='there is not enough RAM'
no_room() {
  local need kind= free= memory=
  need=$(((2 * SIZE - $(part_bytes)) / 1024))
  read -r kind free <<END
$(df -k "$ROOT/tmp" 2>/dev/null | awk 'NF >= 5 { found = $1 " " $(NF - 2) } END { print found }')
END
  case $free in '' | *[!0-9]*) return ;; esac
  if [ "$kind" = tmpfs ]; then
    memory=$(awk '/^MemAvailable/ { print $2 }' "$ROOT/proc/meminfo")
    [ "${memory:-$free}" -ge "$free" ] || free=$memory
  fi
  [ "$need" -le "$free" ] || echo "unknownError $NO_ROOM_IN_RAM: $(megabytes "$need") MB are needed, $(megabytes "$free") MB are free"
}
megabytes() { echo "$(($1 / 1024)).$(($1 % 1024 * 10 / 1024))"; } # KILOBYTES

# Downloads into $PART; prints the failure and its detail, `cancelled`, or nothing. PROGRESS and waiting are reported meanwhile.
fetch() { # ITEM
  local at=accepted told=-5 tries=0 wait=2 etag= kept= until= before exit code failure percent running headers="$RUN/headers"
  rm -f "$headers"
  read -r kept until 2>/dev/null <"$PART.of"
  # The platform's ETag is the SHA-256 of the file. Without a time something may still write to it.
  if [ -n "$until" ] && [ "$kept" = "$SUM" ] && [ -s "$PART" ]; then etag="\"$SUM\""; else rm -f "$PART"; fi
  no_room | grep . && return
  printf '%s\n' "$SUM" >"$PART.of"
  while :; do
    before=$(part_bytes)
    rm -f "$RUN/exit"
    (
      # Not as an argument: it would be in the process list.
      { printf 'user = "%s:%s"\n' "$NAME_OF" "$PASSWORD"
        [ -z "$etag" ] || printf 'header = "If-Range: %s"\n' "$(printf '%s' "$etag" | sed 's/"/\\"/g')"; } |
        curl -fsS -K - --connect-timeout 15 --speed-limit 1 --speed-time 30 -C - -H 'Accept-Encoding: identity' -D "$headers" -o "$PART" -w '%{http_code}' "$URL" >"$RUN/code" 2>/dev/null &
      # Nothing may write to what is kept.
      trap 'kill $! 2>/dev/null' TERM
      wait $!
      exit=$?
      # [curl(1)] 23: it could not write. Then there is no room for this number either.
      [ $exit -ne 23 ] || rm -f "$PART"
      echo $exit >"$RUN/exit"
    ) &
    running=$!
    while [ -n "$running" ]; do
      # Where memory was short, it may have been killed before it wrote anything.
      if [ -s "$RUN/exit" ] || ! kill -0 "$running" 2>/dev/null; then running=; else sleep 1; fi
      [ $at != accepted ] || [ ! -s "$headers" ] || { at=connected; report "$1" connected >&2; }
      percent=$(($(part_bytes) * 100 / SIZE))
      if [ $percent -ge $((told + 5)) ] && [ $percent -gt 0 ] && [ $percent -le 100 ]; then
        told=$percent at=downloading
        [ "$(step_of "$1")" != accepted ] || keep "items/$1" downloading
        report "$1" downloading ",\"percent\":$percent" >&2
      fi
      ! cancelled "$1" || {
        [ -z "$running" ] || { kill "$running" 2>/dev/null; wait "$running"; }
        keep_part
        echo cancelled
        return
      }
    done
    exit=$(cat "$RUN/exit") code=$(cat "$RUN/code")
    etag=$(sed -n 's/^[Ee][Tt]ag: *\("[^"]*"\).*/\1/p' "$headers" 2>/dev/null | tail -n 1)
    case $exit:$code in
    0:200 | 0:206) return ;;
    *:401 | *:403) echo wrongCredentials && return ;;
    *:404) echo fileNotFound && return ;;
    *:410) keep_part && echo cancelled && return ;;
    *:416) [ "$(part_bytes)" -ne "$SIZE" ] || return; rm -f "$PART" && failure=unknownError ;;
    *:429) failure=remoteConnectFailed ;;
    *:4??) echo unknownError && return ;;
    6:*) failure=domainError ;;
    23:*) echo "unknownError $NO_ROOM_IN_RAM" && return ;;
    28:000) failure=connectTimeout ;;
    33:*) rm -f "$PART" && failure=downloadTimeout ;;
    *) failure=remoteConnectFailed ;;
    esac
    [ $at != downloading ] || failure=downloadTimeout
    [ "$(part_bytes)" -le "$before" ] || tries=0 wait=2
    [ "$(platform_now)" -lt "$EXPIRES" ] || { echo "$failure"; return; }
    tries=$((tries + 1))
    [ $tries -lt 2 ] || report "$1" $at ",\"failure\":\"$failure\"" >&2
    sleep $((wait / 2 + $(random $((wait / 2)))))
    wait=$((wait * 2))
    [ $wait -le 30 ] || wait=30
    # The offer may have come again with a newer link.
    pick "$STATE/items/$1.offer" URL=@.url PASSWORD=@.password EXPIRES=@.expiresAt
  done
}

# Prints which property differs from the offer, and the actual value; nothing if all match.
damage() {
  local found
  found=$(part_bytes)
  [ "$found" -eq "$SIZE" ] || { echo "size differs: $found of $SIZE bytes"; return; }
  found=$(file_hash "$PART")
  [ "$found" = "$SUM" ] || { echo "SHA-256 differs: $found instead of $SUM"; return; }
  found=$(md5sum <"$PART" | cut -c1-32)
  [ -z "$MD5" ] || [ "$found" = "$MD5" ] || echo "MD5 differs: $found instead of $MD5"
}

work_on() { # ITEM, in the background
  local failure folder="$ROOT/tmp/iotagent-image"
  TAG=4
  pick "$STATE/items/$1.offer" URL=@.url NAME_OF=@.username PASSWORD=@.password EXPIRES=@.expiresAt SIZE=@.sizeBytes SUM=@.sha256 MD5=@.md5 \
    MODEL=@.model TYPE=@.type PACKAGE=@.name VERSION=@.version KEEP=@.keepConfig SIGNATURE=@.signature
  case $TYPE in upgrade | patch | ordinary | config) ;; *) fail "$1" unknownError "type $TYPE"; return ;; esac
  [ "$TYPE" = config ] || [ "$MODEL" = "$(model)" ] || { fail "$1" packageVerifyFailed "for $MODEL"; return; }
  TITLE=$PACKAGE
  PACKAGE=$(listed_name "$PACKAGE")
  failure=$(fetch "$1")
  case $failure in
  '') ;;
  cancelled) decide "$1" cancelled || keep "items/$1" cancelled; return ;;
  *) rm -f "$PART"; fail "$1" "${failure%% *}" "$(echo "$failure" | cut -s -d' ' -f2-)"; return ;;
  esac
  keep "items/$1" downloaded
  report "$1" downloaded
  failure=$(damage)
  [ -z "$failure" ] || { rm -f "$PART"; fail "$1" md5Failed "$failure"; return; }
  if [ "$TYPE" = config ]; then failure=$(archive_fault "$PART"); else failure=$(distrusted); fi
  [ -z "$failure" ] || { rm -f "$PART"; fail "$1" packageVerifyFailed "$failure"; return; }
  rm -rf "$folder" && mkdir -p "$folder"
  tar -xzf "$PART" -C "$folder" 2>/dev/null || {
    failure='packageVerifyFailed no readable .tar.gz'
    ! tar -tzf "$PART" >/dev/null 2>&1 || failure="unknownError $NO_ROOM_IN_RAM to unpack it"
    rm -rf "$folder" "$PART"
    fail "$1" "${failure%% *}" "${failure#* }"
    return
  }
  # The archive and its image do not both fit into the RAM of a small router.
  rm -f "$PART"
  ON_TRIAL=yes
  while [ -n "$ON_TRIAL" ]; do
    ON_TRIAL=
    while [ -d "$PENDING" ]; do sleep 5; done # a configuration on trial comes first
    ! cancelled "$1" || { rm -rf "$folder"; return; }
    case $TYPE in
    upgrade) install_upgrade "$1" "$folder" ;;
    config) install_config "$1" "$folder" ;;
    *) install_packages "$1" "$folder" ;;
    esac
  done
  rm -rf "$folder"
}

take_offer() { # FILE
  local item old
  item=$(value "$1" @.item)
  case $item in '' | *[!0-9a-f-]*) return ;; esac
  if [ ! -e "$STATE/items/$item" ]; then
    keep "items/$item.offer" "$(cat "$1")" && keep "items/$item" accepted || {
      rm -f "$STATE/items/$item.offer"
      fail "$item" unknownError "$NO_ROOM_FOR_STEP"
      return
    }
    # At least the last 100 are kept.
    ls -t "$STATE/items" | grep -v '\.' | tail -n +151 | while read -r old; do rm -f "$STATE/items/$old" "$STATE/items/$old".*; done
  elif step_of "$item" | grep -Eq '^(accepted|downloading)'; then
    # Its newer link. Where that has no room, the offer of before stays.
    keep "items/$item.offer" "$(cat "$1")" || true
  fi
  present "$item"
  BEGUN=
  begin_item
}
cancel_item() { # ITEM
  case $1 in '' | *[!0-9a-f-]*) return ;; esac
  # It may be about an item that was never offered, and is then never begun.
  if [ ! -e "$STATE/items/$1" ]; then keep "items/$1" cancelled; else step_of "$1" | grep -Eq '^(done|failed)' || decide "$1" cancelled; fi
}

# Since the last offer or hello. One whose end could not be stored, on a full flash, would otherwise begin over and over.
BEGUN=
# One installation at a time.
begin_item() {
  local file id
  [ -z "${WORK:-}" ] || ! kill -0 "$WORK" 2>/dev/null || return 0
  # Restored files are put back, and the router restarts, if no welcome arrives: not in the middle of an installation.
  ! restarted_restored || return 0
  for file in "$STATE"/items/*.offer; do
    id=${file##*/} id=${id%.offer}
    case " $BEGUN " in *" $id "*) continue ;; esac
    step_of "$id" | grep -Eq '^(accepted|downloading|downloaded)' || continue
    BEGUN="$BEGUN $id"
    work_on "$id" &
    WORK=$!
    beside work $WORK
    return
  done
}
# An item that was offered during another one begins after it, unless the router is about to restart. The main process looks whenever it hears
# something, which its own beat makes it do.
begin_next() {
  local state=
  [ -n "${WORK:-}" ] || return 0
  # Not by a signal: a process that has ended takes signals until it was waited for.
  read -r _ _ state _ 2>/dev/null <"/proc/$WORK/stat"
  case ${state:-Z} in Z | X) ;; *) return 0 ;; esac
  busy_item || { WORK=; begin_item; }
}

# After hello: handles items that a reboot or a power cut interrupted.
settle_items() {
  local file id
  for file in "$STATE"/items/*.offer; do
    [ -e "$file" ] || continue
    id=${file##*/} id=${id%.offer}
    if grep -qs '^upgrading' "$STATE/items/$id" && { [ -z "${WORK:-}" ] || ! kill -0 "$WORK" 2>/dev/null; }; then
      pick "$file" VERSION=@.version TYPE=@.type PACKAGE=@.name
      PACKAGE=$(listed_name "$PACKAGE")
      if [ "$TYPE" = config ]; then
        settle_restore "$id"
      elif installing "$id"; then
        (TAG=4; finish_packages "$id"; rm -rf "$ROOT/tmp/iotagent-image") &
        WORK=$!
        beside work $WORK
      elif [ "$TYPE" = upgrade ] && [ "$VERSION" = "$(firmware)" ]; then
        keep "items/$id" "done"
      else
        keep "items/$id" "failed upgradeFailed"
      fi
    fi
    [ -e "$STATE/items/$id.told" ] || present "$id"
  done
  BEGUN=
  begin_item
}
