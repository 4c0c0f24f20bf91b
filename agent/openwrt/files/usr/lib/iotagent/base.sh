# Shared by agent and guard: paths, flash, JSON, the journal of a trial. BusyBox ash; no bashisms beyond `local`.
# ROOT is empty on a router; in tests it is the root of a simulated file system.
ROOT=${IOTAGENT_ROOT:-}
LIB=$ROOT/usr/lib/iotagent
STATE=$ROOT/etc/iotagent       # on flash: must survive a power cut, and an upgrade (keep.d)
RUN=$ROOT/var/run/iotagent     # in RAM: must not survive a boot
CONFIG=$ROOT/etc/config
PENDING=$STATE/pending         # the journal of a change on trial
PACKAGES=$LIB/packages         # what was installed over this firmware: gone with it at an upgrade or a reset, as the packages are

umask 077
mkdir -p "$STATE/items" "$STATE/commands" "$RUN/commands" "$RUN/mqtt"

say() { logger -t iotagent -p daemon.notice "$*" 2>/dev/null || echo "iotagent: $*" >&2; }
now() { echo "$(date +%s)000"; }
uptime_s() { local up; read -r up _ <"$ROOT/proc/uptime"; echo "${up%%.*}"; }
# Prints the whole number in a file; fails if there is none, also where the file was written while RAM was full.
number_in() { local number; number=$(cat "$1" 2>/dev/null); case $number in '' | *[!0-9]*) return 1 ;; esac; echo "$number"; }
# Milliseconds since 1970 by the platform's clock, for its deadlines: its time at the last welcome, and the uptime since then. The clock of a
# router may be wrong, and may be set meanwhile. Without a welcome since the boot, the clock of the router.
platform_now() {
  local at= then=
  read -r at then 2>/dev/null <"$RUN/welcome"
  case $at$then in '' | *[!0-9]*) now ;; *) echo $((at + ($(uptime_s) - then) * 1000)) ;; esac
}
# A router whose clock has no battery begins at the newest file of /etc (sysfixtime). Where no time server answers, a certificate that was renewed
# since then would not be valid yet, and the router would stay away for good: one file is at most a day older than the last welcome.
keep_clock() { # MILLISECONDS since 1970, by the platform
  local at last
  case $1 in '' | *[!0-9]*) return ;; esac
  at=$(($1 / 1000))
  # By a clock that is wrong itself the file would only mislead.
  [ $((at - $(date +%s))) -lt 3600 ] && [ $((at - $(date +%s))) -gt -3600 ] || return 0
  last=$(number_in "$STATE/clock") && [ $((at - last)) -lt 86400 ] && [ "$at" -ge "$last" ] || keep clock "$at" || true
}
boot_id() { cat "$ROOT/proc/sys/kernel/random/boot_id"; }
# A random whole number from 0 to MAX: the devices of a fleet must not act simultaneously.
random() { echo $(($(hexdump -n 2 -e '/2 "%u"' /dev/urandom) % ($1 + 1))); }
setting() { uci -q get "iotagent.main.$1" || echo "${2:-}"; }

# Files are emptied by `true`, not by `:`, at whose failure to open one the shell ends.
# Syncs files to flash; they are stored durably when this returns.
flush() { if command -v fsync >/dev/null; then fsync "$@" 2>/dev/null; else sync; fi; }
# Whether it is there: the flash may be full.
keep() { # NAME TEXT
  printf '%s\n' "$2" >"$STATE/$1.new" || { rm -f "$STATE/$1.new"; return 1; }
  flush "$STATE/$1.new"
  mv "$STATE/$1.new" "$STATE/$1" || { rm -f "$STATE/$1.new"; return 1; }
  flush "$STATE/${1%/*}" || true
}
# Puts a file in the place of another, by a rename, so that no reader sees a partial file. Where there is no room for a copy the source
# itself is moved, which needs none.
replace() { # SOURCE TARGET [-p]
  # shellcheck disable=SC2086
  if cp ${3:-} "$1" "$2.iotagent"; then
    flush "$2.iotagent"
    mv "$2.iotagent" "$2"
  else
    rm -f "$2.iotagent"
    mv "$1" "$2"
  fi
}

