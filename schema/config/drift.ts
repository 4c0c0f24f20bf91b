/** What a device runs otherwise than it was set: real differences, a mere reordering of options is none. */
import type { UciDoc } from './uci.ts'
import { diffUci, type UciChange } from './uci-diff.ts'

export type Drift = UciChange & {
  /** Names the difference, for "ignore": `network.wan.metric`, `firewall.@rule[2]`. */
  readonly key: string
}

const keyOf = ({ package: of, section: { type, name, index }, option }: UciChange): string =>
  [of, name ?? `@${type}[${index}]`, ...(option === undefined ? [] : [option])].join('.')

/**
 * The differences from what was set to what runs, without the ignored ones. Packages that were not there when it was
 * set say nothing: somebody installed them.
 */
export function driftOf(desired: UciDoc, running: UciDoc, ignored: ReadonlySet<string>): readonly Drift[] {
  const compared = Object.fromEntries(Object.entries(running).filter(([name]) => name in desired))
  return diffUci(desired, compared)
    .map((change) => ({ ...change, key: keyOf(change) }))
    .filter(({ key }) => !ignored.has(key))
}
