/** The rows that a batch of reports affects: loaded and locked, changed in memory, written once. */
import type { z } from 'zod'
import type { CommandState } from '#schema/command/command'
import type { hello } from '#schema/device/hello'
import type { Downlink } from '#schema/kit/message'
import type { TaskFailure, TaskStep, WaitedStep } from '#schema/kit/task-kind'
import { moved, placeText, type Sending, type TaskEvent, type TaskOutcome } from '#schema/task/moves'
import type { FileType } from '#schema/task/offered-file'
import type { Transaction } from '../kit/processor.ts'

export type Hello = z.output<(typeof hello)['payload']>

export type DeviceFacts = {
  id: number
  sn: string
  /** Its loaded items and commands; the same objects as in the maps. */
  items: ItemFacts[]
  commands: CommandFacts[]
  bootId: string | null
  firmware: string | null
  packages: Record<string, string> | null
  configHash: string | null
  /** Of the hello in this batch: the item whose configuration file it restored last. */
  configItem: string | null
  /** The last hello of this batch, to be written. */
  hello: { payload: Hello; receivedAt: Date } | null
}

export type ItemFacts = {
  id: string
  taskId: number
  deviceId: number
  kind: string
  command: string | null
  type: FileType | null
  packageName: string | null
  version: string | null
  targetHash: string | null
  /** The task's deadline for each step, in seconds. */
  deadlines: Partial<Record<WaitedStep, number>>
  step: TaskStep
  percent: number | null
  outcome: TaskOutcome | null
  failure: TaskFailure | null
  failureDetail: string | null
  heldUpBy: TaskFailure | null
  result: Record<string, unknown> | null
  sending: Sending
  /** The soak time of its task; null: the item is done as soon as it is proven. */
  soakMinutes: number | null
  soakSince: Date | null
  soakUntil: Date | null
  fromBootId: string | null
  /** How often it was offered so far. */
  offers: number
  stepAt: Date
  deadlineAt: Date
  changed: boolean
}

export type CommandFacts = {
  id: string
  deviceId: number
  name: string
  state: CommandState
  result: Record<string, unknown> | null
  error: string | null
  fromBootId: string | null
  endedAt: Date | null
  changed: boolean
}

export type Outgoing = { sn: string; message: Downlink; payload: unknown }
export type ItemEvent = { itemId: string; deviceId: number; at: Date; what: string; detail: string | null }
export type DeviceNote = { deviceId: number; at: Date; what: string; detail: string | null }
export type LogLine = {
  deviceId: number
  at: Date
  /** The device has no plausible clock: the same line sent again has another timestamp. */
  atIsOurs: boolean
  bootId: string
  seq: number
  priority: number
  tag: string | null
  text: string
}

/** `key` encrypts what must not be stored as it came: JWT_SECRET. */
export type KeptWrite = (tx: Transaction, rows: readonly unknown[], key: string) => Promise<unknown>

export type BatchState = {
  now: Date
  deadlineScale: number
  key: string
  devices: Map<number, DeviceFacts>
  items: Map<string, ItemFacts>
  commands: Map<string, CommandFacts>
  events: ItemEvent[]
  notes: DeviceNote[]
  logs: LogLine[]
  /** Rows of reports that are only stored, by the name of the message. */
  kept: Map<string, { rows: unknown[]; write: KeptWrite }>
  /**
   * Items that were called back before they began to install: each is replaced by a waiting item with a new
   * id.
   */
  withdrawn: ItemFacts[]
  /** Messages to publish after the commit. */
  outgoing: Outgoing[]
  /** An item has ended or waits again: any that wait may be due now. */
  dispatch: boolean
}

export const isActive = (item: ItemFacts) => item.outcome === null && item.sending !== 'none'

/**
 * Applies a transition of the table, in memory. @throws if the table has none from the current state, which
 * would be a bug.
 */
export function go(item: ItemFacts, event: TaskEvent, step?: TaskStep): void {
  const next = moved(item, event, step)
  if (!next) throw new Error(`a task item has no move ${event} from ${placeText(item)}`)
  item.changed ||= placeText(next) !== placeText(item)
  Object.assign(item, next)
}

/** Ends an item on the device's own report, so the device need not be informed. */
export function endItem(
  state: BatchState,
  item: ItemFacts,
  at: Date,
  end: { outcome: 'done' } | { outcome: 'failed'; failure: TaskFailure; detail: string | null },
): void {
  if (end.outcome === 'done' && item.soakMinutes !== null) {
    soakItem(state, item, at, item.soakMinutes)
    return
  }
  go(item, end.outcome === 'done' ? 'finish' : 'fail')
  item.percent = null
  item.stepAt = at
  state.dispatch = true
  if (end.outcome === 'failed') {
    item.failure = end.failure
    item.failureDetail = end.detail
  }
  const detail = end.outcome === 'failed' ? [end.failure, end.detail].filter(Boolean).join(': ') : null
  state.events.push({ itemId: item.id, deviceId: item.deviceId, at, what: end.outcome, detail })
}

/** The device has proved that it runs the target; the item is done when it has stayed healthy for the soak time. */
function soakItem(state: BatchState, item: ItemFacts, at: Date, minutes: number): void {
  go(item, 'soak')
  item.percent = null
  item.stepAt = at
  item.soakSince = state.now
  item.soakUntil = new Date(state.now.getTime() + minutes * 60_000 * state.deadlineScale)
  // A hello from another boot while it soaks is a relapse.
  item.fromBootId = state.devices.get(item.deviceId)?.bootId ?? item.fromBootId
  state.dispatch = true
  state.events.push({ itemId: item.id, deviceId: item.deviceId, at, what: 'soaking', detail: null })
}

/**
 * The device has reported that it has not begun to install and never will under this id: a new item takes its
 * place, because the device will refuse the old id.
 */
export function withdrawItem(state: BatchState, item: ItemFacts): void {
  go(item, 'withdraw')
  // Written together with its replacement, not with the others; earlier reports in this batch no longer
  // matter.
  item.changed = false
  state.withdrawn.push(item)
  // If the task has been resumed meanwhile, the new item may be sent.
  state.dispatch = true
}

/**
 * The device has reported that a running item has reached at least `step`; `news`: it has made progress and gets a new
 * deadline.
 */
export function moveItem(
  state: BatchState,
  item: ItemFacts,
  at: Date,
  to: { step: TaskStep; percent: number | null; news: boolean },
): void {
  const before = item.step
  // It was called back but installs anyway; or its report is older than the call.
  if (item.sending === 'withdrawing') go(item, to.step === 'upgrading' ? 'goOn' : 'lag', to.step)
  else go(item, 'speak', to.step)
  if (!to.news) return
  item.percent = to.percent
  item.heldUpBy = null
  item.changed = true
  const { step } = item
  if (step !== 'created' && step !== 'done')
    item.deadlineAt = new Date(state.now.getTime() + (item.deadlines[step] ?? 0) * 1000 * state.deadlineScale)
  if (step === before) return
  item.stepAt = at
  state.events.push({ itemId: item.id, deviceId: item.deviceId, at, what: step, detail: null })
}
