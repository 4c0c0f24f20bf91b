#!/bin/sh
# A complete example device for docs/protocol.md, built from mosquitto_sub, mosquitto_pub, mosquitto_rr, curl, sha256sum and md5sum.
#
#   HOST=cloud.example KEY=ek_… sh device.sh SN-0001
#
# It enrols, sends hello, reports status and the hosts on its LAN, runs `reboot` and `uploadBackup`, and carries out
# upgrades; "flashing" is writing a version number into a file. Everything that must survive a power cut is under STATE.
# To simulate a reboot stop it with Ctrl-C and start it again.
set -eu

SN=${1:?usage: [HOST=…] [PORT=…] [KEY=…] [MODEL=…] [STATE=…] device.sh SERIAL}
HOST=${HOST:-localhost}
PORT=${PORT:-1883}
MODEL=${MODEL:-R200}
STATE=${STATE:-./device-$SN}
BOOT_S=${BOOT_S:-3} # how long a boot takes
UP=v1/$SN/up DOWN=v1/$SN/down

mkdir -p "$STATE/items" "$STATE/commands"
[ -s "$STATE/firmware" ] || echo 1.0.0 >"$STATE/firmware"
say() { echo "$(date +%T) $SN $*" >&2; }
now() { echo "$(date +%s)000"; }
uptime_s() { sed 's/\..*//' /proc/uptime; }
# Deadlines are by the platform's clock: what `welcome` said, and the time since. Our own may be wrong by years.
platform_now() { if [ -s "$STATE/clock" ]; then echo "$(($(cat "$STATE/clock") + $(uptime_s)))000"; else now; fi; }
set_clock() { # MS
  echo "$(($1 / 1000 - $(uptime_s)))" >"$STATE/clock.new"
  mv "$STATE/clock.new" "$STATE/clock"
}

# --- JSON without a parser: our messages are flat. Texts stay as they are in JSON (`\"` for a quote), so that they can be sent again ---
text() { printf '%s' "$1" | sed -nE 's/.*"'"$2"'":"(([^"\\]|\\.)*)".*/\1/p'; }
number() { printf '%s' "$1" | sed -n "s/.*\"$2\":\(-\{0,1\}[0-9][0-9]*\).*/\1/p"; }

# --- flash memory: atomic write, on disk when this returns ---------------------------------
keep() {
  printf '%s\n' "$2" >"$STATE/$1.new"
  # The file and its folder only: a sync of the whole file system may take a minute on a busy machine.
  sync "$STATE/$1.new" 2>/dev/null || sync
  mv "$STATE/$1.new" "$STATE/$1"
  sync "$(dirname "$STATE/$1")" 2>/dev/null || sync
}

# --- messages ----------------------------------------------------------------------------------------------------
# An auxiliary connection beside the listening one, {sn}:1 to {sn}:4, each with a user name of its own for brokers that need it. Returns when the
# platform has stored the message.
TAG=1
tell() {
  mosquitto_pub -V mqttv311 -h "$HOST" -p "$PORT" -i "$SN:$TAG" -u "$SN:$TAG" -P "$SECRET" -q 1 -t "$UP/$1" -m "$2"
}

# The secret is made here, and kept before it is asked for: the same request may be repeated if the answer is lost.
enrol() {
  say "enrols"
  [ -s "$STATE/own-secret" ] || keep own-secret "$(tr -dc 'A-Za-z0-9_-' </dev/urandom | head -c 43)"
  secret=$(cat "$STATE/own-secret")
  user=enrol:$(printf '%s' "${KEY:?no secret yet: set KEY}" | cut -c4-11)
  answer=$(mosquitto_rr -V mqttv311 -h "$HOST" -p "$PORT" -i "$SN" -u "$user" -P "$KEY" -q 1 -W 20 \
    -t "$UP/enrol" -e "$DOWN/enrolled" -m "{\"model\":\"$MODEL\",\"key\":\"$KEY\",\"secret\":\"$secret\"}") || return 1
  refusal=$(text "$answer" refusal)
  [ -z "$refusal" ] || { say "refused: $refusal"; return 1; }
  [ "$(text "$answer" sn)" = "$SN" ] || return 1
  keep secret "$secret"
}

