/** Rules of network configuration: addresses, names, keys. Browser, server and device run the same functions. */

const octets = (text: string): number[] | null => {
  const parts = text.split('.')
  const fits =
    parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  return fits ? parts.map(Number) : null
}

/** An IPv4 address as a 32-bit number; null if it is not one. */
export const ipv4Number = (text: string): number | null =>
  octets(text)?.reduce((sum, part) => sum * 256 + part, 0) ?? null

export const isIpv4 = (text: string) => octets(text) !== null

/** The prefix length of a netmask; null if it is not one. */
export function prefixOfNetmask(text: string): number | null {
  const mask = ipv4Number(text)
  if (mask === null) return null
  const bits = mask.toString(2).padStart(32, '0')
  return /^1*0*$/.test(bits) ? bits.replaceAll('0', '').length : null
}

/** /1 or longer: a device has no /0 network. */
export const isNetmask = (text: string) => (prefixOfNetmask(text) ?? 0) > 0

/** `192.168.1.0/24` */
export function isIpv4Network(text: string): boolean {
  const [address = '', bits = '', rest] = text.split('/')
  return rest === undefined && isIpv4(address) && /^\d{1,2}$/.test(bits) && Number(bits) <= 32
}

/**
 * [§5 Group: remote IP] An IPv4 address that a host can have: no network, broadcast, loopback or multicast address. The two
 * hosts of a /31 have all of its addresses [RFC 3021].
 */
export function isHostAddress(text: string, prefix = 32): boolean {
  const address = ipv4Number(text)
  const first = octets(text)?.[0] ?? 0
  if (address === null || first === 0 || first === 127 || first >= 224) return false
  const size = 2 ** (32 - prefix)
  return size <= 2 || (address % size !== 0 && address % size !== size - 1)
}

const GROUP = /^[0-9A-Fa-f]{1,4}$/
const groupsOf = (part: string): number | null => {
  const groups = part === '' ? [] : part.split(':')
  const last = groups.at(-1) ?? ''
  const isMixed = isIpv4(last)
  return (isMixed ? groups.slice(0, -1) : groups).every((one) => GROUP.test(one))
    ? groups.length + (isMixed ? 1 : 0)
    : null
}

/** [RFC 4291 §2.2] `2001:db8::1`, `::ffff:192.0.2.1`. */
export function isIpv6(text: string): boolean {
  const parts = text.split('::')
  const counts = parts.map(groupsOf)
  if (parts.length > 2 || counts.includes(null)) return false
  const [first, last] = counts as [number, number?]
  if (last === undefined) return first === 8
  return first + last < 8 && !(parts[0] ?? '').includes('.')
}

/** What a firewall rule matches an address against: an address or a network, IPv4 or IPv6; after `!`, all others. */
export function isAddressMatch(text: string): boolean {
  const [address = '', mask, rest] = text.replace(/^!\s*/, '').split('/')
  if (rest !== undefined) return false
  if (isIpv6(address)) return mask === undefined || (/^\d{1,3}$/.test(mask) && Number(mask) <= 128)
  return isIpv4(address) && (mask === undefined || isIpv4Network(`${address}/${mask}`) || isNetmask(mask))
}

const LABEL = /^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/
export const isHostName = (text: string) =>
  text.length <= 253 && text.split('.').every((label) => LABEL.test(label)) && !/^[\d.]+$/.test(text)

export const isHost = (text: string) => isIpv4(text) || isHostName(text) || isIpv6(text)

export const utf8Bytes = (text: string) => new TextEncoder().encode(text).length

/**
 * The name of a rule of the firewall. firewall4 makes comments of it (`!fw4: NAME (reflection)`), and nft refuses all
 * rules if one of them is longer than 128 bytes.
 */
const RULE_NAME_MAX_BYTES = 100
export const isRuleName = (text: string) =>
  /^[^\p{Cc}]*$/u.test(text) && utf8Bytes(text) <= RULE_NAME_MAX_BYTES

/** Those of `/etc/protocols` of OpenWrt, and further words of the firewall: nft refuses all rules for any other. */
const PROTOCOLS = new Set(
  `all any tcpudp ip icmp icmpv6 igmp ggp ipencap st tcp egp igp pup udp hmp xns-idp rdp iso-tp4 dccp xtp ddp idpr-cmtp
  ipv6 ipv6-route ipv6-frag idrp rsvp gre esp ah skip ipv6-icmp ipv6-nonxt ipv6-opts rspf vmtp eigrp ospf ipip etherip
  encap pim ipcomp vrrp l2tp isis sctp fc udplite`.split(/\s+/),
)

/** `tcp`, `esp`, `47`, `all`; with `!` before it, all others. */
export function isProtocol(text: string): boolean {
  const word = text.replace(/^!/, '').toLowerCase()
  return PROTOCOLS.has(word) || (/^\d{1,3}$/.test(word) && Number(word) <= 255)
}

/**
 * [802.11] At most 32 bytes, not characters. No line break: what follows it would be another setting of hostapd, or one
 * with which the radio does not start.
 */
export const isSsid = (text: string) =>
  !/[\0\n\r]/.test(text) && utf8Bytes(text) >= 1 && utf8Bytes(text) <= 32

/**
 * [§5 Wifi key] 8 to 63 printable ASCII characters, or 64 hexadecimal digits. With any other character the radio does
 * not start.
 */
