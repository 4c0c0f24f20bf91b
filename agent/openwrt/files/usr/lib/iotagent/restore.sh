# Restoring a configuration file: its files replace those of the same path, all others stay. The former ones are kept until
# the platform's welcome has arrived with the new ones; otherwise the guard puts them back. The journal, $RESTORE on flash:
#   item boot   which task item, and in which boot it was written
#   list        the paths, a line each     before/PATH after/PATH   what was there, and what came
#   absent      those of the paths where there was no file
#   phase       written → swapped → reverted
# It is created and deleted atomically (by a rename).
RESTORE=$STATE/restore
WELCOME_S=300 # of uptime after the boot with the new files

restore_phase() { cat "$RESTORE/phase" 2>/dev/null; }
restore_is() { echo "$1" >"$RESTORE/phase.new" && flush "$RESTORE/phase.new" && mv "$RESTORE/phase.new" "$RESTORE/phase" && flush "$RESTORE"; }
drop_restore() { rm -rf "$STATE/restore.old" && mv "$RESTORE" "$STATE/restore.old" && flush "$STATE"; rm -rf "$STATE/restore.old"; }
# True once the device has started with the new files.
restarted_restored() { [ "$(restore_phase)" = swapped ] && [ "$(cat "$RESTORE/boot")" != "$(boot_id)" ]; }

# With the permissions of the source.
place() { # SOURCE TARGET
  (umask 022 && mkdir -p "${2%/*}")
  replace "$1" "$2" -p
}
swap_files() {
  local path
  # After a power cut: what is no longer in `after` is in its place.
  while IFS= read -r path; do [ ! -e "$RESTORE/after/$path" ] || place "$RESTORE/after/$path" "$ROOT/$path"; done <"$RESTORE/list"
  sync
  # Where there is no other room, it is for what follows: a step that cannot be stored would be repeated at every boot.
  rm -rf "$RESTORE/after"
  restore_is swapped
}
put_back() {
  local path
  while IFS= read -r path; do
    # After a power cut: what is no longer in `before` is in its place.
    if [ -e "$RESTORE/before/$path" ]; then
      place "$RESTORE/before/$path" "$ROOT/$path"
    elif grep -Fxq -e "$path" "$RESTORE/absent"; then
      rm -f "$ROOT/$path"
    fi
  done <"$RESTORE/list"
  sync
  rm -rf "$RESTORE/before"
  restore_is reverted
}

# Prints why the archive is not a configuration file. Only its list is read: nothing is unpacked before.
archive_fault() { # ARCHIVE
  local name
  tar -tvzf "$1" >"$RUN/listing" 2>/dev/null || { echo 'no readable .tar.gz'; return; }
  ! grep -q -e '^[^-d]' -e ' -> ' "$RUN/listing" || { echo 'an entry is neither a file nor a folder'; return; }
  tar -tzf "$1" 2>/dev/null | while IFS= read -r name; do
    case /${name#./}/ in
    // | /etc/*) ;;
    *) echo "$name is outside of etc/"; break ;;
    esac
    case /$name/ in */../*) echo "$name is outside of etc/"; break ;; esac
  done
}
# A package that cannot be read would leave its service without a configuration. uci takes a dot in a path for that before a
# section, so the folder has none; files such as network.apk-new are no packages, and nothing reads them.
unreadable_package() { # FOLDER
  local file fault
  for file in "$1"/etc/config/*; do
    [ -f "$file" ] || continue
    case ${file##*/} in *[!A-Za-z0-9_-]*) continue ;; esac
    fault=$(uci export "$file" 2>&1 >/dev/null)
    [ -z "$fault" ] || { echo "etc/config/${file##*/}: ${fault#uci: }"; return; }
  done
}

install_config() { # ITEM FOLDER
  local new="$STATE/restore-new" path fault room=yes
  fault=$(unreadable_package "$2")
  [ -z "$fault" ] || { fail "$1" packageVerifyFailed "$fault"; return; }
  # Serial number, secret and address of the platform are never replaced.
  rm -rf "$2/etc/iotagent" "$2/etc/config/iotagent" "$new" && mkdir -p "$new/before" "$new/after"
  (cd "$2" && find etc -type f) >"$new/list" && true >"$new/absent" || room=
  while IFS= read -r path; do
    mkdir -p "$new/after/${path%/*}" "$new/before/${path%/*}"
    cp -p "$2/$path" "$new/after/$path" || room=
    if [ -f "$ROOT/$path" ]; then cp -p "$ROOT/$path" "$new/before/$path"; else echo "$path" >>"$new/absent"; fi || room=
  done <"$new/list"
  echo "$1" >"$new/item" && boot_id >"$new/boot" && echo written >"$new/phase" || room=
  [ -n "$room" ] || { rm -rf "$new"; fail "$1" upgradeFailed 'no room for the former files'; return; }
  sync
  begin_installing "$1" || { rm -rf "$new"; return; }
  mv "$new" "$RESTORE" && flush "$STATE"
  say 'restores a configuration file, and restarts'
  swap_files
  "$ROOT/sbin/reboot"
}

# `hello` names the item whose file was restored last.
config_item() { if restarted_restored; then cat "$RESTORE/item"; else cat "$STATE/config-item" 2>/dev/null; fi; }

# At the platform's welcome: the platform can be reached with these files.
keep_restored() {
  local item
  [ -d "$RESTORE" ] || return 0
  lock
  if restarted_restored; then
    item=$(cat "$RESTORE/item")
    keep config-item "$item"
    keep "items/$item" "done"
    drop_restore
    unlock
    present "$item"
    # What has waited for this.
    begin_item
  else
    unlock
  fi
}

# After hello, for an item that was `upgrading`: continues after a reboot, a power cut or a revert by the guard.
settle_restore() { # ITEM
  if [ "$(cat "$RESTORE/item" 2>/dev/null)" != "$1" ]; then
    keep "items/$1" 'failed upgradeFailed'
  elif [ "$(restore_phase)" = reverted ]; then
    keep "items/$1" 'failed upgradeFailed no connection with the restored configuration: the former one is back'
    lock
    drop_restore
    unlock
  elif ! restarted_restored; then
    # The agent was killed meanwhile.
    [ "$(restore_phase)" = swapped ] || swap_files
    "$ROOT/sbin/reboot"
  fi
}
