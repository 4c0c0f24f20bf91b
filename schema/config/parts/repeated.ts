/** Values that must be unique among rows. */
import type { Key } from '#schema/kit/words.gen'
import type { PageFault } from '../config-page.ts'

/** A fault at each row whose value an earlier row has. Empty values are not compared. */
export function firstRepeated<R extends Readonly<Record<string, unknown>>>(
  rows: readonly R[],
  list: string,
  name: keyof R & string,
  text: Key,
): PageFault[] {
  const seen = new Set<string>()
  return rows.flatMap((row, i) => {
    const value = String(row[name] ?? '')
    if (value === '') return []
    if (seen.has(value)) return [{ path: `${list}.${i}.${name}`, text, params: { value } }]
    seen.add(value)
    return []
  })
}
