import { describe, expect, it } from 'vitest'
import { stepRank, type TaskFailure, type TaskStep, taskFailures, taskSteps } from '../kit/task-kind.ts'
import { parameters } from '../platform/parameter-list.ts'
import { rebootKind } from './kinds/reboot.ts'
import { upgradeKind } from './kinds/upgrade.ts'
import { isLocked } from './moves.ts'
import {
  applyReport,
  arrived,
  helloMeans,
  type ItemReport,
  type ItemState,
  installedVersion,
  silenceFailure,
} from './task.ts'

const at = (step: TaskStep, percent: number | null = null): ItemState => ({ step, percent, outcome: null })

describe('a report of progress', () => {
  const reported = ['connected', 'downloading', 'downloaded', 'upgrading'] as const

  it('moves an item forward to any later step, and never back or in place', () => {
    for (const from of taskSteps)
      for (const to of reported) {
        const next = applyReport(at(from, from === 'downloading' ? 100 : null), { step: to })
        if (stepRank(to) > stepRank(from))
          expect(next, `${from} → ${to}`).toEqual({
            step: to,
            percent: to === 'downloading' ? 0 : null,
            outcome: null,
            failure: null,
          })
        else expect(next, `${from} → ${to}`).toBeNull()
      }
  })

  const table: [string, ItemState, ItemReport, ReturnType<typeof applyReport>][] = [
    [
      'a higher percentage counts',
      at('downloading', 35),
      { step: 'downloading', percent: 40 },
      { ...at('downloading', 40), failure: null },
    ],
    ['the same percentage is a repeat', at('downloading', 35), { step: 'downloading', percent: 35 }, null],
    ['a lower percentage is out of order', at('downloading', 35), { step: 'downloading', percent: 5 }, null],
    [
      'a first download without percentage begins at 0',
      at('connected'),
      { step: 'downloading' },
      { ...at('downloading', 0), failure: null },
    ],
    ['a late download after its end is old', at('downloaded'), { step: 'downloading', percent: 99 }, null],
    [
      'done is never taken from a report, it counts as upgrading',
      at('downloaded'),
      { step: 'done' },
      { ...at('upgrading'), failure: null },
    ],
    ['done while upgrading changes nothing', at('upgrading'), { step: 'done' }, null],
    ['unknown changes nothing', at('sent'), { step: 'unknown' }, null],
    [
      'a failure without reason is unknownError',
      at('connected'),
      { step: 'failed' },
      { ...at('connected'), outcome: 'failed', failure: 'unknownError' },
    ],
  ]
  it.each(table)('%s', (_, now, report, expected) => {
    expect(applyReport(now, report)).toEqual(expected)
  })

  it('fails an item with each of the eleven reasons, in its current step', () => {
    expect(taskFailures).toHaveLength(11)
    for (const failure of taskFailures)
      expect(applyReport(at('downloading', 50), { step: 'failed', failure })).toEqual({
        step: 'downloading',
        percent: 50,
        outcome: 'failed',
        failure,
      })
  })

  it('changes nothing after the end', () => {
    for (const outcome of ['done', 'failed', 'cancelled'] as const)
      for (const step of [...reported, 'failed', 'done', 'unknown'] as const)
        expect(applyReport({ step: 'connected', percent: null, outcome }, { step })).toBeNull()
  })
})

describe('a hello', () => {
  const table: [TaskStep, boolean, boolean, ReturnType<typeof helloMeans>][] = [
    // step, target reached, other boot, meaning
    ['created', false, false, 'ask'],
    ['created', true, true, 'ask'],
    ['sent', false, true, 'ask'],
    ['sent', true, false, 'ask'],
    ['sent', true, true, 'done'],
    ['connected', true, true, 'done'],
    ['downloading', false, true, 'ask'],
    ['downloaded', true, true, 'done'],
    ['downloaded', true, false, 'ask'],
    ['upgrading', true, true, 'done'],
    ['upgrading', true, false, 'done'],
    ['upgrading', false, true, 'failed'],
    ['upgrading', false, false, null],
  ]
  it.each(table)('in step %s, target reached %s, rebooted %s means %s', (step, target, rebooted, meaning) => {
    expect(helloMeans(step, { arrived: target, rebooted })).toBe(meaning)
  })

  it('is compared by firmware for upgrades and by the named package for others', () => {
    const said = { firmware: '2.0', packages: { luci: '24.10' } }
    expect(arrived({ type: 'upgrade', packageName: 'luci', version: '2.0' }, said)).toBe(true)
    expect(arrived({ type: 'upgrade', packageName: 'luci', version: '24.10' }, said)).toBe(false)
    expect(arrived({ type: 'patch', packageName: 'luci', version: '24.10' }, said)).toBe(true)
    expect(arrived({ type: 'ordinary', packageName: 'vim', version: '24.10' }, said)).toBe(false)
    expect(
      installedVersion({ type: 'patch', packageName: 'luci' }, { firmware: '1', packages: null }),
    ).toBeNull()
  })
})

describe('silence', () => {
  const table: [TaskStep, TaskFailure, TaskFailure][] = [
    // step, online, offline
    ['created', 'deviceOffline', 'deviceOffline'],
    ['sent', 'connectTimeout', 'deviceOffline'],
    ['connected', 'downloadTimeout', 'deviceOffline'],
    ['downloading', 'downloadTimeout', 'deviceOffline'],
    ['downloaded', 'unknownError', 'deviceOffline'],
    ['upgrading', 'connectTimeout', 'connectTimeout'],
  ]
  it.each(table)('in step %s is %s online and %s offline', (step, online, offline) => {
    expect(silenceFailure(upgradeKind, step, true)).toBe(online)
    expect(silenceFailure(upgradeKind, step, false)).toBe(offline)
  })

  it('has a deadline in every waiting step, from a declared parameter', () => {
    for (const step of ['sent', 'connected', 'downloading', 'downloaded', 'upgrading'] as const)
      expect(Object.keys(parameters)).toContain(upgradeKind.deadlineS[step])
  })
})

it('an item can be cancelled until flashing begins', () => {
  expect(taskSteps.filter((step) => !isLocked(upgradeKind, { step, sending: 'sent' }))).toEqual([
    'created',
    'sent',
    'connected',
    'downloading',
    'downloaded',
  ])
})

it('a command cannot be cancelled once it may have been sent', () => {
  expect(isLocked(rebootKind, { step: 'created', sending: 'none' })).toBe(false)
  for (const sending of ['intent', 'sent', 'asking'] as const)
    expect(isLocked(rebootKind, { step: 'created', sending })).toBe(true)
})