# The name of the listening connection: in hello, in its will, and told before it is closed on purpose. By file, since what runs in the background
# outlives a connection.
leave() { tell gone "{\"connection\":\"$(cat "$STATE/connection")\",\"leaving\":true}" || true; }

hello() {
  packages=$(awk -F'\t' '{ printf "%s\"%s\":\"%s\"", (NR > 1 ? "," : ""), $1, $2 }' "$STATE/packages" 2>/dev/null) || packages=
  tell hello "{\"v\":1,\"at\":$(now),\"bootId\":\"$BOOT_ID\",\"model\":\"$MODEL\",\"firmware\":\"$(cat "$STATE/firmware")\",\"kernel\":\"$(uname -r)\",\"connection\":\"$(cat "$STATE/connection")\",\"packages\":{$packages},\"features\":[\"reboot\",\"uploadBackup\"]}"
}

status() {
  up=$(uptime_s)
  load=$(cut -d' ' -f1 /proc/loadavg)
  memory=$(awk '/^MemTotal/ {t=$2} /^MemAvailable/ {a=$2} END {printf "\"memoryTotalBytes\":%.0f,\"memoryUsedBytes\":%.0f", t*1024, (t-a)*1024}' /proc/meminfo)
  bytes=$(awk -F'[: ]+' 'NR>2 {rx+=$3; tx+=$11} END {printf "\"rxBytes\":%.0f,\"txBytes\":%.0f", rx, tx}' /proc/net/dev)
  tell status "{\"at\":$(now),\"uptimeS\":$up,\"load1\":$load,$memory,$bytes}"
}

# The section `hosts`: the neighbours that the kernel knows; an empty list means that there are none.
facts() {
  hosts=$(awk 'NR>1 && $4 ~ /^[0-9a-f:]+$/ && $4 != "00:00:00:00:00:00" && !seen[$4]++ && n++ < 200 {printf "%s{\"mac\":\"%s\",\"ip\":\"%s\",\"via\":\"lan\"}", (n>1 ? "," : ""), $4, $1}' /proc/net/arp 2>/dev/null)
  tell facts "{\"at\":$(now),\"hosts\":[$hosts]}"
}

# --- task items: items/ID.offer is the offer, items/ID the step, items/ID.told: the end is acknowledged --------
report() { # ITEM STEP [more JSON]
  tell progress "{\"item\":\"$1\",\"at\":$(now),\"step\":\"$2\"${3:-}}" && say "item $1: $2 ${3:-}"
}

present() { # ITEM: what is known of it
  [ -e "$STATE/items/$1" ] || { report "$1" unknown; return; }
  read -r step failure <"$STATE/items/$1"
  case $step in
  failed) report "$1" failed ",\"failure\":\"$failure\"" ;;
  cancelled) report "$1" failed ',"failure":"unknownError","detail":"cancelled"' ;;
  *) report "$1" "$step" ;;
  esac
  case $step in done | failed | cancelled) touch "$STATE/items/$1.told" ;; esac
}

fail() { # ITEM FAILURE
  keep "items/$1" "failed $2"
  present "$1"
}

bytes() { wc -c 2>/dev/null <"$STATE/part" || echo 0; }

