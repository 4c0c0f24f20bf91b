import { describe, expect, it } from 'vitest'
import { afterTry, type Breaker, closedBreaker, connectDelay, freshBudget, spendProbe } from './breaker.ts'
import { HEARTBEAT_MS, onReading, onTime, type ReportRule, type ReportState, unreported } from './report.ts'
import { afterTurn, chooseTurn, firstDue, freshTurns, nextDue, phaseOf, type Turn } from './schedule.ts'

describe('what is reported', () => {
  const S = 1_000
  type Poll = [second: number, value: number | null]
  function sent(rule: ReportRule, polls: readonly Poll[]) {
    let state: ReportState = unreported
    const reports: Poll[] = []
    for (const [second, value] of polls) {
      for (const decide of [
        () => onTime(state, rule, second * S),
        () => onReading(state, rule, { at: second * S, value, quality: value === null ? 1 : 0 }),
      ]) {
        const { state: next, send } = decide()
        state = next
        if (send) reports.push([send.at / S, send.value === null ? null : Number(send.value)])
      }
    }
    return reports
  }
  const polls: Poll[] = [
    [0, 50],
    [4, 51],
    [8, 53],
    [12, 53],
    [16, null],
    [20, null],
    [24, 53],
    [28, 56],
    [32, 56],
  ]

  it.each<[string, ReportRule, number[]]>([
    ['each difference', { report: 'change', cycleMs: 60 * S }, [0, 4, 8, 16, 24, 28]],
    ['beyond the deadband only', { report: 'change', cycleMs: 60 * S, deadband: 2 }, [0, 8, 16, 24, 28]],
    [
      'the deadband is measured from what was sent',
      { report: 'change', cycleMs: 60 * S, deadband: 5 },
      [0, 16, 24],
    ],
    ['the newest of each cycle', { report: 'cycle', cycleMs: 12 * S }, [0, 12, 24]],
    ['either', { report: 'both', cycleMs: 6 * S, deadband: 5 }, [0, 8, 16, 24, 32]],
    [
      'not oftener than the shortest interval',
      { report: 'change', cycleMs: 60 * S, minIntervalMs: 10 * S },
      [0, 8, 20],
    ],
  ])('%s', (_, rule, seconds) => {
    expect(sent(rule, polls).map(([at]) => at)).toEqual(seconds)
  })

  it('is delayed with its own timestamp, and only the last one is kept', () => {
    const rule: ReportRule = { report: 'change', cycleMs: 60 * S, minIntervalMs: 10 * S }
    expect(
      sent(rule, [
        [0, 1],
        [2, 5],
        [6, 9],
        [20, 9],
      ]),
    ).toEqual([
      [0, 1],
      [6, 9],
    ])
    // What came back before it could be sent is no change.
    expect(
      sent(rule, [
        [0, 1],
        [2, 5],
        [6, 1],
        [20, 1],
      ]),
    ).toEqual([[0, 1]])
  })

  it('does not lose a cycle because polls come a little early or late', () => {
    const jitter = Array.from({ length: 50 }, (_, i): Poll => [10 * i + (i % 3) * 0.4 - (i % 2) * 0.3, 1])
    expect(sent({ report: 'cycle', cycleMs: 10 * S }, jitter).length).toBe(50)
  })

  it('is at least one value an hour', () => {
    const day = Array.from({ length: 24 * 60 }, (_, i): Poll => [60 * i, 7])
    expect(sent({ report: 'change', cycleMs: 60 * S }, day).length).toBe(24)
    expect(HEARTBEAT_MS).toBe(3_600_000)
  })

  it('compares 64-bit numbers and texts', () => {
    const rule: ReportRule = { report: 'change', cycleMs: S }
    const first = onReading(unreported, rule, { at: 0, value: '9007199254740993', quality: 0 })
    expect(onReading(first.state, rule, { at: 1, value: '9007199254740993', quality: 0 }).send).toBeNull()
    expect(onReading(first.state, rule, { at: 1, value: '9007199254740995', quality: 0 }).send).not.toBeNull()
  })
})