# Puts what a function prints in the place of a file, in the same way. Without room for all of it the file stays as it is: half of the SSH keys
# would lock people out. Unlike `sed`, `cat` tells.
whole() { # FILE FUNCTION
  if "$2" | cat >"$1.iotagent"; then
    flush "$1.iotagent"
    mv "$1.iotagent" "$1"
  else
    rm -f "$1.iotagent"
    return 1
  fi
}

# Sets PROCESS to the number of a process and the moment of its start, since the number alone may be another's once it has ended.
process() { # PID|self
  local id start
  read -r id _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ start _ 2>/dev/null <"/proc/$1/stat" && PROCESS=$id.$start
}
# Without a name, the lock of the journal between agent and guard: a link that names its owner. That of a dead process is taken away, by one
# process at a time and only if it is still its own: most have released it before they ended, and it may be another's by now.
lock() { # [NAME]
  local me owner held="$RUN/${1:-journal}.lock"
  # Not $$, which in the background is the number of the process that began it, and outlives it.
  process self
  me=$PROCESS
  until ln -sn "$me" "$held" 2>/dev/null; do
    owner=$(readlink "$held")
    if [ -n "$owner" ] && ! { process "${owner%%.*}" && [ "$PROCESS" = "$owner" ]; }; then
      (flock 9; [ "$(readlink "$held")" != "$owner" ] || rm -f "$held") 9>"$held.ended"
    else
      sleep 1
    fi
  done
}
unlock() { rm -f "$RUN/${1:-journal}.lock"; }