fetch() { # ITEM: downloads into $STATE/part; prints the failure, nothing when all is well
  url=$(text "$offer" url) user=$(text "$offer" username) password=$(text "$offer" password)
  size=$(number "$offer" sizeBytes) expires=$(number "$offer" expiresAt)
  rm -f "$STATE/part" "$STATE/headers" "$STATE/code"
  tries=0 wait=2 at=accepted told=-5 etag=none
  while :; do
    before=$(bytes) exit=0
    rm -f "$STATE/exit"
    (
      printf 'user = "%s:%s"\n' "$user" "$password" | # not in the process list
        curl -fsS -K - --connect-timeout 15 --speed-limit 1 --speed-time 30 -C - -H "If-Range: $etag" \
          -D "$STATE/headers" -o "$STATE/part" -w '%{http_code}' "$url" >"$STATE/code" 2>/dev/null || exit=$?
      echo $exit >"$STATE/exit"
    ) &
    running=yes
    while [ -n "$running" ]; do
      # Looks once more after the end: on a busy machine curl may be done before the first look.
      if [ -s "$STATE/exit" ]; then running=; else sleep 1; fi
      if [ $at = accepted ] && [ -s "$STATE/headers" ]; then
        at=connected
        report "$1" connected >&2
      fi
      have=$(bytes)
      percent=$((have * 100 / size))
      if [ "$have" -gt 0 ] && [ "$percent" -ge $((told + 5)) ] && [ "$percent" -le 100 ]; then
        told=$percent at=downloading
        keep "items/$1" downloading
        report "$1" downloading ",\"percent\":$percent" >&2
      fi
      [ "$(cat "$STATE/items/$1")" = cancelled ] && { echo cancelled; return; }
    done
    exit=$(cat "$STATE/exit") code=$(cat "$STATE/code")
    etag=$(sed -n 's/^[Ee][Tt]ag: *\("[^"]*"\).*/\1/p' "$STATE/headers" 2>/dev/null | tail -1)
    case $exit:$code in
    0:200 | 0:206) return ;;
    *:401 | *:403) echo wrongCredentials && return ;;
    *:404) echo fileNotFound && return ;;
    *:416) # nothing comes after what is here: either that is all of it, or it is of no use
      [ "$(bytes)" -ne "$size" ] || return
      rm -f "$STATE/part" && failure=unknownError
      ;;
    *:429) failure=remoteConnectFailed ;;
    *:4??) echo unknownError && return ;;
    6:*) failure=domainError ;;
    28:000) failure=connectTimeout ;;
    33:*) rm -f "$STATE/part" && failure=downloadTimeout ;; # no resuming here: begin anew
    *) failure=remoteConnectFailed ;;
    esac
    [ $at != downloading ] || failure=downloadTimeout
    [ "$(bytes)" -le "$before" ] || { tries=0 wait=2; }
    # Retries an unreachable file server until the link expires; reports the reason from the second attempt on.
    [ "$(platform_now)" -lt "$expires" ] || { echo "$failure"; return; }
    tries=$((tries + 1))
    [ $tries -lt 2 ] || report "$1" $at ",\"failure\":\"$failure\"" >&2 || true
    sleep $((wait / 2 + $(od -An -N2 -tu2 /dev/urandom) % (wait / 2 + 1)))
    wait=$((wait * 2))
    [ $wait -le 30 ] || wait=30
    [ "$(cat "$STATE/items/$1")" = cancelled ] && { echo cancelled; return; }
  done
}

install() { # ITEM, in the background
  TAG=3
  offer=$(cat "$STATE/items/$1.offer")
  version=$(text "$offer" version) type=$(text "$offer" type) name=$(text "$offer" name)
  [ "$(text "$offer" model)" = "$MODEL" ] || { fail "$1" packageVerifyFailed; return; }
  failure=$(fetch "$1")
  [ "$failure" = cancelled ] && return
  [ -z "$failure" ] || { fail "$1" "$failure"; return; }
  keep "items/$1" downloaded
  report "$1" downloaded
  # Size, hashes, then our own check.
  [ "$(wc -c <"$STATE/part")" -eq "$(number "$offer" sizeBytes)" ] &&
    [ "$(sha256sum <"$STATE/part" | cut -c1-64)" = "$(text "$offer" sha256)" ] &&
    [ "$(md5sum <"$STATE/part" | cut -c1-32)" = "$(text "$offer" md5)" ] || { fail "$1" md5Failed; return; }
  tar -tzf "$STATE/part" >/dev/null 2>&1 || { fail "$1" packageVerifyFailed; return; }
  # From here on the installation is never started again.
  keep "items/$1" upgrading
  report "$1" upgrading
  if [ "$type" = upgrade ]; then
    keep firmware "$version"
    touch "$STATE/rebooting"
    leave
    kill "$SUB" 2>/dev/null || true # down: the boot tells how it ended
  else
    keep packages "$(NAME="$name" awk -F'\t' '$1 "" != ENVIRON["NAME"] ""' "$STATE/packages" 2>/dev/null || true; printf '%s\t%s' "$name" "$version")"
    keep "items/$1" "done"
    hello
    present "$1"
  fi
}

