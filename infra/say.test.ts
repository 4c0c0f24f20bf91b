import { expect, it } from 'vitest'
import { figure, localMoment } from '#schema/alarm/alarm-text'
import { languages } from '#schema/kit/refusal'
import { sayIn } from './say.ts'

it('describes the state of a printer, whatever its name', () => {
  const told = (detail: string) =>
    languages.map((language) => figure({ kind: 'printerError', value: null, detail }, sayIn(language)))
  expect(told('Till: left: outOfPaper')).toEqual([
    'Till: left: 缺纸',
    'Till: left: 缺紙',
    'Till: left: Out of paper',
  ])
  // Of a later version, or no state at all: shown unchanged.
  expect(new Set(told('Till: onFire'))).toEqual(new Set(['Till: onFire']))
  expect(new Set(told('paperJam'))).toEqual(new Set(['paperJam']))
})

it('says why a scheduled reboot was missed, or what the device reported', () => {
  const told = (detail: string) => figure({ kind: 'rebootMissed', value: null, detail }, sayIn('zh-TW'))
  expect([told('platformDown'), told('flash is read-only')]).toEqual(['平台當時未執行', 'flash is read-only'])
})

it('counts in English: of one device it does not speak as of many', () => {
  const say = sayIn('en-US')
  expect(say('command:refusal.taskGrew', { count: 1 })).toMatch(/^1 device matches now/)
  expect(say('command:refusal.taskGrew', { count: 2 })).toMatch(/^2 devices match now/)
  for (const key of ['unusual:delete.text', 'unusual:purge.text'] as const) {
    expect(say(key, { count: 1 })).toMatch(/^The device /)
    expect(say(key, { count: 2 })).toMatch(/^The devices /)
  }
})

it('formats a time in the reader’s zone, in summer and winter', () => {
  expect(localMoment(new Date('2026-11-21T23:41:00Z'), 'Asia/Shanghai')).toBe('2026-11-22 07:41 UTC+8')
  expect(localMoment(new Date('2026-07-01T12:00:00Z'), 'Europe/Berlin')).toBe('2026-07-01 14:00 UTC+2')
  expect(localMoment(new Date('2026-12-01T12:00:00Z'), 'Asia/Kolkata')).toBe('2026-12-01 17:30 UTC+5:30')
  expect(localMoment(new Date('2026-12-01T12:00:00Z'), 'UTC')).toBe('2026-12-01 12:00 UTC')
})
