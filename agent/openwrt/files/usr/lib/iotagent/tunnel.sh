# Remote operation: a reverse SSH tunnel, opened by the router's own client (Dropbear's, or OpenSSH's where there is none).

# Both detect a dead connection within 30 s, as the platform does: three keepalives of 8 s without a response.
# A folder of its own contains the server's key, the only one that is accepted; the password is only in the
# client's environment.
dig_dropbear() { # FOLDER
  HOME=$1 DROPBEAR_PASSWORD=$PASSWORD exec dbclient -N -T -K 8 -p "$SSH_PORT" \
    -R "127.0.0.1:$LISTEN:$TARGET:$TARGET_PORT" "$NAME@$SSH_HOST"
}
# On a processor with AES instructions AES-GCM is faster than ChaCha20, the client's first choice, and the platform decrypts it faster, too.
ciphers() {
  grep -qiw aes "${CPUINFO:-/proc/cpuinfo}" && ssh -Q cipher | grep -Fxq aes128-gcm@openssh.com || return 0
  echo -o Ciphers=aes128-gcm@openssh.com,chacha20-poly1305@openssh.com,aes128-ctr
}
dig_openssh() { # FOLDER
  printf '#!/bin/sh\nprintf "%%s\\n" "$TUNNEL_PASSWORD"\n' >"$1/askpass"
  chmod 700 "$1/askpass"
  TUNNEL_PASSWORD=$PASSWORD SSH_ASKPASS=$1/askpass SSH_ASKPASS_REQUIRE=force exec ssh -F none $(ciphers) -N -T -p "$SSH_PORT" \
    -o StrictHostKeyChecking=yes -o "UserKnownHostsFile=$1/.ssh/known_hosts" -o GlobalKnownHostsFile=/dev/null \
    -o ExitOnForwardFailure=yes -o PreferredAuthentications=password -o NumberOfPasswordPrompts=1 \
    -o ServerAliveInterval=8 -o ServerAliveCountMax=2 \
    -R "127.0.0.1:$LISTEN:$TARGET:$TARGET_PORT" "$NAME@$SSH_HOST"
}

# Neither client reports that the forwarding was accepted: if it still runs after three seconds, it was not refused, and
# the platform checks the tunnel itself. It is not reopened here: the platform sends a new command for that.
run_tunnel() { # ID FILE
  local folder="$RUN/tunnel.$1" client pid second
  pick "$2" SSH_HOST=@.args.host SSH_PORT=@.args.port NAME=@.args.username PASSWORD=@.args.password \
    HOST_KEY=@.args.hostKey LISTEN=@.args.listenPort TARGET=@.args.targetHost TARGET_PORT=@.args.targetPort
  is_host "$SSH_HOST" && is_host "$TARGET" || { refuse "$1" 'no name and no address'; return; }
  case $SSH_PORT$LISTEN$TARGET_PORT in '' | *[!0-9]*) refuse "$1" 'no port'; return ;; esac
  case $NAME in '' | -* | *[!A-Za-z0-9_-]*) refuse "$1" 'no user name'; return ;; esac
  client=dig_dropbear
  command -v dbclient >/dev/null || client=dig_openssh
  rm -rf "$folder" && mkdir -p "$folder/.ssh" && chmod 700 "$folder" "$folder/.ssh"
  # Dropbear looks up the host name only, OpenSSH name and port.
  printf '%s %s\n[%s]:%s %s\n' "$SSH_HOST" "$HOST_KEY" "$SSH_HOST" "$SSH_PORT" "$HOST_KEY" >"$folder/.ssh/known_hosts"
  "$client" "$folder" </dev/null >"$folder/out" 2>&1 &
  pid=$!
  for second in 1 2 3; do
    sleep 1
    kill -0 "$pid" 2>/dev/null && continue
    refuse "$1" "$(tail -n 1 "$folder/out")"
    rm -rf "$folder"
    return
  done
  finish "$1"
  wait "$pid"
  rm -rf "$folder"
}
