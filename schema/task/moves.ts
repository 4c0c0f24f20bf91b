/**
 * The state machine of a task item as one table: which event causes which transition, and who triggers it. Every
 * write of `step`, `sending` and `outcome` is generated from it: SQL by `moveSql`, in memory by `moved`.
 * docs/task-engine.md is generated from it, and test/task-moves.test.ts fails for any other statement that writes
 * these columns.
 */
import { stepRank, type TaskStep, taskSteps } from '../kit/task-kind.ts'

/** A task is ongoing while one of its items runs. */
export const taskStatuses = ['ongoing', 'completed'] as const

/** How an item ended; null while it runs. */
export const taskOutcomes = ['done', 'failed', 'cancelled'] as const
export type TaskOutcome = (typeof taskOutcomes)[number]

/**
 * What is known about the message to the device. `none`: the device has no valid item. `intent`: committed, the
 * message may or may not have been sent. `sent`: the broker accepted it. `asking`: after a crash or long silence, the
 * device is being asked. `withdrawing`: called back, and until it responds it is unknown whether it has begun. `soaking`: it has
 * proved that it is done, and must stay healthy for a while.
 */
export const sendingStates = ['none', 'intent', 'sent', 'asking', 'withdrawing', 'soaking'] as const
export type Sending = (typeof sendingStates)[number]

export type Place = { sending: Sending; step: TaskStep; outcome: TaskOutcome | null }

const open = ['intent', 'sent', 'asking', 'withdrawing'] as const
const any = sendingStates
/** Steps that the device may not know about. */
const unheard = ['created', 'sent'] as const
const running = taskSteps.filter((step) => step !== 'done')
const beforeInstall = running.filter((step) => step !== 'upgrading')

type Mover = 'dispatcher' | 'sweeper' | 'device' | 'person'
type Move = {
  readonly by: readonly Mover[]
  readonly sending: readonly Sending[]
  readonly steps: readonly TaskStep[]
  /** Outcomes from which it starts; absent: the item runs. */
  readonly ended?: readonly TaskOutcome[]
  /** Only before the step from which its kind is locked. */
  readonly unlocked?: true
  /** The new values; `reported`: the step that the device reports, never an earlier one. */
  readonly to: {
    readonly sending?: Sending
    readonly step?: TaskStep | 'reported'
    readonly outcome?: TaskOutcome
  }
  /** For docs/task-engine.md. */
  readonly means: string
}

