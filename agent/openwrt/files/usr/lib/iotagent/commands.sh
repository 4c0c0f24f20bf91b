# Commands. The result of a command is stored by its id before it is sent, and a known id is never run again: commands that change
# something are stored on flash, others in RAM.

known() { # ID: prints the file that keeps it
  local folder
  for folder in "$RUN/commands" "$STATE/commands"; do
    [ ! -e "$folder/$1" ] || { echo "$folder/$1"; return; }
  done
  return 1
}
reply() { # ID
  local file
  file=$(known "$1") && tell reply "{\"id\":\"$1\",\"at\":$(now),$(cat "$file")}"
}
# At least the last 100 are kept, in RAM too: each takes a page of it until the next boot, which may be years away.
newest_commands() { ls -t "$1" | tail -n +201 | while read -r old; do rm -f "$1/$old"; done; } # FOLDER
# With a full flash the platform must be told all the same.
store() { # ID JSON
  if [ "$KEPT" = flash ] && keep "commands/$1" "$2"; then
    rm -f "$RUN/commands/$1"
    newest_commands "$STATE/commands"
  else
    printf '%s\n' "$2" >"$RUN/commands/$1"
    newest_commands "$RUN/commands"
  fi
}
settled() { store "$1" "$2"; reply "$1"; } # ID JSON: keeps it and tells it
finish() { settled "$1" "\"state\":\"done\",\"result\":${2:-{\}}"; }
refuse() { settled "$1" "\"state\":\"failed\",\"error\":$(quoted "$2" 500)"; }

# The output of a program as a JSON list of lines.
output_list() { head -n 64 "$1" | while IFS= read -r line; do printf '%s,' "$(quoted "$line" 200)"; done | sed 's/,$//'; }
is_host() { case $1 in '' | -* | *[!A-Za-z0-9.:-]*) return 1 ;; esac; }

run_ping() { # ID FILE
  local file="$RUN/out.$1" address round
  pick "$2" TARGET=@.args.target COUNT=@.args.count
  is_host "$TARGET" || { refuse "$1" 'no name and no address'; return; }
  ping -c "${COUNT:-4}" -W 2 "$TARGET" >"$file" 2>&1
  address=$(sed -n '1s/^PING [^(]*(\([^)]*\)).*/\1/p' "$file")
  round=$(sed -n 's/^.*min\/avg\/max[^=]*= *\([0-9.]*\)\/\([0-9.]*\)\/\([0-9.]*\).*/,"minMs":\1,"avgMs":\2,"maxMs":\3/p' "$file")
  if grep -q 'packets transmitted' "$file"; then
    finish "$1" "{${address:+\"address\":$(quoted "$address" 64),}$(sed -n 's/^\([0-9]*\) packets transmitted, \([0-9]*\) .*/"sent":\1,"received":\2/p' "$file")$round,\"output\":[$(output_list "$file")]}"
  else
    refuse "$1" "$(tail -n 1 "$file")"
  fi
  rm -f "$file"
}
run_traceroute() { # ID FILE
  local file="$RUN/out.$1" hops reached=false address
  pick "$2" TARGET=@.args.target HOPS=@.args.maxHops
  is_host "$TARGET" || { refuse "$1" 'no name and no address'; return; }
  traceroute -n -q 1 -w 2 -m "${HOPS:-20}" "$TARGET" >"$file" 2>&1
  address=$(sed -n '1s/^traceroute to [^(]*(\([^)]*\)).*/\1/p' "$file")
  [ -n "$address" ] || { refuse "$1" "$(tail -n 1 "$file")"; rm -f "$file"; return; }
  hops=$(awk 'NR > 1 && $1 ~ /^[0-9]+$/ { printf "%s{\"hop\":%d%s%s}", (n++ ? "," : ""), $1, ($2 == "*" ? "" : ",\"address\":\"" $2 "\""), ($3 ~ /^[0-9.]+$/ ? ",\"ms\":" $3 : "") }' "$file")
  ! awk -v end="$address" 'NR > 1 && $2 == end { found = 1 } END { exit !found }' "$file" || reached=true
  finish "$1" "{\"hops\":[$hops],\"reached\":$reached,\"output\":[$(output_list "$file")]}"
  rm -f "$file"
}
run_lookup() { # ID FILE
  local file="$RUN/out.$1" result records
  pick "$2" NAME=@.args.name TYPE=@.args.type SERVER=@.args.server
  is_host "$NAME" && is_host "${SERVER:-x}" || { refuse "$1" 'no name and no address'; return; }
  nslookup -type="${TYPE:-A}" "$NAME" $SERVER >"$file" 2>&1
  records=$(awk '/^Name:/ { on = 1; next } on && /^Address( [0-9]+)?:/ { sub(/^Address[^:]*: */, ""); print $1; next }
    /(canonical name|mail exchanger|text|nameserver|name|service) = / { sub(/^.* = /, ""); print }' "$file" | while IFS= read -r line; do printf '%s,' "$(quoted "$line" 500)"; done | sed 's/,$//')
  case $(cat "$file") in
  *NXDOMAIN*) result=noSuchName ;;
  *SERVFAIL* | *REFUSED*) result=serverFailed ;;
  *'timed out'* | *'no servers could be reached'*) result=timedOut ;;
  *) [ -n "$records" ] && result=ok || result=noRecords ;;
  esac
  SERVER=$(sed -n '1s/^Server:[[:space:]]*//p' "$file")
  finish "$1" "{${SERVER:+\"server\":$(quoted "$SERVER" 253),}\"status\":\"$result\",\"records\":[$records],\"output\":[$(output_list "$file")]}"
  rm -f "$file"
}

