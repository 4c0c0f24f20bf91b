# The connection to the platform: mosquitto_sub listens as {sn}, mosquitto_pub tells as {sn}:{tag}.

SN=$(setting serial)
[ -n "$SN" ] || SN=$(tr -d ':\n' <"$ROOT/sys/class/net/$(setting identity eth0)/address" 2>/dev/null | tr a-f A-F)
UP=v1/$SN/up DOWN=v1/$SN/down
TAG=pub

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
tell_file() { mosquitto_pub -i "$SN:$TAG" -q 1 -t "$UP/$1" -f "$2" 2>/dev/null; }

# mosquitto_sub keeps its output back until a message comes. This one goes to ourselves and is stored by nobody: behind it
# come the lines about connecting, so that also a connection which it renewed by itself is noticed.
beat() { mosquitto_pub -i "$SN:$TAG" -q 0 -t "$UP/agent-beat" -m . 2>/dev/null; }

enrol() {
  local key answer
  key=$(setting key)
  [ -n "$key" ] || { say 'neither a secret nor an enrolment key: set iotagent.main.key'; return 1; }
  write_login "$key"
  # -m: mosquitto_rr sends the bytes of a file (-f) as an empty message.
  mosquitto_rr -i "$SN" -q 1 -W 20 -t "$UP/enrol" -e "$DOWN/enrolled" -m "{\"model\":$(quoted "$(model)" 64)}" >"$RUN/enrolled" 2>/dev/null || return 1
  answer=$(value "$RUN/enrolled" @.secret)
  [ -n "$answer" ] || { say "not enrolled: $(value "$RUN/enrolled" @.refusal)"; return 1; }
  keep secret "$answer"
  rm -f "$RUN/enrolled"
  uci -q delete iotagent.main.key && uci commit iotagent
  say "enrolled as $SN"
}
