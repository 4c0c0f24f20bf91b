/** The maker of southbound adapters: how the messages of one kind of foreign source become values. Pure. */
import { ofKind } from '#schema/kit/kind'
import type { Quality } from '../fields.ts'
import type { SouthFault, SouthKind } from '../south-kinds.ts'

export type SouthMessage = {
  topic: string
  payload: Uint8Array
  /** When it came, in ms since 1970. */
  now: number
}

/** One value as its source names it; `at` in ms since 1970. */
export type SouthSample = {
  /** What the terminal is called there. */
  source: string
  name: string
  at: number
  value: number | string | boolean | null
  /** Only if the source says that it is not good. */
  quality?: Quality
  /** Stored history: never the newest value, and evaluated by no rule. */
  late?: true
  /** It is so now, whatever the clock of the source says: newer than an end of the source that came before it. */
  current?: true
}

export type SouthReading = {
  samples: SouthSample[]
  /** Sources that have gone: all that is known of them is no longer known from `at` on. */
  ended?: readonly { source: string; at: number }[]
  /** Sent back to the connection, at QoS 0. */
  answers?: readonly { topic: string; payload: Uint8Array }[]
  /** Something in it could not be read; the rest counts. */
  fault?: SouthFault
}

/** Where a mapping written by a user finds things; empty for other kinds. */
export type SouthMapping = Readonly<Partial<Record<MappingPart, string>>>
export const mappingParts = [
  'rowsAt',
  'terminalAt',
  'timeAt',
  'valuesAt',
  'nameAt',
  'valueAt',
  'named',
] as const
export type MappingPart = (typeof mappingParts)[number]

/** State of one account; stateless adapters have none. */
export type SouthSession = { read(message: SouthMessage): SouthReading }

export type SouthAdapter = {
  readonly kind: 'southAdapter'
  readonly name: SouthKind
  /** Filters of an account for which none are entered; with `fixed` the source cannot use others, and they may begin with `v1/`. */
  readonly topics: readonly string[]
  readonly fixed?: true
  open(mapping: SouthMapping): SouthSession
}

/** Values of one message; what is more is not read. */
export const SAMPLES_MAX = 5_000
/** Characters of the name of a terminal or a value. */
export const SOUTH_NAME_MAX = 1_000

export const southAdapter = (d: Omit<SouthAdapter, 'kind'>): SouthAdapter => ({ kind: 'southAdapter', ...d })
export const isSouthAdapter = ofKind<SouthAdapter>('southAdapter')