# logread's lines; facility.priority as syslog names it. With -t each has its time in milliseconds, which with a number within the
# millisecond is its `seq`: a place in the buffer would be that of another line once old ones have been dropped from it. Without, its time
# is that of the time zone that logread is given.
log_lines() { # NUMBER LEAST
  TZ=UTC0 "$ROOT/sbin/logread" -t 2>/dev/null | awk -v max="$1" -v least="$2" '
    BEGIN { split("info notice warning error fatal alert emergency", ranks, " "); for (i in ranks) rank[ranks[i]] = i
      of["debug"] = "info"; of["info"] = "info"; of["notice"] = "notice"; of["warn"] = of["warning"] = "warning"; of["err"] = of["error"] = "error"
      of["crit"] = "fatal"; of["alert"] = "alert"; of["emerg"] = "emergency"
      split("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec", months, " "); for (i in months) month[months[i]] = i }
    { if ($6 ~ /^\[[0-9]+\.[0-9]+\]$/) {
        head = 8; split(substr($6, 2), moment, /[.\]]/); at = moment[1] * 1000 + moment[2]
        same = (at == last ? same + 1 : 0); last = at; seq = at * 1000 + same
      } else {
        head = 7; seq = NR; split($4, clock, ":"); y = $5; m = month[$2]; a = int((14 - m) / 12); yy = y + 4800 - a; mm = m + 12 * a - 3
        days = $3 + int((153 * mm + 2) / 5) + 365 * yy + int(yy / 4) - int(yy / 100) + int(yy / 400) - 32045 - 2440588
        at = (((days * 24 + clock[1]) * 60 + clock[2]) * 60 + clock[3]) * 1000
      }
      split($(head - 1), parts, "."); priority = of[parts[2]]; if (priority == "") priority = "info"
      if (rank[priority] < rank[least]) next
      tag = $head; sub(/(\[[0-9]*\])?:$/, "", tag); text = $0; for (i = 1; i <= head; i++) sub(/^[^ ]+ +/, "", text)
      # Cut first: half of an escape would make the message invalid.
      text = substr(text, 1, 900); gsub(/[\001-\037\177]|\302[\200-\237]/, " ", text); gsub(/[\\"]/, "\\\\&", text); gsub(/[^A-Za-z0-9._\/-]/, "", tag)
      line[n++] = sprintf("{\"seq\":%.0f,\"at\":%.0f,\"priority\":\"%s\",\"tag\":\"%s\",\"text\":\"%s\"}", seq, at, priority, substr(tag, 1, 64), text) }
    END { for (i = (n > max ? n - max : 0); i < n; i++) print line[i] }'
}
# Of the longest lines as many as a message may hold.
LINES_AT_ONCE=30
send_lines() { # FILE
  local count sent=0 part
  count=$(wc -l <"$1")
  while [ $sent -lt "$count" ]; do
    part=$(tail -n +$((sent + 1)) "$1" | head -n $LINES_AT_ONCE | tr '\n' ',')
    tell log "{\"bootId\":$(quoted "$(boot_id)"),\"lines\":[${part%,}]}" || return 1
    sent=$((sent + LINES_AT_ONCE))
  done
}
last_seq() { tail -n 1 "$1" | sed 's/^{"seq":\([0-9]*\),.*/\1/'; } # FILE
run_logs() { # ID FILE
  local last file="$RUN/log.$1"
  pick "$2" LEAST=@.args.least LINES_MAX=@.args.lines FOLLOW=@.args.followS
  log_lines "${LINES_MAX:-200}" "${LEAST:-info}" >"$file"
  send_lines "$file"
  last=$(last_seq "$file")
  finish "$1" "{\"lines\":$(($(wc -l <"$file")))}"
  rm -f "$file"
  # One at a time: a further request replaces the former one.
  end_follower
  case $FOLLOW in
  '' | 0 | *[!0-9]*) ;;
  *)
    (TAG=3; follow_log "$FOLLOW" "${LEAST:-info}" "${last:-0}") &
    echo $! >"$RUN/follower"
    beside follower $!
    ;;
  esac
}
# It may have ended, and its number be that of another process.
end_follower() {
  local pid
  pid=$(number_in "$RUN/follower") && grep -qs iotagent "/proc/$pid/cmdline" && kill "$pid" 2>/dev/null
  rm -f "$RUN/follower"
}
# Sends the lines that come after one, until the time is over.
follow_log() { # SECONDS LEAST SEQ
  local end last="$3" file="$RUN/log.follow"
  end=$(($(uptime_s) + $1))
  while [ "$(uptime_s)" -lt $end ]; do
    sleep 2
    log_lines 200 "$2" | awk -F'[:,]' -v last="$last" '$2 > last + 0' >"$file"
    [ -s "$file" ] || continue
    send_lines "$file" || break
    last=$(last_seq "$file")
  done
  rm -f "$file"
}