export const moves = {
  take: {
    by: ['dispatcher'],
    sending: ['none'],
    steps: unheard,
    to: { sending: 'intent' },
    means: 'its turn has come: the intent to send is committed',
  },
  leave: {
    by: ['dispatcher'],
    sending: ['intent'],
    steps: unheard,
    to: { sending: 'sent', step: 'sent' },
    means: 'the broker has acknowledged the message',
  },
  arrive: {
    by: ['dispatcher'],
    sending: ['none', 'intent'],
    steps: unheard,
    to: { sending: 'none', step: 'done', outcome: 'done' },
    means: 'the device has the target already: nothing is sent',
  },
  ask: {
    by: ['sweeper', 'device'],
    sending: ['intent', 'sent', 'asking'],
    steps: unheard,
    to: { sending: 'asking' },
    means: 'a crash, silence or a hello leaves it open whether the message arrived: the device is asked',
  },
  forget: {
    by: ['device'],
    sending: ['asking'],
    steps: unheard,
    to: { sending: 'none' },
    means: 'asked, the device does not know the item: it is sent again under the same id',
  },
  speak: {
    by: ['device'],
    sending: ['none', 'intent', 'sent', 'asking'],
    steps: running,
    to: { sending: 'sent', step: 'reported' },
    means: 'the device reports a step',
  },
  lag: {
    by: ['device'],
    sending: ['withdrawing'],
    steps: beforeInstall,
    to: { step: 'reported' },
    means:
      'called back, it reports a step before installing: the report is older than the recall, whose response is still due',
  },
  goOn: {
    by: ['device'],
    sending: ['withdrawing'],
    steps: running,
    to: { sending: 'sent', step: 'upgrading' },
    means: 'called back too late: it installs',
  },
  finish: {
    by: ['device'],
    sending: open,
    steps: running,
    to: { sending: 'none', step: 'done', outcome: 'done' },
    means: 'the proof that the kind requires has arrived',
  },
  soak: {
    by: ['device'],
    sending: open,
    steps: running,
    to: { sending: 'soaking', step: 'upgrading' },
    means: 'the proof has arrived, but its task requires that it stays healthy for a while',
  },
  pass: {
    by: ['sweeper'],
    sending: ['soaking'],
    steps: running,
    to: { sending: 'none', step: 'done', outcome: 'done' },
    means: 'it stayed healthy for the time that its task requires',
  },
  relapse: {
    by: ['sweeper', 'person'],
    sending: ['soaking'],
    steps: running,
    to: { sending: 'none', outcome: 'failed' },
    means: 'it did not stay healthy: offline, without WAN, or with a new alarm; or a user rolls it back',
  },
  fail: {
    by: ['device', 'dispatcher'],
    sending: any,
    steps: running,
    to: { sending: 'none', outcome: 'failed' },
    means:
      'the device says that it failed, or comes back without the target; or what it is to be sent cannot be made',
  },
  withdraw: {
    by: ['device'],
    sending: ['withdrawing'],
    steps: running,
    to: { sending: 'none', outcome: 'cancelled' },
    means: 'called back in time: a new item takes its place',
  },
  callBack: {
    by: ['sweeper'],
    sending: open,
    steps: running,
    unlocked: true,
    to: { sending: 'withdrawing' },
    means:
      'its task is paused, its hours are over, or it has yet to download and fell to mobile data that its task forbids: the device is sent the cancel and an inquiry',
  },
  silence: {
    by: ['sweeper'],
    sending: any,
    steps: running,
    to: { outcome: 'failed' },
    means: 'its deadline has passed; the device is not yet informed',
  },
  cancel: {
    by: ['person'],
    sending: any,
    steps: running,
    unlocked: true,
    to: { outcome: 'cancelled' },
    means: 'a user cancels it; the device is not yet informed',
  },
  dismiss: {
    by: ['person', 'sweeper'],
    sending: any,
    steps: running,
    to: { outcome: 'cancelled' },
    means:
      'its device is deleted, replaced, moved to another customer, no longer visible to the sender, rolled back, or brought to another version by a later task; or its task is not approved',
  },
  tell: {
    by: ['sweeper'],
    sending: [...open, 'soaking'],
    steps: running,
    ended: ['failed', 'cancelled'],
    to: { sending: 'none' },
    means: 'the device has been informed that the item is over',
  },
} as const satisfies Record<string, Move>

export type TaskEvent = keyof typeof moves
export const taskEvents = Object.keys(moves) as TaskEvent[]
const moveOf = (event: TaskEvent): Move => moves[event]

/**
 * The result of `event` for an item, null if the table has no such transition. `step`: the reported one. The caller
 * must check the lock of the kind (`isLocked`).
 */
export function moved(at: Place, event: TaskEvent, step: TaskStep = at.step): Place | null {
  const move = moveOf(event)
  const starts = move.ended ? at.outcome !== null && move.ended.includes(at.outcome) : at.outcome === null
  if (!starts || !move.sending.includes(at.sending) || !move.steps.includes(at.step)) return null
  const next = move.to.step === 'reported' ? step : (move.to.step ?? at.step)
  if (move.to.step === 'reported' && (next === 'done' || stepRank(next) < stepRank(at.step))) return null
  return { sending: move.to.sending ?? at.sending, step: next, outcome: move.to.outcome ?? at.outcome }
}

const list = (values: readonly string[]) => `(${values.map((value) => `'${value}'`).join(', ')})`

/**
 * The assignments and the condition of an UPDATE of `task_items`. All values are constants of this file, so they are
 * inlined in the SQL. `unlocked`: the condition of `unlockedSql`, for transitions that respect the lock.
 */
