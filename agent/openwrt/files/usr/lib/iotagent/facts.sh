# The sections of `facts`, from ubus. They never contain keys or passwords. The answers of ubus are in files of the process that asked, its TAG:
# the main loop and the reporter ask beside each other, and half of an answer would look like services that do not run.

# On the LAN, as below: the gateway of the provider is none of them.
hosts_count() { awk -v wan="$(wan_device)" 'NR > 1 && $3 != "0x0" && $4 != "00:00:00:00:00:00" && $6 != wan && !seen[$4]++' "$ROOT/proc/net/arp" 2>/dev/null | wc -l | tr -d ' '; }
netmask_of() { # BITS
  local bits="$1" octet part all=
  for part in 1 2 3 4; do
    if [ "$bits" -ge 8 ]; then octet=255; elif [ "$bits" -le 0 ]; then octet=0; else octet=$((256 - (1 << (8 - bits)))); fi
    bits=$((bits - 8)) all="$all.$octet"
  done
  echo "${all#.}"
}
# Hosts on the LAN from the kernel's neighbour table, with the names of their leases. Without a DHCP server there is no such file, at which awk would end.
hosts() {
  local leases="$ROOT/tmp/dhcp.leases"
  [ -e "$leases" ] || leases=/dev/null
  awk -v wan="$(wan_device)" '
    FILENAME ~ /leases$/ { if ($4 != "*") name[tolower($2)] = $4; next }
    FNR > 1 && $3 != "0x0" && $4 != "00:00:00:00:00:00" && $6 != wan && !seen[$4]++ && n++ < 200 {
      host = name[tolower($4)]; gsub(/[^A-Za-z0-9._-]/, "", host)
      printf "%s{\"mac\":\"%s\",\"ip\":\"%s\"%s}", (n > 1 ? "," : ""), $4, $1, (host == "" ? "" : ",\"name\":\"" substr(host, 1, 64) "\"") }
  ' "$leases" "$ROOT/proc/net/arp" 2>/dev/null
}

# A number of the configuration as JSON has them, without leading zeros; fails if it is none from LEAST to MOST.
json_number() { # TEXT LEAST MOST
  local number="$1"
  case $number in '' | *[!0-9]*) return 1 ;; esac
  while [ "${number#0}" != "$number" ]; do number=${number#0}; done
  [ "${#number}" -le 6 ] && [ "${number:-0}" -ge "$2" ] && [ "${number:-0}" -le "$3" ] && echo "${number:-0}"
}
# One interface of `network.interface dump` with its addresses; sets NAME, IS_UP and so on.
interface() { # INDEX
  pick "$RUN/dump.$TAG" "NAME=@.interface[$1].interface" "IS_UP=@.interface[$1].up" "PROTO=@.interface[$1].proto" "SINCE=@.interface[$1].uptime" \
    "DEVICE=@.interface[$1].l3_device" "IP6=@.interface[$1][\"ipv6-address\"][0].address" "IP=@.interface[$1][\"ipv4-address\"][0].address" "BITS=@.interface[$1][\"ipv4-address\"][0].mask" \
    "GATEWAY=@.interface[$1].route[@.target=\"0.0.0.0\"].nexthop" "DNS1=@.interface[$1][\"dns-server\"][0]" "DNS2=@.interface[$1][\"dns-server\"][1]"
  case $IS_UP in 1) IS_UP=true ;; *) IS_UP=false ;; esac
  case $PROTO in dhcp | static | pppoe | none) ;; *) PROTO= ;; esac
}
network_sections() {
  local one wan= lan= wan6= up= fields dhcp count=0
  ubus call network.interface dump >"$RUN/dump.$TAG" 2>/dev/null || return 0
  pick "$RUN/dump.$TAG" ALL=@.interface
  for one in $ALL; do
    interface "$one"
    fields="${IP:+,\"ip\":$(quoted "$IP" 64)}${BITS:+,\"netmask\":\"$(netmask_of "$BITS")\"}"
    case $NAME in
    lan)
      dhcp=true
      [ "$(uci -q get dhcp.lan.ignore)" != 1 ] || dhcp=false
      lan=",\"lan\":{\"dhcp\":$dhcp$fields}"
      ;;
    wan | wan[0-9] | wwan)
      [ -n "$IP" ] || fields="${IP6:+,\"ip\":$(quoted "$IP6" 64)}"
      fields="{\"name\":$(quoted "${DEVICE:-$NAME}" 32),\"up\":$IS_UP${PROTO:+,\"protocol\":\"$PROTO\"}$fields${GATEWAY:+,\"gateway\":$(quoted "${GATEWAY%% *}" 64)}${DNS1:+,\"dns\":$(list_of $DNS1 $DNS2)}${SINCE:+,\"upS\":$SINCE}}"
      # `wan6` of a stock router is the IPv6 of `wan`, over the same device, and not up where the provider has none.
      if [ "$NAME$IP" = wan6 ]; then
        [ "$IS_UP" = false ] || wan6=",$fields"
      else
        # The platform takes four.
        [ $count -ge 4 ] || wan="$wan,$fields"
        count=$((count + 1))
        # One without a protocol is up as soon as there is a cable.
        [ "$IS_UP" = false ] || [ -z "$IP$IP6" ] || up=yes
      fi
      ;;
    esac
  done
  [ -n "$up" ] || [ $count -ge 4 ] || wan="$wan$wan6"
  printf ',"wan":[%s]%s' "${wan#,}" "$lan"
}