run_service() { # ID FILE
  pick "$2" NAME=@.args.name ACTION=@.args.action
  case $NAME in
  '' | *[!a-z0-9_.-]* | iotagent | network | firewall) refuse "$1" "$NAME cannot be controlled from here"; return ;;
  esac
  case $ACTION in start | stop | restart) ;; *) refuse "$1" 'unknown action'; return ;; esac
  [ -x "$ROOT/etc/init.d/$NAME" ] || { refuse "$1" "no service $NAME"; return; }
  within $SERVICE_S "$ROOT/etc/init.d/$NAME" "$ACTION" >"$RUN/out.$1" 2>&1
  [ $? -ne 124 ] || { rm -f "$RUN/out.$1"; refuse "$1" "$ACTION of $NAME did not end within $SERVICE_S s"; facts; return; }
  sleep 1
  ubus call service list >"$RUN/services.$TAG" 2>/dev/null
  finish "$1" "{\"state\":\"$(service_state "$NAME")\"}"
  rm -f "$RUN/out.$1"
  facts
}

run_backup() { # ID FILE
  local archive="$RUN/backup.$1.tar.gz" code=000 try folder="$RUN/backup.$1" one whole=yes
  pick "$2" URL=@.args.url NAME=@.args.username PASSWORD=@.args.password MAX=@.args.maxBytes
  rm -rf "$folder" && mkdir -p "$folder/etc/config"
  # The committed files only: leftovers in /tmp/.uci are not the configuration.
  for one in $(managed); do [ ! -f "$CONFIG/$one" ] || cp "$CONFIG/$one" "$folder/etc/config/$one" || whole=; done
  # The certificates and keys that options name: without them a restored option would name a missing file.
  for one in $(cat "$folder"/etc/config/* 2>/dev/null | grep -o '/etc/\(openvpn\|n2n\|ssl\|agent\)/[A-Za-z0-9._/-]*' | sort -u); do
    case $one in *..*) continue ;; esac
    [ ! -f "$ROOT$one" ] || { mkdir -p "$folder${one%/*}" && cp "$ROOT$one" "$folder$one"; } || whole=
  done
  tar -czf "$archive" -C "$folder" etc || whole=
  rm -rf "$folder"
  # Half of a configuration would be what a restore brings back.
  [ -n "$whole" ] || { rm -f "$archive"; refuse "$1" 'no room for the archive'; return; }
  [ "$(wc -c <"$archive")" -le "${MAX:-4194304}" ] || { rm -f "$archive"; refuse "$1" 'larger than the platform takes'; return; }
  for try in 1 2 3; do
    code=$(printf 'user = "%s:%s"\n' "$NAME" "$PASSWORD" | curl -sS -K - -T "$archive" -H 'Content-Type: application/gzip' --connect-timeout 15 --max-time 120 -o /dev/null -w '%{http_code}' "$URL" 2>/dev/null)
    case $code in 2?? | 4??) break ;; esac
    sleep $((try * 5))
  done
  case $code in
  200 | 201) finish "$1" "{\"sizeBytes\":$(($(wc -c <"$archive"))),\"sha256\":\"$(file_hash "$archive")\"}" ;;
  *) refuse "$1" "HTTP $code" ;;
  esac
  rm -f "$archive"
}

# The commands that restart the router, a line ID BOOT_ID each: there may be several, since a restart may have a delay.
restarts_for() { # ID
  lock restarts
  keep rebooting "$(cat "$STATE/rebooting" 2>/dev/null; echo "$1 $(boot_id)")"
  unlock restarts
}
# `accepted`, PUBACK, then the reboot; `done` follows at the next hello. During a trial a boot would revert the change: that is intended
# for a power cycle, not for a reboot by the agent. Packages of which only some are installed might not start again, so it waits for them, but
# not for ever: a restart also helps where an installation hangs.
INSTALLS_S=240
run_reboot() { # ID FILE
  local left=$INSTALLS_S
  pick "$2" DELAY=@.args.delayS
  restarts_for "$1"
  settled "$1" '"state":"accepted"'
  [ "${DELAY:-0}" -le 0 ] || sleep "$DELAY"
  while busy_item && [ $left -gt 0 ]; do sleep 1; left=$((left - 1)); done
  say 'restarts: told to by the platform'
  "$ROOT/sbin/reboot"
}

# jffs2reset wipes the overlay; it may be gone from later releases, which call it factoryreset. What must stay is kept as sysupgrade does it:
# in an archive that the next boot unpacks.
run_reset() { # ID FILE
  local kept='etc/iotagent etc/config/iotagent' tool="$ROOT/sbin/jffs2reset" restored fault
  [ ! -d "$PENDING" ] || { refuse "$1" 'a configuration is on trial'; return; }
  ! busy_item || { refuse "$1" "$INSTALLING"; return; }
  is_built_in || { refuse "$1" 'the agent was added to this firmware, and a reset would remove it'; return; }
  [ -x "$tool" ] || tool=$ROOT/sbin/factoryreset
  pick "$2" KEEP=@.args.keepNetwork
  [ "${KEEP:-1}" = 0 ] || [ ! -f "$CONFIG/network" ] || kept="$kept etc/config/network"
  restarts_for "$1"
  settled "$1" '"state":"accepted"'
  say 'back to the settings of the factory: told to by the platform'
  restored=$(cat "$STATE/config-item" 2>/dev/null)
  rm -f "$STATE/config-item"
  # shellcheck disable=SC2086
  if tar -czf "$ROOT/tmp/iotagent-keep.tar.gz" -C "$ROOT/" $kept && cp "$ROOT/tmp/iotagent-keep.tar.gz" "$ROOT/sysupgrade.tgz"; then
    flush "$ROOT/sysupgrade.tgz"
    ! "$tool" -y -r -k || return 0
    fault="${tool##*/} failed"
  else
    fault=$NO_ROOM_TO_KEEP
  fi
  # The next boot would unpack it over a configuration that was changed since.
  rm -f "$ROOT/sysupgrade.tgz" "$ROOT/tmp/iotagent-keep.tar.gz"
  sed -i "/^$1 /d" "$STATE/rebooting" || rm -f "$STATE/rebooting"
  [ -z "$restored" ] || keep config-item "$restored"
  refuse "$1" "$fault"
}

