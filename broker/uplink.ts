/**
 * Makers for uplinks handled by the broker itself: `hot` messages become rows, `filed` ones are stored by code of their
 * own, `session` messages get a response.
 */
import type { z } from 'zod'
import type { Context } from '#infra/context'
import type { Log } from '#infra/log'
import type { Sql } from '#infra/postgres'
import type { Flat } from '#infra/quick-read'
import { ofKind } from '#schema/kit/kind'
import type { Downlink, Uplink } from '#schema/kit/message'
import type { Committer } from './committer.ts'
import type { EnrollingPeer } from './peer.ts'
import type { FileReading } from './variables/reading.ts'

export type Cell = number | string | null
/** Of a column; cells of `instant` are milliseconds since 1970. */
export type CellType = 'integer' | 'bigint' | 'real' | 'text' | 'instant'

/** A part of a buffer; creating a Buffer for each payload would cost more than parsing it. */
export type Slice = { bytes: Buffer; from: number; to: number }

export type HotUplink<P extends z.ZodType = z.ZodType> = {
  readonly kind: 'hotUplink'
  readonly uplink: Uplink<P>
  readonly table: string
  readonly columns: Readonly<Record<string, CellType>>
  /**
   * One cell per column, in their order, of the single values of a message. `atMs` is the timestamp to store. It may
   * return the same array each time: the cells are read at once.
   */
  row(deviceId: number, payload: Flat<z.output<P>>, atMs: number): Cell[]
  /** The device's own timestamp. */
  at(payload: Flat<z.output<P>>): number
  /**
   * Latest values, written behind: `update` gets a JSON array of `{ deviceId, at, …values }` as $1. If
   * absent, only the history is stored.
   */
  readonly latest?: { values(payload: z.output<P>): Record<string, unknown>; update: string }
}

/** Declares how a hot message becomes a row and a latest value. */
export const hot = <P extends z.ZodType>(d: Omit<HotUplink<P>, 'kind'>): HotUplink<P> => ({
  kind: 'hotUplink',
  ...d,
})

export type SessionUplink<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> = {
  readonly kind: 'sessionUplink'
  readonly uplink: Uplink<P>
  readonly reply: Downlink<R>
  /** Commits, and returns the response to send. Throws if the database is unavailable: it is retried. */
  answer(
    context: Pick<Context, 'sql' | 'log' | 'env'>,
    peer: Pick<EnrollingPeer, 'sn' | 'keyId'>,
    payload: z.output<P>,
  ): Promise<z.input<R>>
}

/** Declares an uplink to which the broker itself responds. */
export const session = <P extends z.ZodType, R extends z.ZodType>(
  d: Omit<SessionUplink<P, R>, 'kind'>,
): SessionUplink<P, R> => ({ kind: 'sessionUplink', ...d })

/** What the handler of a `filed` uplink gets. */
export type FilingTools = {
  /** The connection pool for ingest; replaced after a broken connection. */
  sql(): Sql
  /** Creates a separate group commit, which counts towards the same total. */
  committer<R>(insert: (rows: R[]) => Promise<unknown>): Committer<R>
  /** Stores a report about a terminal, from any source. */
  file: FileReading
  log: Log
  now(): Date
}
export type Filing<P> = {
  /**
   * Calls `done` once the message is committed or cannot be stored, `refuse` if the message is invalid; `warn` does not
   * keep it from being stored.
   */
  keep(
    deviceId: number,
    payload: P,
    bytes: number,
    done: (stored: boolean) => void,
    told: { refuse(fault: string): void; warn(fault: string): void },
  ): void
  /** A hello measured the device's clock: device minus platform in ms; null: it has none. */
  greeted(deviceId: number, skewMs: number | null): void
  close(): Promise<void>
}

/** A hot message whose rows depend on more than its own content. */
export type FiledUplink<P extends z.ZodType = z.ZodType> = {
  readonly kind: 'filedUplink'
  readonly uplink: Uplink<P>
  /** Connections of the database that it uses at the same time. */
  readonly lanes: number
  open(tools: FilingTools): Filing<z.output<P>>
}

/** Declares a hot message that is stored by code of its own. */
export const filed = <P extends z.ZodType>(d: Omit<FiledUplink<P>, 'kind'>): FiledUplink<P> => ({
  kind: 'filedUplink',
  ...d,
})

export type BrokerUplink = HotUplink | FiledUplink | SessionUplink

export const isBrokerUplink = ofKind<BrokerUplink>('hotUplink', 'filedUplink', 'sessionUplink')
