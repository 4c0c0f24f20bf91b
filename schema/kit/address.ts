/** Groups addresses for counting requests and failures. */

/** The eight groups of an IPv6 address as numbers; null if it is not one. */
function groupsOf(address: string): number[] | null {
  const [head = '', tail, more] = address.split('::')
  if (more !== undefined) return null
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const first = read(head)
  const last = tail === undefined ? [] : read(tail)
  const gap = 8 - first.length - last.length
  const groups = [...first, ...(tail === undefined ? [] : Array<number>(Math.max(0, gap)).fill(0)), ...last]
  return groups.length === 8 && groups.every((group) => group >= 0 && group <= 0xffff) ? groups : null
}

/** The IPv4 address in an IPv4-mapped one (`::ffff:192.0.2.1`), as reported by dual-stack sockets. */
const MAPPED = /^(?:0*:)+ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

/**
 * An IPv4 address itself, an IPv6 address as its /64, because its owner has all 2^64 addresses of that network [RFC
 * 6177, RFC 7421]. Other text is returned unchanged.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  const mapped = MAPPED.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!plain.includes(':') || plain.includes('.')) return plain
  const groups = groupsOf(plain)
  if (groups === null) return plain
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}
