# The connection to the platform: mosquitto_sub subscribes as {sn}, mosquitto_pub publishes as {sn}:1 to {sn}:4, each with a user name of its own for
# brokers that require it. Concurrent publishers use different TAGs: 1 the main loop, 2 periodic messages, 3 commands, 4 an installation.

SN=$(setting serial)
[ -n "$SN" ] || SN=$(tr -d ':\n' <"$ROOT/sys/class/net/$(setting identity eth0)/address" 2>/dev/null | tr a-f A-F)
UP=v1/$SN/up DOWN=v1/$SN/down
TAG=1

# Address and credentials are in configuration files of the clients: arguments of a process can be read by other users.
write_login() { # PASSWORD
  local client port
  port=$(setting port 8883)
  for client in mosquitto_sub mosquitto_pub mosquitto_rr; do
    {
      printf -- '-V mqttv311\n-h %s\n-p %s\n-u %s\n-P %s\n' "$(setting host)" "$port" "$SN" "$1"
      [ "$(setting tls 1)" = 0 ] || printf -- '--cafile %s\n' "$(setting ca /etc/ssl/certs/ca-certificates.crt)"
    } >"$RUN/mqtt/$client"
  done
}
export XDG_CONFIG_HOME=$RUN/mqtt

# Returns when the platform has stored the message; the payload is passed as a file, for the same reason.
tell() { # NAME PAYLOAD
  local file="$RUN/tell.$TAG.$1" told=0
  # Commands run beside each other, and a second connection of the same name would end the first one's.
  [ "$TAG" != 3 ] || lock turn
  printf '%s' "$2" >"$file"
  tell_file "$1" "$file" || told=$?
  [ "$TAG" != 3 ] || unlock turn
  return $told
}
tell_file() {
  local publisher told=0
  mosquitto_pub -i "$SN:$TAG" -u "$SN:$TAG" -k 20 -q 1 -t "$UP/$1" -f "$2" 2>/dev/null &
  publisher=$!
  echo $publisher >"$RUN/publisher.$TAG"
  wait $publisher || told=$?
  rm -f "$RUN/publisher.$TAG"
  return $told
}

# mosquitto_sub buffers its output until a message comes. This message goes to ourselves and is not stored: it flushes the
# lines about connecting, so that a silent reconnection is noticed, too.
send_beat() {
  mosquitto_pub -i "$SN:$TAG" -u "$SN:$TAG" -k 20 -q 0 -t "$UP/agent-beat" -m . 2>/dev/null &
  BEAT=$!
  echo $BEAT >"$RUN/publisher.$TAG"
}
beat() { send_beat; wait "$BEAT"; }

# The clients wait for a connection as long as the kernel does, two minutes, also where the network has changed since they asked: an
# address or a route was replaced, and nothing can answer them any more. This ends the one that listens and those that publish.
cut_connection() {
  local file publisher
  end_client "$SUB"
  for file in "$RUN"/publisher.*; do ! publisher=$(number_in "$file") || end_client "$publisher"; done
}
# It may have ended, and its number be that of another process.
end_client() { ! grep -qs ^mosquitto_ "/proc/$1/cmdline" || kill -9 "$1" 2>/dev/null; } # PID
# The own address towards the platform: a connection does not survive its change, and would notice it only by its keepalive.
own_address() {
  local device
  device=$(wan_device)
  # Not both: those of IPv6 come and go beside each other.
  [ -z "$device" ] || address_of "$device" | grep . || address_of "$device" -6
}
# Runs beside the listening. An interface that came up (hotplug creates `poke`) may have replaced what the connection needs.
watch_connection() { # SECONDS to connect
  local left="$1" moment
  BEAT=
  while [ ! -e "$RUN/heard.$SUB" ]; do
    sleep 1
    [ ! -e "$RUN/heard.$SUB" ] || break
    left=$((left - 1))
    [ $left -gt 0 ] && [ ! -e "$RUN/poke" ] || { cut_connection; return; }
    # Until the first line shows whether mosquitto_sub has subscribed.
    [ -n "$BEAT" ] && kill -0 "$BEAT" 2>/dev/null || send_beat
  done
  while sleep 2; do
    if moment=$(number_in "$RUN/prove") && [ "$(uptime_s)" -ge "$moment" ]; then end_client "$SUB"; return; fi
    [ -e "$RUN/poke" ] || continue
    rm -f "$RUN/poke"
    [ "$(own_address)" = "$(cat "$RUN/address" 2>/dev/null)" ] || { cut_connection; return; }
  done
}

# The name of the subscribed connection is in hello and in its will, and is sent before the connection is closed for good: an external broker does not report its end otherwise.
new_connection() { cat /proc/sys/kernel/random/uuid >"$RUN/connection"; }
connection() { cat "$RUN/connection" 2>/dev/null; }
leave() { [ ! -e "$RUN/connected" ] || tell gone "{\"connection\":\"$(connection)\",\"leaving\":true}"; }

# The clients say no more than this about a certificate that they do not accept.
explained() { # LINE
  case $1 in
  *'TLS error'*) echo "$1 Is iotagent.main.ca the certificate of the platform or its CA, iotagent.main.host a name in it, and the time right? Here it is $(date -u '+%Y-%m-%d %H:%M') UTC" ;;
  *) echo "$1" ;;
  esac
}
# The one who installs a router has only its log.
enrol_failed() { # STATUS of mosquitto_rr
  local why
  why=$(tail -n 1 "$RUN/enrol.why" 2>/dev/null)
  # [MQTT-3.2.2.3] What the client itself says about it differs by version, and may be wrong.
  case $1 in 4 | 5) why='the platform refuses the key: it is wrong, used up, expired or revoked' ;; esac
  say "not enrolled: $(explained "${why:-no answer}")"
}
# The secret is created here, and stored before the request: the same request can be repeated if the response is lost.
enrol() {
  local key secret refusal
  key=$(setting key)
  [ -n "$key" ] || { say 'neither a secret nor an enrolment key: set iotagent.main.key'; return 1; }
  write_login "$key"
  # -m: mosquitto_rr sends the bytes of a file (-f) as an empty message.
  [ -s "$STATE/own-secret" ] || keep own-secret "$(tr -dc 'A-Za-z0-9_-' </dev/urandom | head -c 43)"
  secret=$(cat "$STATE/own-secret" 2>/dev/null)
  [ -n "$secret" ] || { say 'no room on the flash for a secret'; return 1; }
  mosquitto_rr -i "$SN" -u "enrol:$(printf '%s' "$key" | cut -c4-11)" -q 1 -W 20 -t "$UP/enrol" -e "$DOWN/enrolled" \
    -m "{\"model\":$(quoted "$(model)" 64),\"key\":\"$key\",\"secret\":\"$secret\"}" >"$RUN/enrolled" 2>"$RUN/enrol.why" || { enrol_failed $?; return 1; }
  refusal=$(value "$RUN/enrolled" @.refusal)
  [ -z "$refusal" ] || { say "not enrolled: $refusal"; return 1; }
  [ "$(value "$RUN/enrolled" @.sn)" = "$SN" ] || return 1
  # By a rename: nobody else has the secret, and the flash may be full by now.
  mv "$STATE/own-secret" "$STATE/secret" && flush "$STATE" || return 1
  rm -f "$RUN/enrolled"
  uci -q delete iotagent.main.key && uci commit iotagent
  say "enrolled as $SN"
}