export const isWifiKey = (text: string) => /^[\x20-\x7e]{8,63}$/.test(text) || /^[0-9A-Fa-f]{64}$/.test(text)

const UNIT_S = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const

/** Seconds of `12h`, `90m`, `7200`; Infinity for `infinite`; null if it is not a duration. */
export function durationS(text: string): number | null {
  if (text === 'infinite') return Number.POSITIVE_INFINITY
  const [, count, unit = ''] = /^(\d{1,9})([smhdw]?)$/.exec(text) ?? []
  return count === undefined ? null : Number(count) * UNIT_S[unit as keyof typeof UNIT_S]
}

/** [§5 DHCP lease time] */
export const LEASE_MIN_S = 120
export const isLeaseTime = (text: string) => (durationS(text) ?? 0) >= LEASE_MIN_S

/** The first and last port of `80` or `8000-8010`; null if it is not a port range. */
export function portsOf(text: string): readonly [number, number] | null {
  const [, first, last = first] = /^(\d{1,5})(?:[-:](\d{1,5}))?$/.exec(text) ?? []
  const ports = [Number(first), Number(last)] as const
  return first !== undefined && ports[0] >= 1 && ports[0] <= ports[1] && ports[1] <= 65_535 ? ports : null
}
export const isPorts = (text: string) => portsOf(text) !== null

/** [§5 Hex fields] `0x` and an even number of digits. */
export const isHexBytes = (text: string, max: number) =>
  /^0x([0-9A-Fa-f]{2})+$/.test(text) && (text.length - 2) / 2 <= max

/** [§5 SMS] */
const SMS_MAX_BYTES = 1500

/** [§5 SMS] With the country code. */
export const isInternationalPhone = (text: string) => /^\+[1-9]\d{6,14}$/.test(text)

const PEM = /^-----BEGIN ([A-Z0-9 ]+)-----\s[\s\S]+-----END \1-----\s*$/
export const isCertificate = (text: string) => PEM.exec(text)?.[1] === 'CERTIFICATE'
export const isPrivateKey = (text: string) =>
  /^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text) && PEM.test(text)

export const isDhParameters = (text: string) => PEM.exec(text)?.[1] === 'DH PARAMETERS'
/** The output of `openvpn --genkey`, including the comment lines before the block. */
export const isStaticKey = (text: string) =>
  /-----BEGIN OpenVPN Static key V1-----\s+([0-9A-Fa-f]{32}\s+){16}-----END OpenVPN Static key V1-----\s*$/.test(
    text,
  )

/** `vpn.example.com 1194`: host and port of a server, in OpenVPN's notation. */
export function isHostAndPort(text: string): boolean {
  const [host = '', at = '', rest] = text.split(' ')
  return rest === undefined && isHost(host) && /^\d+$/.test(at) && isPorts(at)
}

/** The channels of 20 MHz that radios have, and the highest one of 6 GHz. */
const everyFourth = (first: number, last: number) =>
  Array.from({ length: (last - first) / 4 + 1 }, (_, i) => first + 4 * i)
const CHANNELS_5G = new Set([...everyFourth(36, 64), ...everyFourth(100, 144), ...everyFourth(149, 177)])
const LAST_AT_6_GHZ = 233
/** Whether a radio of this band has this channel; the country may allow fewer. */
export function isChannelOf(band: '2g' | '5g' | '6g', channel: string): boolean {
  if (channel === 'auto') return true
  if (band === '2g') return /^([1-9]|1[0-4])$/.test(channel)
  // OpenWrt compares texts: it knows no channel 036.
  if (!/^[1-9]\d{0,2}$/.test(channel)) return false
  return band === '5g'
    ? CHANNELS_5G.has(Number(channel))
    : Number(channel) % 4 === 1 && Number(channel) <= LAST_AT_6_GHZ
}

/**
 * Whether a channel has a block of this width around it: OpenWrt writes the middle of none for the others, and the radio does
 * not start.
 */
export function hasRoom(band: '2g' | '5g' | '6g', channel: string, mhz: number): boolean {
  const number = Number(channel)
  if (channel === 'auto' || mhz <= 20 || band === '2g') return true
  if (band === '5g') return mhz < 160 || number < 132 || number > 144
  return number <= (mhz === 40 ? 229 : 221)
}

export const networkRules = {
  addressMatch: isAddressMatch,
  dhParameters: isDhParameters,
  staticKey: isStaticKey,
  hostAndPort: isHostAndPort,
  protocol: isProtocol,
  ruleName: isRuleName,
  ipv4: isIpv4,
  hostAddress: (text: string) => isHostAddress(text),
  ipAddress: (text: string) => isIpv4(text) || isIpv6(text),
  netmask: isNetmask,
  ipv4Network: isIpv4Network,
  host: isHost,
  ssid: isSsid,
  wifiKey: isWifiKey,
  leaseTime: isLeaseTime,
  ports: isPorts,
  hexPrefix: (text: string) => isHexBytes(text, 4),
  hexDeviceId: (text: string) => isHexBytes(text, 16),
  hexHeartbeat: (text: string) => isHexBytes(text, 64),
  internationalPhone: isInternationalPhone,
  smsText: (text: string) => utf8Bytes(text) >= 1 && utf8Bytes(text) <= SMS_MAX_BYTES,
  certificate: isCertificate,
  privateKey: isPrivateKey,
} as const satisfies Record<string, (text: string) => boolean>