# Runs in the background, so that the agent continues to receive messages.
obey() { # ID NAME DEADLINE FILE
  local file
  if known "$1" >/dev/null; then reply "$1"; return; fi
  KEPT=ram
  if [ -n "$3" ] && [ "$(platform_now)" -gt "$3" ]; then refuse "$1" 'came after its deadline'; return; fi
  file=$RUN/command.$1
  cp "$4" "$file"
  case $2 in
  reboot | factoryReset | controlService | applyConfig | confirmConfig | revertConfig) KEPT=flash ;;
  esac
  case $2 in
  ping) (TAG=3; run_ping "$1" "$file"; rm -f "$file") & return ;;
  traceroute) (TAG=3; run_traceroute "$1" "$file"; rm -f "$file") & return ;;
  lookUp) (TAG=3; run_lookup "$1" "$file"; rm -f "$file") & return ;;
  uploadBackup) (TAG=3; run_backup "$1" "$file"; rm -f "$file") & return ;;
  openTunnel) (TAG=3; run_tunnel "$1" "$file"; rm -f "$file") & return ;;
  reboot) (TAG=3; run_reboot "$1" "$file") & return ;;
  fetchLogs) run_logs "$1" "$file" ;;
  controlService) run_service "$1" "$file" ;;
  factoryReset) run_reset "$1" "$file" ;;
  readConfig) run_read "$1" "$file" ;;
  applyConfig) run_apply "$1" "$file" ;;
  confirmConfig) run_confirm "$1" "$file" ;;
  revertConfig) run_revert "$1" "$file" ;;
  *) refuse "$1" 'this device does not know it' ;;
  esac
  rm -f "$file"
}

# After hello: a command that ended the connection is done once there is another boot id.
settle_commands() {
  local file id command boot waiting=
  KEPT=flash
  if [ -e "$STATE/rebooting" ]; then
    while read -r command boot; do
      if [ "$boot" = "$(boot_id)" ]; then waiting="$waiting $command"; else finish "$command"; fi
    done <"$STATE/rebooting"
    [ -n "$waiting" ] || rm -f "$STATE/rebooting"
  fi
  for file in "$STATE"/commands/*; do
    id=${file##*/}
    case " $waiting $(cat "$PENDING/command" 2>/dev/null) " in *" $id "*) continue ;; esac
    # Of one whose last reply had no room on the flash, the last but one is there.
    grep -qs '"state":"accepted"' "$file" && [ ! -e "$RUN/commands/$id" ] || continue
    # The journal of the change is already deleted, but its outcome was not stored: the former configuration is in place.
    outcome "$id" reverted ',"detail":"the agent was interrupted"'
  done
}
