/**
 * Makers for uplinks handled by the broker itself: `hot` messages become rows, `session` messages get a
 * response.
 */
import type { z } from 'zod'
import type { Context } from '#infra/context'
import { ofKind } from '#schema/kit/kind'
import type { Downlink, Uplink } from '#schema/kit/message'
import type { EnrollingPeer } from './peer.ts'

export type Cell = number | string | null

export type HotUplink<P extends z.ZodType = z.ZodType> = {
  readonly kind: 'hotUplink'
  readonly uplink: Uplink<P>
  readonly table: string
  /** Column → type of its cells; numbers of milliseconds for `instant`. */
  readonly columns: Readonly<Record<string, 'integer' | 'bigint' | 'real' | 'text' | 'instant'>>
  /** One cell per column, in their order. `atMs` is the timestamp to store. */
  row(deviceId: number, payload: z.output<P>, atMs: number): Cell[]
  /** The device's own timestamp. */
  at(payload: z.output<P>): number
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
    context: Pick<Context, 'sql' | 'log'>,
    peer: EnrollingPeer,
    payload: z.output<P>,
  ): Promise<z.input<R>>
}

/** Declares an uplink to which the broker itself responds. */
export const session = <P extends z.ZodType, R extends z.ZodType>(
  d: Omit<SessionUplink<P, R>, 'kind'>,
): SessionUplink<P, R> => ({ kind: 'sessionUplink', ...d })

export type BrokerUplink = HotUplink | SessionUplink

export const isBrokerUplink = ofKind<BrokerUplink>('hotUplink', 'sessionUplink')
