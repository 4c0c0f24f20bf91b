# Installs what a task item has downloaded and verified: an image with sysupgrade, packages with opkg or apk.

# Public keys that this router trusts, each in a file named by its 8-byte key number; installed by the owner.
SIGNERS=$ROOT/etc/iotagent/keys
# Prints why the package is not trusted; nothing if it is, or if this router has no keys. Without usign no package is trusted.
distrusted() {
  [ -n "$(ls "$SIGNERS" 2>/dev/null)" ] || return 0
  [ -n "$SIGNATURE" ] || { echo 'it is not signed'; return; }
  command -v usign >/dev/null || { echo 'usign is missing'; return; }
  printf '%s\n' 'iot-package 1' "$SUM" "$SIZE" "$TYPE" "$MODEL" "$VERSION" "$TITLE" >"$RUN/manifest"
  printf 'untrusted comment: package\n%s\n' "$SIGNATURE" >"$RUN/manifest.sig"
  usign -V -q -m "$RUN/manifest" -x "$RUN/manifest.sig" -P "$SIGNERS" >/dev/null 2>&1 || { echo 'it is not signed by a key of this router'; }
}

# The names in its list of packages contain no spaces.
listed_name() { printf '%s' "$1" | tr ' ' '_'; }

# Prints the path of the one image of an upgrade.
image_of() { # FOLDER
  local found
  found=$(find "$1" -type f \( -name '*sysupgrade*' -o -name '*.itb' -o -name '*.img' -o -name '*.img.gz' -o -name '*.bin' \))
  [ "$(printf '%s\n' "$found" | grep -c .)" -eq 1 ] && echo "$found"
}

# Fails if the image will not be written. If it will, `sysupgrade` has handed over to procd, which becomes another program without a reply:
# the call then ends with "Connection failed", and sysupgrade with 246.
handed_over() { # IMAGE [OPTION…]
  local image="$1"
  shift
  "$ROOT/sbin/sysupgrade" "$@" "$image" >"$RUN/verify" 2>&1 || grep -q 'Connection failed\|Request timed out' "$RUN/verify"
}
NO_ROOM_TO_KEEP='there is no room for what must outlive it: the secret, and the address of the platform'
# The image is read after all other processes were killed, so it must stay until this one is killed, too.
RESTART_S=900
await_restart() { sleep $RESTART_S; }

# Whether this agent came with the firmware, as far as one can tell: what was added to it later is lost with an upgrade.
is_built_in() { [ ! -d "$ROOT/rom/etc" ] || [ -e "$ROOT/rom/usr/sbin/iotagent" ]; }
install_upgrade() { # ITEM FOLDER
  local image options= restored= fault
  # An image without the agent would cut this router off for good.
  is_built_in || [ "$(setting any_image 0)" = 1 ] || {
    fail "$1" packageVerifyFailed 'the agent was added to this firmware, and is lost with another image: set iotagent.main.any_image=1 if your images contain it'
    return
  }
  image=$(image_of "$2") || { fail "$1" packageVerifyFailed 'not exactly one image in the archive'; return; }
  "$ROOT/sbin/sysupgrade" -T "$image" >"$RUN/verify" 2>&1 || { fail "$1" packageVerifyFailed "$(tail -n 1 "$RUN/verify")"; return; }
  begin_installing "$1" || return
  sync
  say "installs $VERSION"
  if [ "$KEEP" = 0 ]; then
    # Settings are discarded; serial number, secret and address stay, because without them the device could not reconnect.
    restored=$(cat "$STATE/config-item" 2>/dev/null)
    rm -f "$STATE/config-item"
    options="-f $ROOT/tmp/iotagent-keep.tar.gz"
  fi
  # shellcheck disable=SC2086
  if [ -n "$options" ] && ! tar -czf "$ROOT/tmp/iotagent-keep.tar.gz" -C "$ROOT/" etc/iotagent etc/config/iotagent; then
    fault=$NO_ROOM_TO_KEEP
  elif handed_over "$image" $options; then
    await_restart
    fault="no restart within $RESTART_S s of sysupgrade"
  else
    fault=$(tail -n 1 "$RUN/verify")
  fi
  # The settings are still those of before.
  [ -z "$restored" ] || keep config-item "$restored"
  fail "$1" upgradeFailed "$fault"
}