wifi() {
  local radio one all= band channel count=0
  ubus call network.wireless status >"$RUN/wireless.$TAG" 2>/dev/null || return 0
  pick "$RUN/wireless.$TAG" RADIOS=@
  for radio in $RADIOS; do
    pick "$RUN/wireless.$TAG" "RADIO_UP=@.$radio.up" "BAND=@.$radio.config.band" "NETWORKS=@.$radio.interfaces" "CHANNEL=@.$radio.config.channel"
    case $BAND in 2g) band='2.4 GHz' ;; 5g) band='5 GHz' ;; 6g) band='6 GHz' ;; *) band= ;; esac
    for one in $NETWORKS; do
      pick "$RUN/wireless.$TAG" "SSID=@.$radio.interfaces[$one].config.ssid" "SECURITY=@.$radio.interfaces[$one].config.encryption" "MODE=@.$radio.interfaces[$one].config.mode"
      # The platform takes eight, and of more networks no facts at all.
      [ "$MODE" = ap ] && [ -n "$SSID" ] && [ $count -lt 8 ] || continue
      count=$((count + 1))
      case $RADIO_UP in 1) up=true ;; *) up=false ;; esac
      ! channel=$(json_number "$CHANNEL" 1 233) || channel=",\"channel\":$channel"
      all="$all,{\"ssid\":$(quoted "$SSID" 32),\"up\":$up${band:+,\"band\":\"$band\"}$channel${SECURITY:+,\"security\":$(quoted "$SECURITY" 32)}}"
    done
  done
  printf ',"wifi":[%s]' "${all#,}"
}

service_state() { # NAME
  case $(value "$RUN/services.$TAG" "@[\"$1\"].instances.*.running") in
  *true*) echo running ;;
  *false*) echo failed ;;
  *) echo stopped ;;
  esac
}
services() {
  local path name auto all= count=0
  ubus call service list >"$RUN/services.$TAG" 2>/dev/null || return 0
  for path in "$ROOT"/etc/init.d/*; do
    name=${path##*/}
    # Only services that procd runs and that users may control; others are boot scripts.
    grep -qs 'USE_PROCD=1' "$path" || continue
    case $name in *[!a-z0-9_.-]* | [_.-]* | boot | done | umount | gpio_switch | led | sysctl | sysfixtime | urandom_seed) continue ;; esac
    [ "${#name}" -le 32 ] || continue
    [ $count -lt 64 ] || break
    count=$((count + 1))
    if ls "$ROOT"/etc/rc.d/S??"$name" >/dev/null 2>&1; then auto=true; else auto=false; fi
    controllable=
    case $name in iotagent | network | firewall) controllable=',"controllable":false' ;; esac
    all="$all,{\"name\":\"$name\",\"state\":\"$(service_state "$name")\",\"autostart\":$auto$controllable}"
  done
  printf ',"services":[%s]' "${all#,}"
}
# The edge that `iotagent-n2n` starts. It has an address once it has joined; one with a fixed address always has it,
# and whether that one has joined is not known here.
n2n_edge() {
  local enabled=false name address connected
  uci -q get 'n2n.@edge[0]' >/dev/null || return 0
  [ "$(uci -q get 'n2n.@edge[0].enabled')" != 1 ] || enabled=true
  name=$(uci -q get 'n2n.@edge[0].tunname') || name=n2n0
  case $name in '' | -* | *[!A-Za-z0-9_.-]*) return 0 ;; esac
  address=$(ip -4 -o addr show dev "$name" 2>/dev/null | awk '{ split($4, part, "/"); print part[1]; exit }')
  case $address in '') connected=',"connected":false' ;; *) connected=',"connected":true' ;; esac
  [ -z "$address" ] || [ "$(uci -q get 'n2n.@edge[0].mode')" != static ] || connected=
  [ "$enabled" = true ] || connected= address=
  printf ',{"name":"n2n","enabled":%s%s%s}' "$enabled" "$connected" "${address:+,\"address\":$(quoted "$address" 64)}"
}
remote() {
  local port enabled=false
  port=$(uci -q get 'dropbear.@dropbear[0].Port') || port=22
  ! ls "$ROOT"/etc/rc.d/S??dropbear >/dev/null 2>&1 || enabled=true
  ! port=$(json_number "${port%% *}" 1 65535) || port=",\"port\":$port"
  printf ',"remote":[{"name":"ssh","enabled":%s%s}%s]' "$enabled" "$port" "$(n2n_edge)"
}

# All sections after hello, later only when one has changed.
facts() { # [always]
  local sections
  sections="\"hosts\":[$(hosts)]$(network_sections)$(wifi)$(services)$(remote)"
  # The uptime of an interface differs each time.
  printf '%s' "$sections" | sed 's/,"upS":[0-9]*//g' | sha256sum >"$RUN/facts.new.$TAG"
  [ "${1:-}" = always ] || ! cmp -s "$RUN/facts.new.$TAG" "$RUN/facts" || return 0
  tell facts "{\"at\":$(now),$sections}" && mv "$RUN/facts.new.$TAG" "$RUN/facts"
}
