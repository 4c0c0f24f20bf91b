# The messages hello (what the device is) and status (how it is doing).

board() { [ -s "$RUN/board" ] || ubus call system board >"$RUN/board" 2>/dev/null; }
model() {
  local own
  own=$(setting model)
  [ -n "$own" ] || { board; own=$(value "$RUN/board" @.board_name); }
  echo "${own:-openwrt}"
}
# A vendor's image may bring a file with its own version; otherwise the release of OpenWrt counts.
firmware() {
  local own
  own=$(cat "$ROOT/etc/iotagent_firmware" 2>/dev/null)
  [ -n "$own" ] || { board; own=$(value "$RUN/board" @.release.version); }
  echo "${own:-unknown}"
}

FEATURES='configFile reboot factoryReset controlService fetchLogs ping traceroute lookUp uploadBackup readConfig applyConfig confirmConfig revertConfig'

has() { command -v "$1" >/dev/null; }
! has dbclient && ! has ssh || FEATURES="$FEATURES openTunnel"
# Any serial port except the board's first, which is the console. A loop, because `ls` fails if any of the patterns matches nothing.
has_serial() {
  local port
  for port in "$ROOT"/dev/ttyUSB* "$ROOT"/dev/ttyACM* "$ROOT"/dev/ttyS[1-9]*; do
    [ ! -e "$port" ] || return 0
  done
  return 1
}
abilities() {
  local init="$ROOT/etc/init.d"
  if has swconfig; then echo swconfig; else echo dsa; fi
  ls "$ROOT"/sys/class/ieee80211/* >/dev/null 2>&1 && echo wifi
  has fw4 && echo fw4
  ls "$ROOT"/dev/cdc-wdm* >/dev/null 2>&1 && echo mobile && has uqmi && echo qmi
  has mmcli && echo modemmanager
  has sms_tool && echo sms
  [ -x "$init/mwan3" ] && echo mwan3
  [ -x "$init/relayd" ] && echo relayd
  [ -x "$init/watchcat" ] && echo watchcat
  [ -x "$init/ser2net" ] && echo ser2net
  [ -x "$init/mbusd" ] && echo mbusd
  # /etc/init.d/iotagent-n2n starts it, whichever package installed it.
  has n2n-edge || has edge && echo n2n
  has_serial && echo serial
  if [ -e "$ROOT/lib/netifd/proto/openvpn.sh" ]; then printf 'openvpn\nopenvpnNetifd\n'; elif [ -x "$init/openvpn" ]; then echo openvpn; fi
  has_keys && echo sshKeys
  grep -q gpio_switch "$CONFIG/system" 2>/dev/null && echo gpio
  true
}

list_of() { local one all=; for one; do all="$all,$(quoted "$one")"; done; printf '[%s]' "${all#,}"; }
# Lines of a name, a space and a text, as the fields of an object. People name packages and their versions: with quotes and spaces, too.
map_of() { sed 's/[\\"]/\\&/g' | awk '{ name = $1; sub(/^[^ ]* */, ""); printf "%s\"%s\":\"%s\"", (NR > 1 ? "," : ""), name, $0 }'; }

# The platform takes 200 of them, and a hello of at most 16 kB with all that is in it.
PACKAGES_MAX=8192
newest_packages() { tail -n 200 "$PACKAGES" 2>/dev/null | tail -c $PACKAGES_MAX | awk -v max=$PACKAGES_MAX '{ line[NR] = $0; bytes += length($0) + 1 } END { for (i = bytes >= max ? 2 : 1; i <= NR; i++) print line[i] }'; }
hello() {
  local hashes mac pending= packages= restored uplink
  board
  sync_keys
  hashes=$(package_hashes)
  [ ! -d "$PENDING" ] || [ "$(phase)" = reverted ] ||
    pending=",\"pending\":{\"revision\":$(cat "$PENDING/revision"),\"remainingS\":$(remaining_s)}"
  mac=$(cat "$ROOT/sys/class/net/$(setting identity eth0)/address" 2>/dev/null)
  restored=$(config_item)
  uplink=$(uplink)
  packages=$(newest_packages | map_of)
  tell hello "{\"v\":1,\"at\":$(now),\"bootId\":$(quoted "$(boot_id)"),\"connection\":\"$(connection)\",\"model\":$(quoted "$(model)" 64),\"firmware\":$(quoted "$(firmware)" 64),\"hardwareType\":\"router\",\"kernel\":$(quoted "$(value "$RUN/board" @.kernel)" 128)${mac:+,\"mac\":\"$mac\"},\"packages\":{$packages},\"features\":$(list_of $FEATURES)${restored:+,\"configItem\":\"$restored\"},\"configHash\":\"$(hash_of_lines "$hashes")\",\"config\":{\"level\":1,\"packages\":{$(printf '%s\n' "$hashes" | map_of)},\"abilities\":$(list_of $(abilities))${uplink:+,\"uplink\":\"$uplink\"}$pending}}"
}