# Agents up to 1.0.0 had the list where it outlived the firmware. It is that of this firmware unless the firmware has brought this agent.
adopt_packages() {
  [ -e "$STATE/packages" ] || return 0
  if [ -e "$PACKAGES" ] || cmp -s "$ROOT/rom/usr/lib/iotagent/install.sh" "$LIB/install.sh"; then rm -f "$STATE/packages"; else mv "$STATE/packages" "$PACKAGES"; fi
}

# Prints a file of a package's control.tar.gz, whose members begin with ./ or not.
of_package() { # PACKAGE FILE
  { tar -xzOf "$1" ./control.tar.gz || tar -xzOf "$1" control.tar.gz; } 2>/dev/null | tar -xzOf - "./$2" "$2" 2>/dev/null
}
# Both tools fail at every later call because of a package whose script failed once. Whether these packages are there decides then: apk names
# what is wrong with them, and only counts what was wrong before.
are_installed() { # PACKAGES
  local file control name version
  if has apk; then
    ! grep -q '^ERROR' "$RUN/verify" && tail -n 1 "$RUN/verify" | grep -q '^[0-9]* errors*; '
    return
  fi
  for file in $1; do
    control=$(of_package "$file" control)
    name=$(printf '%s\n' "$control" | sed -n 's/^Package: *//p')
    version=$(printf '%s\n' "$control" | sed -n 's/^Version: *//p')
    [ -n "$name" ] || return 1
    opkg status "$name" | VERSION="$version" awk '
      /^Version:/ { fits = $2 "" == ENVIRON["VERSION"] "" }
      /^Status:.* installed$/ && fits { found = 1 }
      END { exit !found }' || return 1
  done
}
# What went wrong first, in one line: opkg also tells what it did, before or after it, and apk ends with a count.
cause() {
  awk '
    /^(ERROR:| \* )/ { found = 1 }
    found && !/^(ERROR:|[ \t])/ { exit }
    found { sub(/^(ERROR: | \* |[ \t]+)/, ""); printf "%s%s", separator, $0; separator = " " }' "$RUN/verify" | cut -c1-400 | grep . || tail -n 1 "$RUN/verify"
}

# A package may be the agent's own, and its installation stops the agent: it runs in a process of its own, $RUN/installer (its id and the item),
# that leaves its exit code in $RUN/installed. The next agent finds both.
install_packages() { # ITEM FOLDER
  local files tool
  # opkg leaves a newer version alone and calls that success; apk installs what it is given.
  if has apk; then tool='apk add --allow-untrusted' files=$(find "$2" -name '*.apk'); else tool='opkg install --force-downgrade' files=$(find "$2" -name '*.ipk'); fi
  [ -n "$files" ] || { fail "$1" packageVerifyFailed "no package for ${tool%% *} in the archive"; return; }
  begin_installing "$1" || return
  rm -f "$RUN/installed"
  # Neither checks a signature of local packages: what may be installed is decided before (`distrusted`).
  # shellcheck disable=SC2086
  (trap '' TERM; $tool $files >"$RUN/verify" 2>&1 || are_installed "$files"; echo $? >"$RUN/installed") &
  echo "$! $1" >"$RUN/installer"
  finish_packages "$1"
}
installing() { # ITEM: whether its packages were being installed, since the last boot
  local pid item=
  read -r pid item 2>/dev/null <"$RUN/installer"
  [ "$item" = "$1" ]
}
# Compared, not searched for: a name may be no regular expression.
packages_now() { NAME="$PACKAGE" awk '$1 "" != ENVIRON["NAME"] ""' "$PACKAGES" 2>/dev/null; printf '%s %s\n' "$PACKAGE" "$VERSION"; }
finish_packages() { # ITEM
  local pid item
  read -r pid item <"$RUN/installer"
  while [ ! -s "$RUN/installed" ] && kill -0 "$pid" 2>/dev/null; do sleep 1; done
  rm -f "$RUN/installer"
  [ "$(cat "$RUN/installed" 2>/dev/null)" = 0 ] || { fail "$1" upgradeFailed "$(cause)"; return; }
  whole "$PACKAGES" packages_now || { fail "$1" upgradeFailed 'it is installed, but there is no room on the flash to note that'; return; }
  keep "items/$1" "done"
  hello
  present "$1"
}
