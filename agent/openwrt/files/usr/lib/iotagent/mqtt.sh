# The connection to the platform: mosquitto_sub listens as {sn}, mosquitto_pub tells as {sn}:1 to {sn}:4, each with a user name of its own for
# brokers that need it. Who tells at the same time has another TAG: 1 the main loop, 2 what is regular, 3 commands, 4 an installation.

SN=$(setting serial)
[ -n "$SN" ] || SN=$(tr -d ':\n' <"$ROOT/sys/class/net/$(setting identity eth0)/address" 2>/dev/null | tr a-f A-F)
UP=v1/$SN/up DOWN=v1/$SN/down
TAG=1

# Where and as whom, in files that the clients read by themselves: arguments of a process can be read by others.
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

# Returns when the platform has stored the message; the payload by file, for the same reason.
tell() { # NAME PAYLOAD
  local file
  file=$RUN/tell.$TAG.$1
  printf '%s' "$2" >"$file"
  tell_file "$1" "$file"
}
tell_file() { mosquitto_pub -i "$SN:$TAG" -u "$SN:$TAG" -q 1 -t "$UP/$1" -f "$2" 2>/dev/null; }

# mosquitto_sub keeps its output back until a message comes. This one goes to ourselves and is stored by nobody: behind it
# come the lines about connecting, so that also a connection which it renewed by itself is noticed.
beat() { mosquitto_pub -i "$SN:$TAG" -u "$SN:$TAG" -q 0 -t "$UP/agent-beat" -m . 2>/dev/null; }

# The name of the listening connection is in hello and in its will, and told before it is closed for good: an external broker says no other way that it has ended.
new_connection() { cat /proc/sys/kernel/random/uuid >"$RUN/connection"; }
connection() { cat "$RUN/connection" 2>/dev/null; }
leave() { [ ! -e "$RUN/connected" ] || tell gone "{\"connection\":\"$(connection)\",\"leaving\":true}"; }

# The secret is made here, and kept before it is asked for: the same request may be repeated if the answer is lost.
enrol() {
  local key secret refusal
  key=$(setting key)
  [ -n "$key" ] || { say 'neither a secret nor an enrolment key: set iotagent.main.key'; return 1; }
  write_login "$key"
  # -m: mosquitto_rr sends the bytes of a file (-f) as an empty message.
  [ -s "$STATE/own-secret" ] || keep own-secret "$(tr -dc 'A-Za-z0-9_-' </dev/urandom | head -c 43)"
  secret=$(cat "$STATE/own-secret")
  mosquitto_rr -i "$SN" -u "enrol:$(printf '%s' "$key" | cut -c4-11)" -q 1 -W 20 -t "$UP/enrol" -e "$DOWN/enrolled" \
    -m "{\"model\":$(quoted "$(model)" 64),\"key\":\"$key\",\"secret\":\"$secret\"}" >"$RUN/enrolled" 2>/dev/null || return 1
  refusal=$(value "$RUN/enrolled" @.refusal)
  [ -z "$refusal" ] || { say "not enrolled: $refusal"; return 1; }
  [ "$(value "$RUN/enrolled" @.sn)" = "$SN" ] || return 1
  keep secret "$secret"
  rm -f "$RUN/enrolled" "$STATE/own-secret"
  uci -q delete iotagent.main.key && uci commit iotagent
  say "enrolled as $SN"
}
