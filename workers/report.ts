/** How a kind of report is understood: the declaration, and what one such report changes in the loaded state. */
import type { z } from 'zod'
import type { Uplink } from '#schema/kit/message'
import type { BatchState, DeviceFacts } from './batch-state.ts'

/** One inbox row whose payload fits its schema. */
export type Received<P> = { device: DeviceFacts; payload: P; receivedAt: Date }

export type Report = {
  readonly kind: 'report'
  readonly uplink: Uplink
  /** Pure but for `state`, which is written back as a whole: reports of one batch see each other's changes. */
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

export const isReport = (value: unknown): value is Report =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'report'
