/** How the items of a kind reach their devices: one carrier for each way of sending that kinds declare. */
import { ofKind } from '#schema/kit/kind'
import type { Sends } from '#schema/kit/task-kind'
import type { Outgoing } from '../inbox/batch-state.ts'
import type { WorkerContext } from '../kit/processor.ts'

/** An item that was taken to be sent, with the data that its task copied. */
export type TakenRow = {
  id: string
  deviceId: number
  sn: string
  kind: string
  command: string | null
  args: Record<string, unknown> | null
  /** The data of a change for many devices from which the arguments of each device are built. */
  taskArgs: Record<string, unknown> | null
  deadlineAt: Date
  type: string | null
  packageName: string | null
  model: string | null
  version: string | null
  sizeBytes: number | null
  sha256: string | null
  md5: string | null
  signature: string | null
  keepConfig: boolean | null
  server: string | null
  /** Its task has a rate per second. */
  paced: boolean
}
type To = { readonly id: string; readonly sn: string }

export type Carrier = {
  readonly kind: 'carrier'
  readonly by: Sends['by']
  readonly send: (ctx: Pick<WorkerContext, 'env' | 'now'>, row: TakenRow) => Outgoing
  /** Asks what the device knows of the item; it responds immediately. */
  readonly ask: (to: To) => Outgoing
  /** Tells the device not to begin, or to stop; null: it cannot be called back. */
  readonly callBack: ((to: To) => Outgoing) | null
}

export const carrier = (d: Omit<Carrier, 'kind'>): Carrier => ({ kind: 'carrier', ...d })
export const isCarrier = ofKind<Carrier>('carrier')
