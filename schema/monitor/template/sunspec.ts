/** Discovers the models of a SunSpec device, and creates variables from them. */

import type { RawRead } from '../commands/commissioning.ts'
import { at, type LibraryVariable } from '../library/library-template.ts'
import { bytesOfHex } from '../modbus/hex.ts'
import { SUNSPEC_COMMON, SUNSPEC_NONE, sunspecModels } from './sunspec-models.ts'

/** Where the map may begin, in the order of how common it is. */
export const SUNSPEC_BASES = [40_000, 0, 50_000] as const
/** "SunS". */
const MARK = [0x5375, 0x6e53]
const END = 0xffff
/** Limit of models: more means that the data is not a SunSpec map. */
const MODELS_MAX = 64

export type SunspecModel = { id: number; address: number; length: number }

/** A request for holding registers, or the end with what was found; null: no SunSpec device. */
export type WalkStep = { read: { address: number; count: number } } | { models: SunspecModel[] | null }
export type Walk = { base: number; address: number; models: SunspecModel[] }

/** base: index in SUNSPEC_BASES. */
export const startWalk = (): Walk => ({ base: 0, address: SUNSPEC_BASES[0], models: [] })

export const nextStep = ({ address, base, models }: Walk): WalkStep =>
  base >= SUNSPEC_BASES.length ? { models: null } : address < 0 ? { models } : { read: { address, count: 2 } }

/** @param words of the request of `nextStep`; null: an exception or no answer */
export function walkOn(walk: Walk, words: readonly number[] | null): Walk {
  const { base, address, models } = walk
  const [id = END, length = 0] = words ?? []
  if (address === SUNSPEC_BASES[base]) {
    const found = words !== null && id === MARK[0] && length === MARK[1]
    const next = found ? base : base + 1
    return { base: next, models, address: found ? address + 2 : (SUNSPEC_BASES[next] ?? -1) }
  }
  const end = address + 2 + length
  // Some devices answer the end with an exception instead of FFFFh.
  if (id === END || length === 0 || end > 65_535 || models.length >= MODELS_MAX)
    return { ...walk, address: -1 }
  return { base, address: end, models: [...models, { id, address, length }] }
}

/** Of a step of the walk. */
const TRIES = 3
/**
 * Whether the same is asked once more. A frame may have been disturbed; and without an answer inside of a map the walk would end as at
 * its end, without the models behind. Where a map may begin, silence means that there is none.
 */
export const isAskedAgain = (
  { base, address }: Walk,
  { outcome }: Pick<RawRead, 'outcome'>,
  tries: number,
): boolean =>
  tries < TRIES && (outcome === 'crc' || (outcome === 'timeout' && address !== SUNSPEC_BASES[base]))

/** What a device is, not what it measures. */
export const isDescriptive = ({ id }: Pick<SunspecModel, 'id'>): boolean => id === SUNSPEC_COMMON

/** Of a read of two registers; null: an exception, or no response to an address that does not exist. */
export function wordsOf({ outcome, data }: Pick<RawRead, 'outcome' | 'data'>): number[] | null {
  const bytes = outcome === 'answered' && data !== undefined ? bytesOfHex(data) : null
  return (
    bytes &&
    Array.from({ length: bytes.length >> 1 }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0))
  )
}

/** The variables of one model, with powers of ten read beside them. Empty for a model that is not known here. */
export const modelVariables = ({ id, address }: Pick<SunspecModel, 'id' | 'address'>): LibraryVariable[] =>
  (sunspecModels[id] ?? []).flatMap(({ key, at: offset, type, power, factor = 1 }) =>
    at('holding', type, { [key]: address + offset }, { factor, noValue: SUNSPEC_NONE[type] }).map(
      (variable) => ({
        ...variable,
        ...(power === undefined ? {} : { powerAddress: address + power }),
      }),
    ),
  )

/** Of a whole device. Where two models measure the same, as with several meters, the name says which. */
export function walkedVariables(models: readonly SunspecModel[]): LibraryVariable[] {
  const seen = new Map<string, number>()
  return models.flatMap(modelVariables).map((variable) => {
    const count = (seen.get(variable.key) ?? 0) + 1
    seen.set(variable.key, count)
    if (count === 1) return variable
    const [english, simplified, traditional] = variable.name
    const name = [`${english} (${count})`, `${simplified}（${count}）`, `${traditional}（${count}）`] as const
    return { ...variable, key: `${variable.key}_${count}`, name }
  })
}
