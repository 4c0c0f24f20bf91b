import { describe, expect, it } from 'vitest'
import type { TaskCounts } from '#schema/task/task-calls'
import {
  cancelMeans,
  endedShare,
  filterOf,
  segmentNames,
  segmentOf,
  segmentsOf,
  unfinishedOf,
  waveAfterResume,
} from './task-segments.ts'

const counts: TaskCounts = {
  created: 1,
  sent: 0,
  connected: 1,
  downloading: 3,
  downloaded: 0,
  upgrading: 2,
  done: 1,
  failed: 1,
  cancelled: 1,
  total: 10,
}

describe('the bar of a task', () => {
  it('has the seven steps in order, then failed and cancelled, and the shares sum to one', () => {
    const segments = segmentsOf(counts)
    expect(segments.map(({ name }) => name)).toEqual([...segmentNames])
    expect(segments.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
  })

  it('is empty for a task without devices, instead of dividing by zero', () => {
    const none = { ...counts, total: 0 }
    expect(segmentsOf(none).every(({ share }) => share === 0)).toBe(true)
    expect(endedShare(none)).toBe(0)
  })

  it('counts done, failed and cancelled as ended', () => {
    expect(endedShare(counts)).toBeCloseTo(0.3)
  })

  it.each(segmentNames)('%s is stored in the URL as a filter, and is restored from it', (name) => {
    expect(segmentOf(filterOf(name))).toBe(name)
  })

  it('is not selected while all devices, or those of one failure, are shown', () => {
    expect(segmentOf(filterOf(null))).toBeNull()
    expect(segmentOf({ step: '', outcome: 'failed', failure: 'md5Failed' })).toBeNull()
  })

  it('shows before cancelling which devices never start, which are stopped, and which cannot be stopped', () => {
    expect(cancelMeans(counts)).toEqual({ waiting: 1, sent: 4, locked: 2, ended: 3 })
  })
})

describe('a wave that has ended', () => {
  const wave = { active: 2, waiting: 1, soaking: 0 }
  it('says how many of its devices are not done, as after a retry', () => {
    for (const state of ['reached', 'short', 'skipped'] as const)
      expect(unfinishedOf({ ...wave, state }, 'ongoing')).toBe(3)
    expect(unfinishedOf({ state: 'reached', active: 0, waiting: 0, soaking: 0 }, 'ongoing')).toBe(0)
  })

  it('is not one that waits or runs, and nothing is unfinished once the task has ended', () => {
    for (const state of ['waiting', 'running'] as const)
      expect(unfinishedOf({ ...wave, state }, 'ongoing')).toBe(0)
    expect(unfinishedOf({ ...wave, state: 'reached' }, 'completed')).toBe(0)
  })
})

describe('resuming after a wave that fell short', () => {
  const lane = (nth: number, waiting: number) => ({ nth, waiting, active: 0, soaking: 0 })
  const paused = (reason: 'wave' | 'failures' | 'person') => ({ reason })

  it('begins the next wave at once, without the failed devices', () => {
    const task = { paused: paused('wave'), wave: 0, waves: [lane(0, 0), lane(1, 5000)], retries: [] }
    expect(waveAfterResume(task)).toEqual({ nth: 1, again: false, devices: 5000 })
  })

  it('continues that wave if its devices were retried before', () => {
    const task = { paused: paused('wave'), wave: 0, waves: [lane(0, 2), lane(1, 5000)], retries: [] }
    expect(waveAfterResume(task)).toEqual({ nth: 0, again: true, devices: 2 })
  })

  it('begins the next wave after too many failures, too, when all of the present one have ended', () => {
    const task = { paused: paused('failures'), wave: 0, waves: [lane(0, 0), lane(1, 9)], retries: [] }
    expect(waveAfterResume(task)).toEqual({ nth: 1, again: false, devices: 9 })
    const retries = [{ failure: 'md5Failed' as const, times: 1, afterMinutes: 1 }]
    expect(waveAfterResume({ ...task, retries })).toBeNull()
  })

  it('says nothing of the last wave, nor of another pause', () => {
    expect(
      waveAfterResume({ paused: paused('wave'), wave: 1, waves: [lane(0, 0), lane(1, 0)], retries: [] }),
    ).toBeNull()
    expect(
      waveAfterResume({ paused: paused('person'), wave: 0, waves: [lane(0, 0), lane(1, 9)], retries: [] }),
    ).toBeNull()
    expect(waveAfterResume({ paused: paused('failures'), wave: 0, waves: [], retries: [] })).toBeNull()
    expect(waveAfterResume({ paused: null, wave: 0, waves: [], retries: [] })).toBeNull()
  })
})
