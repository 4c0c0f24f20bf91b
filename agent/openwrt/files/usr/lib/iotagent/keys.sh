# The SSH keys that may log in: sections of /etc/config/sshkeys, a line of Dropbear's authorized_keys each. UCI is what the
# platform reads and changes; somebody who edits the file on the router must not lose it. $STATE/sshkeys: hash of the file
# as it was last known to agree with the package.
KEYS=$ROOT/etc/dropbear/authorized_keys

has_keys() { [ -x "$ROOT/etc/init.d/dropbear" ] && is_managed sshkeys; }
keys_of_package() {
  [ ! -f "$CONFIG/sshkeys" ] || uci -q export "$CONFIG/sshkeys" | sed -n "s/^\toption line '\(.*\)'$/\1/p" | sed "s/'\\\\''/'/g"
}
# Without its comments and empty lines.
keys_of_file() {
  [ ! -f "$KEYS" ] || { cat "$KEYS"; echo; } | sed -e 's/\r$//' -e 's/^[[:space:]]*//' -e 's/[[:space:]]*$//' -e '/^#/d' -e '/^$/d'
}
know_keys() { keep sshkeys "$(file_hash "$KEYS")"; }

write_keys() {
  (umask 077 && mkdir -p "${KEYS%/*}")
  whole "$KEYS" keys_of_package && know_keys
}
package_of_file() { keys_of_file | sed -e "s/'/'\\\\''/g" -e "s/.*/\nconfig key\n\toption line '&'/"; }
read_keys() { whole "$CONFIG/sshkeys" package_of_file && know_keys; }

# Whichever of the two was changed decides; of both, the file.
sync_keys() {
  has_keys || return 0
  if [ -f "$KEYS" ] && [ "$(file_hash "$KEYS")" != "$(cat "$STATE/sshkeys" 2>/dev/null)" ]; then
    [ -d "$PENDING" ] || read_keys
  elif [ "$(keys_of_package)" != "$(keys_of_file)" ]; then
    write_keys
  fi
}
# After packages were replaced: what the file says now is out of date, whatever it says.
replaced_keys() { ! grep -q '^sshkeys ' "$1" || ! has_keys || write_keys; }