describe('the breaker of a slave', () => {
  const silent = (breaker: Breaker, now: number) => afterTry(breaker, false, now, 0.5)

  it('opens after three failed tries in a row, and not when one of them was answered', () => {
    let breaker: Breaker = closedBreaker
    breaker = silent(silent(breaker, 0), 1)
    breaker = silent(afterTry(breaker, true, 2, 0.5), 3)
    expect(silent(breaker, 4).state).toBe('closed')
    expect(silent(silent(breaker, 4), 5)).toEqual({ state: 'open', since: 5, probes: 0, probeAt: 5_005 })
  })

  it('probes after 5, 10, 20 and 40 s, then each minute, spread by a fifth', () => {
    let breaker = [0, 0, 0].reduce(silent, closedBreaker as Breaker)
    const delays: number[] = []
    for (let i = 0; i < 6; i++) {
      if (breaker.state !== 'open') throw new Error('closed')
      const { probeAt } = breaker
      breaker = silent(breaker, probeAt)
      if (breaker.state === 'open') delays.push((breaker.probeAt - probeAt) / 1_000)
    }
    expect(delays).toEqual([10, 20, 40, 60, 60, 60])
    expect(afterTry(closedBreaker, false, 0, 0)).toEqual({ state: 'closed', failures: 1 })
    const early = [0, 0, 0].reduce((one: Breaker, now) => afterTry(one, false, now, 0), closedBreaker)
    expect(early).toMatchObject({ probeAt: 4_000 })
    expect(afterTry(breaker, true, 9, 0.5)).toEqual(closedBreaker)
  })

  it('of all slaves together leave nine tenths of the bus to the living', () => {
    let budget = freshBudget(0)
    let spent = 0
    for (let now = 0; now < 600_000; now += 100) {
      const next = spendProbe(budget, 1_000, now)
      if (!next) continue
      budget = next
      spent += 1_000
    }
    expect(spent).toBeGreaterThan(55_000)
    expect(spent).toBeLessThanOrEqual(63_000)
    // A probe that takes longer than the budget holds is made all the same.
    expect(spendProbe(freshBudget(0), 10_000, 0)).toEqual({ ms: -7_000, at: 0 })
  })

  it('of a connection tries again after 1 s up to 60 s', () => {
    expect([1, 2, 3, 6, 7, 50].map((failures) => connectDelay(failures, 0.5))).toEqual([
      1_000, 2_000, 4_000, 32_000, 60_000, 60_000,
    ])
  })
})

describe('the schedule', () => {
  it('reads everything once, then by its grid', () => {
    const first = firstDue(1_000, 700, 5_000)
    expect(first.dueAt).toBe(1_000)
    const second = nextDue(first, 1_050)
    expect(second).toMatchObject({ dueAt: 1_700, missed: 0 })
    expect(nextDue(second, 1_720)).toMatchObject({ dueAt: 6_700, missed: 0 })
  })

  it('skips and counts what the bus had no time for', () => {
    const due = nextDue(firstDue(0, 0, 1_000), 10)
    expect(nextDue(due, 4_200)).toMatchObject({ dueAt: 5_000, missed: 3 })
  })

  it('spreads requests of one period', () => {
    const phases = Array.from({ length: 200 }, (_, t) => phaseOf(t, 0, 1_000))
    expect(phases).toEqual(Array.from({ length: 200 }, (_, t) => phaseOf(t, 0, 1_000)))
    const tenths = Map.groupBy(phases, (phase) => Math.floor(phase / 100))
    expect(tenths.size).toBe(10)
    expect(Math.max(...[...tenths.values()].map(({ length }) => length))).toBeLessThan(50)
  })

  it.each<[string, Record<Turn, boolean>, string]>([
    [
      'commands go first, each third turn is a poll',
      { command: true, poll: true, scan: false },
      'ccpccpccpccp',
    ],
    ['a scan has a quarter', { command: false, poll: true, scan: true }, 'pppspppsppps'],
    ['also beside commands', { command: true, poll: true, scan: true }, 'ccpsccpsccps'],
    ['what is alone waits for nobody', { command: false, poll: false, scan: true }, 'ssssssssssss'],
    ['commands alone', { command: true, poll: false, scan: false }, 'cccccccccccc'],
    ['nothing', { command: false, poll: false, scan: false }, ''],
  ])('%s', (_, waiting, expected) => {
    let turns = freshTurns
    let order = ''
    for (let i = 0; i < 12; i++) {
      const turn = chooseTurn(turns, waiting)
      if (!turn) break
      order += turn[0]
      turns = afterTurn(turns, turn)
    }
    expect(order).toBe(expected)
  })
})
