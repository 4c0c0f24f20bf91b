/** Drift: how the running configuration differs from the desired one. A mere reordering of options does not count. */
import type { UciDoc } from './uci.ts'
import { diffUci, type UciChange } from './uci-diff.ts'

export type Drift = UciChange & {
  /** Names the difference, for "ignore": `network.wan.metric`, `firewall.@rule[2]`. */
  readonly key: string
}

type Place = Pick<UciChange, 'package' | 'section' | 'option'>
export const keyOf = ({ package: of, section: { type, name, index }, option }: Place): string =>
  [of, name ?? `@${type}[${index}]`, ...(option === undefined ? [] : [option])].join('.')

/**
 * The differences from what was set to what runs, without the ignored ones. Packages that did not exist then are
 * ignored: they were installed later.
 */
export function driftOf(desired: UciDoc, running: UciDoc, ignored: ReadonlySet<string>): readonly Drift[] {
  const compared = Object.fromEntries(Object.entries(running).filter(([name]) => name in desired))
  return diffUci(desired, compared)
    .map((change) => ({ ...change, key: keyOf(change) }))
    .filter(({ key }) => !ignored.has(key))
}