# Processes of the agent that go on without it where it was killed, as for want of memory: $RUN/beside.NAME holds the id of each.
beside() { echo "$2" >"$RUN/beside.$1"; } # NAME PID
end_tree() { # PID
  local file
  for file in $(grep -l "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status 2>/dev/null); do file=${file#/proc/}; end_tree "${file%/status}"; done
  kill -9 "$1" 2>/dev/null
}
# Runs a command, and ends it when the time is over: a service that never comes to an end would hold up the agent, or the guard, for good. Then
# it returns 124. OpenWrt's BusyBox has no `timeout`.
within() { # SECONDS COMMAND…
  local left="$1" pid
  shift
  "$@" &
  pid=$!
  while kill -0 $pid 2>/dev/null; do
    [ "$left" -gt 0 ] || { end_tree $pid; return 124; }
    sleep 1
    left=$((left - 1))
  done
  wait $pid
}
# Before the next agent begins: two of them would report everything twice, and write to the same download. Only an installation goes on.
end_leftovers() {
  local file pid
  for file in "$RUN"/beside.*; do
    # It may have ended, and its number be that of another process.
    if pid=$(number_in "$file") && grep -qs "$ROOT/usr/sbin/iotagent" "/proc/$pid/cmdline"; then
      if [ "${file##*.}" = work ] && [ -e "$RUN/installer" ]; then kill -9 "$pid"; else end_tree "$pid"; fi
    fi
    rm -f "$file"
  done
  # What a power cut left of a file that was to be kept: it would pass for a command of its own, or for an installation under way.
  rm -f "$STATE"/commands/*.new "$STATE"/items/*.new
}

# --- JSON ---------------------------------------------------------------------------------------------------------
# For sed: the last character of a text, if it is of several bytes. The bytes themselves, since sed knows no numbers of them.
LAST_WIDE=$(printf 's/[\300-\377][\200-\277]*$//')
# For sed: control characters of two bytes, U+0080 to U+009F.
WIDE_CONTROL=$(printf 's/\302[\200-\237]/ /g')
# An untrusted text as a JSON string: one line, no control characters, at most MAX bytes, cut between characters.
quoted() { # TEXT [MAX]
  local text="$1"
  [ -z "${2:-}" ] || [ "${#text}" -le "$2" ] || text=$(printf '%s' "$text" | tr '\n' ' ' | LC_ALL=C cut -c"1-$2" | LC_ALL=C sed "$LAST_WIDE")
  case $text in
  *[\\\"]* | *[!\ -~]*) printf '"%s"' "$(printf '%s' "$text" | tr '\001-\037\177' ' ' | LC_ALL=C sed -e "$WIDE_CONTROL" -e 's/[\\"]/\\&/g')" ;;
  *) printf '"%s"' "$text" ;;
  esac
}
# For sed: the other control characters. No JSON has them as they are: a configuration with one of them would never be read.
rare_escapes() { awk 'BEGIN { for (i = 1; i < 32; i++) if (i < 9 || i > 10 && i != 13) printf "s/%c/\\\\u%04x/g\n", i, i }'; }
# A text file as a JSON string, with its line ends and tabs.
quoted_file() {
  local rare=
  [ "$(tr -dc '\001-\010\013\014\016-\037' <"$1" | wc -c)" -eq 0 ] || rare=$(rare_escapes)
  printf '"'
  sed -e 's/[\\"]/\\&/g' -e 's/\t/\\t/g' -e 's/\r/\\r/g' -e "$rare" -e 's/$/\\n/' "$1" | tr -d '\n'
  printf '"'
}
# pick FILE VAR=EXPRESSION…: values of a JSON file as variables; what is not there is empty. By file, since the
# arguments of a process can be read by others, and messages carry passwords.
pick() {
  local file="$1" one left
  shift
  left=$#
  while [ "$left" -gt 0 ]; do
    one="$1" left=$((left - 1))
    shift
    eval "${one%%=*}="
    set -- "$@" -e "$one"
  done
  if takes_several; then
    eval "$(jsonfilter -i "$file" "$@" 2>/dev/null)"
  else
    while [ $# -gt 0 ]; do
      eval "$(jsonfilter -i "$file" -e "$2" 2>/dev/null)"
      shift 2
    done
  fi
}
# jsonfilter of March 2026, as in OpenWrt 25.12.0, reads only the last of several expressions. Tried once per process, since reading them
# one by one takes far longer.
SEVERAL=
takes_several() {
  [ -n "$SEVERAL" ] || SEVERAL="$(jsonfilter -s '{"a":1,"b":2}' -e A=@.a -e B=@.b 2>/dev/null) "
  case $SEVERAL in *A=*B=*) ;; *) return 1 ;; esac
}
value() { jsonfilter -i "$1" -e "$2" 2>/dev/null; }
# A text of a JSON file, byte for byte: jsonfilter appends a line break. Fails if the target has no room: unlike `head`, `cat` tells.
text_to() { # FILE EXPRESSION TARGET
  jsonfilter -i "$1" -e "$2" >"$RUN/line" 2>/dev/null
  head -c $(($(wc -c <"$RUN/line") - 1)) "$RUN/line" | cat >"$3"
}

# --- configuration ------------------------------------------------------------------------------------------------
managed() { setting package; }
is_managed() { case " $(managed) " in *" $1 "*) ;; *) return 1 ;; esac; }

# By absolute path: uncommitted changes in /tmp/.uci and /var/run/uci are ignored. Empty if the package does not exist.
package_hash() {
  [ ! -f "$CONFIG/$1" ] || uci -q export "$CONFIG/$1" | sha256sum | cut -c1-64
}
file_hash() { [ ! -f "$1" ] || sha256sum <"$1" | cut -c1-64; }
package_hashes() {
  local one
  for one in $(managed); do
    [ ! -f "$CONFIG/$one" ] || printf '%s %s\n' "$one" "$(package_hash "$one")"
  done | LC_ALL=C sort
}
hash_of_lines() { if [ -n "$1" ]; then printf '%s\n' "$1"; fi | sha256sum | cut -c1-64; }
config_hash() { package_hashes | sha256sum | cut -c1-64; }

SERVICE_S=45
# Not reload_config: it compares with the state of its last run, and does nothing the first time.
tell_services() { # PACKAGE…
  local one
  for one; do
    ubus call service event "{\"type\":\"config.change\",\"data\":{\"package\":\"$one\"}}" >/dev/null 2>&1
    # Those without a trigger of procd must be restarted.
    case $one in
    openvpn | ser2net | mwan3)
      [ ! -x "$ROOT/etc/init.d/$one" ] || grep -q procd_add_reload_trigger "$ROOT/etc/init.d/$one" || within $SERVICE_S "$ROOT/etc/init.d/$one" restart >/dev/null 2>&1 || true
      ;;
    esac
  done
}