export function moveSql(event: TaskEvent, alias = 'i', unlocked?: string): { set: string; where: string } {
  const { sending, steps, ended, to, ...move } = moveOf(event)
  if (to.step === 'reported') throw new Error(`${event} needs a device report: see moved()`)
  if ((move.unlocked === true) !== (unlocked !== undefined))
    throw new Error(`${event}: a lock condition for a transition without one`)
  const set = [
    ...(to.sending ? [`sending = '${to.sending}'`] : []),
    ...(to.step ? [`step = '${to.step}'`] : []),
    ...(to.outcome ? [`outcome = '${to.outcome}'`, 'percent = null'] : []),
  ]
  const where = [
    ended ? `${alias}.outcome in ${list(ended)}` : `${alias}.outcome is null`,
    `${alias}.sending in ${list(sending)}`,
    `${alias}.step in ${list(steps)}`,
    ...(unlocked === undefined ? [] : [unlocked]),
  ]
  return { set: set.join(', '), where: `(${where.join(' and ')})` }
}

/** Writes the results of `moved` for a set of items: `alias` is a record with these columns. */
export const movedSql = (alias: string) =>
  `step = ${alias}.step, sending = ${alias}.sending, outcome = ${alias}.outcome`

/** An item that was taken and has no step yet counts as sent: the message may have been sent. */
export const stepTaken = ({ step, sending }: Pick<Place, 'step' | 'sending'>): TaskStep =>
  step === 'created' && sending !== 'none' ? 'sent' : step

type Lock = { readonly name: string; readonly lockedFrom: TaskStep }

export const isLocked = ({ lockedFrom }: Pick<Lock, 'lockedFrom'>, at: Pick<Place, 'step' | 'sending'>) =>
  stepRank(stepTaken(at)) >= stepRank(lockedFrom)

/** SQL: an item `i` of a task `t` is before the lock of its kind. */
export function unlockedSql(kinds: Iterable<Lock>, i = 'i', t = 't'): string {
  const byLock = new Map<TaskStep, string[]>()
  for (const { name, lockedFrom } of kinds) byLock.set(lockedFrom, [...(byLock.get(lockedFrom) ?? []), name])
  const step = `case when ${i}.step = 'created' and ${i}.sending <> 'none' then 'sent' else ${i}.step end`
  const parts = [...byLock].map(([lockedFrom, names]) => {
    const steps = taskSteps.filter((name) => stepRank(name) < stepRank(lockedFrom))
    return `(${t}.kind in ${list(names)} and ${step} in ${list(steps)})`
  })
  return `(${parts.join(' or ') || 'false'})`
}

const places = (): Place[] =>
  sendingStates.flatMap((sending) =>
    taskSteps.flatMap((step) => [null, ...taskOutcomes].map((outcome) => ({ sending, step, outcome }))),
  )
export const placeText = ({ sending, step, outcome }: Place) => `${sending} ${step} ${outcome ?? '-'}`

/**
 * Every transition that one statement may write. Reports of one device are applied in memory, several at a time, and
 * written once: so any sequence of the device's transitions is allowed.
 */
export function writable(): Set<string> {
  const pairs = new Set<string>()
  const next = (at: Place, events: readonly TaskEvent[]) =>
    events.flatMap((event) => taskSteps.flatMap((step) => moved(at, event, step) ?? []))
  const theirs = taskEvents.filter((event) => moveOf(event).by.includes('device'))
  for (const from of places()) {
    for (const to of next(from, taskEvents)) pairs.add(`${placeText(from)} > ${placeText(to)}`)
    const seen = new Map([[placeText(from), from]])
    const queue = [from]
    for (let at = queue.pop(); at; at = queue.pop())
      for (const to of next(at, theirs)) {
        pairs.add(`${placeText(from)} > ${placeText(to)}`)
        if (seen.has(placeText(to))) continue
        seen.set(placeText(to), to)
        queue.push(to)
      }
  }
  return pairs
}
