/** Which of two versions is older, as far as their texts say so. Vendors number as they like, and nothing else declares an order. */

/** Numbers, and what is between them. */
const parts = (version: string) => version.match(/\d+|\D+/g) ?? []

/** Compares digits of any length, so also dates and numbers of builds. */
const compareNumbers = (one: string, other: string) => {
  const [a, b] = [BigInt(one), BigInt(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

const isNumber = (part: string | undefined) => part !== undefined && /^\d/.test(part)

/**
 * Whether `version` is certainly older than `than`: the first part in which they differ is a number in both ("1.9" and
 * "1.10"), or the newer one continues with a further number ("1.2" and "1.2.1"). False for all else: "2.0-rc1" and
 * "2.0", other names, or a text without numbers.
 */
export function isOlder(version: string, than: string): boolean {
  const [mine, other] = [parts(version), parts(than)]
  for (const [i, part] of mine.entries()) {
    const counterpart = other[i]
    if (part === counterpart) continue
    if (!isNumber(part) || !isNumber(counterpart)) return false
    const order = compareNumbers(part, counterpart as string)
    if (order !== 0) return order < 0
  }
  const [separator, number] = other.slice(mine.length)
  return isNumber(mine.at(-1)) && separator === '.' && isNumber(number)
}