# State left by a power cut or reboot, reported after hello; one unfinished item is started.
settle() {
  for file in "$STATE"/items/*.offer "$STATE"/commands/*; do
    [ -e "$file" ] || continue
    id=$(basename "$file" .offer)
    case $file in
    */commands/*)
      if grep -q accepted "$file"; then
        keep "commands/$id" '"state":"done","result":{}'
        reply "$id"
      fi
      ;;
    *)
      if grep -q upgrading "$STATE/items/$id"; then
        offer=$(cat "$file")
        if [ "$(text "$offer" version)" = "$(cat "$STATE/firmware")" ]; then keep "items/$id" "done"; else keep "items/$id" "failed upgradeFailed"; fi
      fi
      [ -e "$STATE/items/$id.told" ] || present "$id"
      ;;
    esac
  done
  begin
}

begin() {
  [ -z "${WORK:-}" ] || ! kill -0 "$WORK" 2>/dev/null || return 0
  for file in "$STATE"/items/*.offer; do
    [ -e "$file" ] || continue
    id=$(basename "$file" .offer)
    if grep -Eq 'accepted|downloading|downloaded' "$STATE/items/$id"; then
      install "$id" &
      WORK=$!
      return
    fi
  done
}

# --- commands ----------------------------------------------------------------------------------------------------
reply() { tell reply "{\"id\":\"$1\",\"at\":$(now),$(cat "$STATE/commands/$1")}" && say "command $1: $(cat "$STATE/commands/$1")"; }

upload() { # ID PAYLOAD: packs what it was set to and sends it where the command says
  (cd "$STATE" && tar -czf backup.tar.gz firmware $([ ! -e packages ] || echo packages))
  code=$(printf 'user = "%s:%s"\n' "$(text "$2" username)" "$(text "$2" password)" |
    curl -sS -K - -T "$STATE/backup.tar.gz" -H 'Content-Type: application/gzip' --retry 3 -o /dev/null -w '%{http_code}' "$(text "$2" url)") || true
  case $code in
  200 | 201) keep "commands/$1" "\"state\":\"done\",\"result\":{\"sizeBytes\":$(($(wc -c <"$STATE/backup.tar.gz"))),\"sha256\":\"$(sha256sum <"$STATE/backup.tar.gz" | cut -c1-64)\"}" ;;
  *) keep "commands/$1" "\"state\":\"failed\",\"error\":\"HTTP $code\"" ;;
  esac
}

obey() { # ID NAME DEADLINE PAYLOAD
  [ ! -e "$STATE/commands/$1" ] || { reply "$1"; return; }
  if [ "$3" -lt "$(platform_now)" ]; then
    keep "commands/$1" '"state":"failed","error":"came after its deadline"'
  elif [ "$2" = reboot ]; then
    keep "commands/$1" '"state":"accepted"'
    touch "$STATE/rebooting"
  elif [ "$2" = uploadBackup ]; then
    upload "$1" "$4"
  else
    keep "commands/$1" "\"state\":\"failed\",\"error\":\"this device does not know it\""
  fi
  reply "$1"
}

# Sends status immediately and then periodically, without waiting for `welcome`, which may change the interval.
EVERY=60
keep_telling() {
  [ -z "${STATUS:-}" ] || kill "$STATUS" 2>/dev/null || true
  (TAG=2 && while status; do sleep "$EVERY"; done) &
  STATUS=$!
}

# --- listening ---------------------------------------------------------------------------------------------------
hear() { # NAME PAYLOAD
  id=$(text "$2" item)
  case $1 in
  welcome)
    set_clock "$(number "$2" at)"
    every=$(number "$2" statusEveryS)
    [ "$every" = "$EVERY" ] || { EVERY=$every && keep_telling; }
    ;;
  offer)
    if [ ! -e "$STATE/items/$id" ]; then
      keep "items/$id.offer" "$2"
      keep "items/$id" accepted
    fi
    present "$id"
    begin
    ;;
  query) present "$id" ;;
  cancel) grep -Eqs 'upgrading|done|failed' "$STATE/items/$id" || keep "items/$id" cancelled ;;
  command) obey "$(text "$2" id)" "$(text "$2" name)" "$(number "$2" deadlineAt)" "$2" ;;
  inquire)
    id=$(text "$2" id)
    if [ -e "$STATE/commands/$id" ]; then reply "$id"; else tell reply "{\"id\":\"$id\",\"at\":$(now),\"state\":\"unknown\"}"; fi
    ;;
  esac
}

stop() {
  trap - INT TERM EXIT
  [ -z "${SUB:-}" ] || ! kill -0 "$SUB" 2>/dev/null || leave
  for pid in ${SUB:-} ${STATUS:-} ${WORK:-}; do kill "$pid" 2>/dev/null || true; done
  rm -f "$STATE/in"
  exit 0
}
trap stop INT TERM EXIT

pause=1
boot=yes
rm -f "$STATE/rebooting" "$STATE/clock"
while :; do
  if [ -n "$boot" ]; then
    BOOT_ID=$(cat /proc/sys/kernel/random/uuid)
    say "boots, firmware $(cat "$STATE/firmware")"
    boot=
  fi
  [ -s "$STATE/secret" ] || enrol || { sleep $pause; [ $pause -ge 60 ] || pause=$((pause * 2)); continue; }
  SECRET=$(cat "$STATE/secret")
  rm -f "$STATE/in"
  mkfifo "$STATE/in"
  # -d prints protocol steps between the messages: "Subscribed" is SUBACK, also after it reconnects by itself.
  connection=$(cat /proc/sys/kernel/random/uuid)
  echo "$connection" >"$STATE/connection"
  stdbuf -oL mosquitto_sub -d -V mqttv311 -h "$HOST" -p "$PORT" -i "$SN" -u "$SN" -P "$SECRET" -k 60 -q 1 -t "$DOWN/#" -F 'MSG %t %p' \
    --will-topic "$UP/gone" --will-payload "{\"connection\":\"$connection\"}" --will-qos 1 >"$STATE/in" 2>&1 &
  SUB=$!
  subscribed=
  while read -r line; do
    case $line in
    "Subscribed (mid"*)
      # It connected again by itself, with a name whose end the platform knows: a new connection needs a new one.
      [ -z "$subscribed" ] || break
      subscribed=yes
      pause=1 && hello && keep_telling && facts && settle
      ;;
    "MSG $DOWN/"*)
      line=${line#"MSG $DOWN/"}
      hear "${line%% *}" "${line#* }"
      ;;
    esac
    [ ! -e "$STATE/rebooting" ] || break
  done <"$STATE/in"
  [ ! -e "$STATE/rebooting" ] || ! kill -0 "$SUB" 2>/dev/null || leave
  kill "$SUB" 2>/dev/null || true
  [ -z "${STATUS:-}" ] || kill "$STATUS" 2>/dev/null || true
  if [ -e "$STATE/rebooting" ]; then
    say "goes down"
    wait "${WORK:-$SUB}" 2>/dev/null || true
    WORK=
    sleep "$BOOT_S"
    rm -f "$STATE/rebooting"
    boot=yes
  else
    say "is not connected, waits $pause s"
    sleep $pause
    [ $pause -ge 60 ] || pause=$((pause * 2))
  fi
done
