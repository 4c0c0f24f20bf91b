/** The polls of a plan on one bus: their order, and what a response or a timeout means for the slave. */
import type { Quality, SlaveState } from '#schema/monitor/fields'
import { exceptions } from '#schema/monitor/modbus/pdu'
import { afterTry, freshBudget, spendProbe } from '#schema/monitor/plan/breaker'
import type { Ask, Bus, Polled } from './bus.ts'
import type { Job, PolledSlave } from './polled-slave.ts'
import { failureOf, isFromSlave } from './reading.ts'
import type { Reply } from './wire.ts'

/** A busy slave is polled again after this time. */
const BUSY_PAUSE_MS = 100
/** Without a connection a silent slave is not tried; the bus connects by itself. */
const PATH_PAUSE_MS = 1_000
/** Delay while other probes have used up their share of the bus. */
const BUDGET_PAUSE_MS = 500

type Owner = {
  /** Milliseconds since the start of the device, and since 1970. */
  uptime(): number
  now(): number
  pause(ms: number): Promise<void>
  stateChanged(): void
}
type Next = { slave: PolledSlave; job: Job; at: number; isProbe: boolean }

export class BusPolls implements Polled {
  readonly #owner: Owner
  readonly #bus: Bus
  readonly #slaves: readonly PolledSlave[]
  #budget = freshBudget(performance.now())

  constructor(owner: Owner, bus: Bus, slaves: readonly PolledSlave[]) {
    this.#owner = owner
    this.#bus = bus
    this.#slaves = slaves
  }

  due(): number | null {
    return this.#next()?.at ?? null
  }

  async poll(ask: Ask): Promise<void> {
    const next = this.#next()
    if (!next) return
    const { slave, job, isProbe } = next
    const now = performance.now()
    if (isProbe) {
      const budget = spendProbe(this.#budget, slave.plan.timeoutMs, now)
      if (!budget) return this.#postpone(slave, now + BUDGET_PAUSE_MS)
      this.#budget = budget
    } else slave.sent(job, now)
    this.#settle(slave, job, await this.#read(ask, slave, job, isProbe))
  }

  #next(): Next | null {
    let first: Next | null = null
    const offer = (slave: PolledSlave, job: Job | undefined, at: number, isProbe: boolean) => {
      if (job && (first === null || at < first.at)) first = { slave, job, at, isProbe }
    }
    for (const slave of this.#slaves) {
      if (slave.breaker.state === 'open') offer(slave, slave.jobs[0], slave.breaker.probeAt, true)
      else for (const job of slave.jobs) offer(slave, job, job.due.dueAt, false)
    }
    return first
  }

  #postpone(slave: PolledSlave, probeAt: number): void {
    const { breaker } = slave
    if (breaker.state === 'open') slave.breaker = { ...breaker, probeAt: Math.max(breaker.probeAt, probeAt) }
  }

  /** Retries after a timeout, a damaged response, or if the slave is busy. A probe is not retried. */
  async #read(ask: Ask, slave: PolledSlave, { fn, piece }: Job, isProbe: boolean): Promise<Reply> {
    const { unit, retries, timeoutMs } = slave.plan
    const request = { fn, address: piece.address, count: piece.count }
    for (let left = isProbe ? 0 : retries; ; left--) {
      const reply = await ask(unit, request, timeoutMs)
      if (reply.problem === 'noPath') return reply
      const wasOpen = slave.breaker.state === 'open'
      slave.breaker = afterTry(slave.breaker, isFromSlave(reply), performance.now(), Math.random())
      if (wasOpen && slave.breaker.state === 'closed') slave.hurry(performance.now())
      const exception = reply.answer && 'exception' in reply.answer ? reply.answer.exception : null
      const isBusy = exception === exceptions.busy || exception === exceptions.acknowledge
      const isAgain = reply.problem !== null || isBusy
      if (!isAgain || left <= 0 || slave.breaker.state === 'open') return reply
      if (isBusy) await this.#owner.pause(BUSY_PAUSE_MS)
    }
  }

  #settle(slave: PolledSlave, job: Job, reply: Reply): void {
    const up = this.#owner.uptime()
    const now = performance.now()
    const failure = failureOf(reply)
    if (failure === 'noPath') {
      this.#postpone(slave, now + PATH_PAUSE_MS)
      this.#lose(slave, 'noPath', up)
      return
    }
    if (slave.breaker.state === 'open') {
      this.#lose(slave, 'slaveOffline', up)
      if (this.#slaves.every(({ breaker }) => breaker.state === 'open')) this.#bus.reconnect()
      return
    }
    if (isFromSlave(reply)) this.#become(slave, 'answering')
    if (reply.answer && failure === null && !('exception' in reply.answer)) slave.took(job, reply.answer, up)
    else if (failure !== 'badAddress' || !slave.split(job, now)) slave.lost(job, failure ?? 'badData', up)
  }

  /** Marks all of its variables at once: it is no longer polled. */
  #lose(slave: PolledSlave, quality: Extract<Quality, 'noPath' | 'slaveOffline'>, up: number): void {
    this.#become(slave, quality === 'noPath' ? 'noPath' : 'silent')
    slave.lostAll(quality, up)
  }

  #become(slave: PolledSlave, state: SlaveState): void {
    if (slave.state === state) return
    slave.state = state
    slave.since = this.#owner.now()
    this.#owner.stateChanged()
  }
}
