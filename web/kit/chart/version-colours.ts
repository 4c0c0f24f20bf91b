/** A firmware version has one colour, in every chart and on every page. */
import { SERIES_COLOURS, seriesToken } from './ink.ts'

/** Names in replies: not known, and all others together. */
export const UNKNOWN_VERSION = ''
export const OTHER_VERSIONS = '*'

/**
 * Tokens for the versions of a page. `order` are all versions of the fleet, the same on every page: the first ones have a colour of
 * their own everywhere; of the others, the page's own choice `shown` decides which of the remaining colours they get.
 */
export function versionColours(
  order: readonly string[],
  shown: readonly string[],
): ReadonlyMap<string, string> {
  const rank = new Map(order.map((version, i) => [version, i]))
  const rankOf = (version: string) => rank.get(version) ?? order.length
  const versions = [...new Set(shown)].filter(
    (version) => version !== UNKNOWN_VERSION && version !== OTHER_VERSIONS,
  )
  versions.sort((a, b) => rankOf(a) - rankOf(b) || a.localeCompare(b))
  const colours = new Map([
    [UNKNOWN_VERSION, '--offline'],
    [OTHER_VERSIONS, '--text-3'],
  ])
  const taken = new Set<number>()
  for (const version of versions) {
    let slot = rankOf(version) % SERIES_COLOURS
    for (let tries = 0; taken.has(slot) && tries < SERIES_COLOURS; tries++) slot = (slot + 1) % SERIES_COLOURS
    taken.add(slot)
    colours.set(version, seriesToken(slot))
  }
  return colours
}