# The network device of the default route with the lowest metric; of IPv6 where IPv4 has none. The route to nowhere is that of `lo`.
wan_device() {
  local device
  device=$(awk 'NR > 1 && $2 == "00000000" && $8 == "00000000" && (best == "" || $7 < best) { best = $7; device = $1 } END { print device }' "$ROOT/proc/net/route" 2>/dev/null)
  [ -n "$device" ] || device=$(awk '$1 ~ /^0+$/ && $2 == "00" && $10 != "lo" && (best == "" || $6 "" < best) { best = $6 ""; device = $10 } END { print device }' "$ROOT/proc/net/ipv6_route" 2>/dev/null)
  echo "$device"
}
# The interface in /etc/config/network that uses this device. A modem's address belongs to a child interface such as wan1_4.
uplink() {
  local device one
  device=$(wan_device)
  [ -n "$device" ] || return 0
  ubus call network.interface dump >"$RUN/uplinks.$TAG" 2>/dev/null || return 0
  for one in $(value "$RUN/uplinks.$TAG" "@.interface[@.l3_device=\"$device\"].interface"); do
    one=${one%_[46]}
    ! uci -q get "network.$one" >/dev/null || { echo "$one"; return; }
  done
}
address_of() { # DEVICE [-6]
  ip "${2:--4}" -o addr show dev "$1" ${2:+scope global} 2>/dev/null | awk '{ sub(/\/.*/, "", $4); print $4; exit }'
}

interfaces() {
  local path name up mac rx tx ip all= count=0
  for path in "$ROOT"/sys/class/net/*; do
    name=${path##*/}
    [ "$name" != lo ] && [ -r "$path/operstate" ] && [ $count -lt 32 ] || continue
    count=$((count + 1))
    case $(cat "$path/operstate") in up | unknown) up=true ;; *) up=false ;; esac
    mac=$(cat "$path/address" 2>/dev/null)
    read -r rx <"$path/statistics/rx_bytes" && read -r tx <"$path/statistics/tx_bytes" || continue
    ip=$(address_of "$name")
    case $mac in ??:??:??:??:??:??) mac=",\"mac\":\"$mac\"" ;; *) mac= ;; esac
    all="$all,{\"name\":$(quoted "$name" 32),\"up\":$up${ip:+,\"ip\":\"$ip\"}$mac,\"rxBytes\":$rx,\"txBytes\":$tx}"
  done
  printf '[%s]' "${all#,}"
}

# Bytes received and sent since boot over every device that has had the default route: of each the differences, since a failover
# changes the device, and a modem begins at 0 with each connection. The counter of another device would look like gigabytes at once.
# $RUN/traffic: both sums, then a line NAME RX TX for each device, as it was at the last sample. A reporter that is replaced may still
# be counting when the next one begins: each writes a file of its own.
traffic() { # DEVICE
  local path rx tx counted
  counted="$RUN/traffic.$(random 65535)"
  {
    cat "$RUN/traffic" 2>/dev/null || echo 0 0
    echo now
    for path in "$ROOT"/sys/class/net/*; do
      read -r rx <"$path/statistics/rx_bytes" && read -r tx <"$path/statistics/tx_bytes" && echo "${path##*/} $rx $tx"
    done 2>/dev/null
  } | awk -v wan="$1" '
    $0 == "now" { now = 1; next }
    NR == 1 { sum_rx = $1; sum_tx = $2; next }
    !now { known[$1]; rx[$1] = $2; tx[$1] = $3; next }
    $1 == wan || $1 in known {
      sum_rx += $2 - ($2 >= rx[$1] ? rx[$1] : 0); sum_tx += $3 - ($3 >= tx[$1] ? tx[$1] : 0)
      known[$1]; rx_now[$1] = $2; tx_now[$1] = $3 }
    END { printf "%.0f %.0f\n", sum_rx, sum_tx; for (name in known) printf "%s %.0f %.0f\n", name, rx_now[name], tx_now[name] }
  ' >"$counted" && mv "$counted" "$RUN/traffic"
  head -n 1 "$RUN/traffic"
}

status() {
  local wan rx=0 tx=0 ip= memory load
  sync_keys
  wan=$(wan_device)
  read -r rx tx <<END
$(traffic "$wan")
END
  [ -z "$wan" ] || ip=$(address_of "$wan")
  [ -z "$wan" ] || [ -n "$ip" ] || ip=$(address_of "$wan" -6)
  read -r load _ <"$ROOT/proc/loadavg"
  memory=$(awk '/^MemTotal/ { t = $2 } /^MemAvailable/ { a = $2 } END { printf "\"memoryTotalBytes\":%.0f,\"memoryUsedBytes\":%.0f", t * 1024, (t - a) * 1024 }' "$ROOT/proc/meminfo")
  tell status "{\"at\":$(now),\"uptimeS\":$(uptime_s),\"load1\":$load,$memory,\"rxBytes\":${rx:-0},\"txBytes\":${tx:-0}${ip:+,\"ip\":\"$ip\"},\"clients\":$(hosts_count),\"configHash\":\"$(config_hash)\",\"interfaces\":$(interfaces)}"
}
