/** As many names as fit into the log's column are listed; the others are counted. */
const NAMES_LENGTH = 180

export function nameSome(names: readonly string[]): string {
  const named: string[] = []
  for (let length = 0; named.length < names.length; ) {
    const name = names[named.length] ?? ''
    length += name.length + 2
    if (length > NAMES_LENGTH) break
    named.push(name)
  }
  const rest = names.length - named.length
  return named.join(', ') + (rest > 0 ? ` +${rest}` : '')
}
