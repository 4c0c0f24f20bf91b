/** Maker of the handler of a kind of report: the declaration, and how one report changes the loaded state. */
import type { z } from 'zod'
import { ofKind } from '#schema/kit/kind'
import type { Uplink } from '#schema/kit/message'
import type { BatchState, DeviceFacts, KeptWrite } from '../inbox/batch-state.ts'
import type { Transaction } from './processor.ts'

/** One inbox row whose payload matches its schema. */
export type Received<P> = { device: DeviceFacts; payload: P; receivedAt: Date }

export type Report = {
  readonly kind: 'report'
  readonly uplink: Uplink
  /**
   * Pure except for `state`, which is written back as a whole: reports of one batch see each other's changes.
   */
  readonly apply: (state: BatchState, received: Received<unknown>) => void
}

export function report<P extends z.ZodType>(
  uplink: Uplink<P>,
  apply: (state: BatchState, received: Received<z.output<P>>) => void,
): Report {
  return {
    kind: 'report',
    uplink,
    apply: (state, received) => apply(state, received as Received<z.output<P>>),
  }
}

/** Adds rows that `write` stores together with those of the whole batch. */
export function keep<R>(
  state: BatchState,
  name: string,
  rows: readonly R[],
  write: (tx: Transaction, rows: readonly R[], key: string) => Promise<unknown>,
): void {
  const kept = state.kept.get(name) ?? { rows: [] as R[], write: write as KeptWrite }
  ;(kept.rows as R[]).push(...rows)
  state.kept.set(name, kept)
}

/**
 * A report that is only stored: `rowsOf` turns one message into rows, `write` stores the rows of a whole
 * batch as one set, in arrival order. It must be idempotent: messages may be repeated.
 */
export function keptReport<P extends z.ZodType, R>(
  uplink: Uplink<P>,
  rowsOf: (received: Received<z.output<P>>) => readonly R[],
  write: (tx: Transaction, rows: readonly R[], key: string) => Promise<unknown>,
): Report {
  return {
    kind: 'report',
    uplink,
    apply: (state, received) => keep(state, uplink.name, rowsOf(received as Received<z.output<P>>), write),
  }
}

export const isReport = ofKind<Report>('report')
