import { beforeAll, expect, it, vi } from 'vitest'
import { loadWords, startI18n } from '../kit/i18n.ts'
import { type Event, eventText, stepText } from './device-event.ts'

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en-US' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
  await startI18n()
  await loadWords(['task', 'device', 'operation'])
})
const told = (what: string, detail: string | null) => eventText({ kind: 'task', what, detail } as Event)

it('a failure has its name, also if the device did something else instead', () => {
  expect(told('failed', 'upgradeFailed: backWith:1.4.1')).toBe(
    'Failed · Upgrade failed: It came back with 1.4.1',
  )
  expect(told('failed', 'downloadTimeout: no data')).toBe('Failed · Download timeout: “no data”')
  expect(told('failed', 'connectTimeout: silentIn:connected')).toContain(
    'No report in the step “File server connected”',
  )
  expect(told('failed', 'md5Failed')).toContain('MD5')
  expect(told('created', 'li_wei')).toContain('li_wei')
})

it('an installed version shows what it replaced, if that is known', () => {
  const event = (detail: string | null) => eventText({ kind: 'firmware', what: '1.4.2', detail } as Event)
  expect(event('1.0.0')).toBe('Firmware 1.0.0 → 1.4.2')
  expect(event(null)).toBe('Now runs 1.4.2')
})

it('does not name the user whom the row shows anyway a second time', () => {
  const created = { kind: 'task', what: 'created', detail: 'li_wei', actor: 'li_wei' } as Event
  expect(eventText(created)).toBe('Created')
  expect(eventText({ ...created, what: 'cancelled', detail: 'admin' })).toBe('Cancelled · admin')
  expect(stepText(created)).toBe('Created · li_wei')
})

it('a step and a failure are named as in this kind of task', () => {
  const of = (what: string, detail: string | null, taskKind: string) =>
    stepText({ what, detail }, { taskKind })
  expect(of('upgrading', null, 'reboot')).toBe('Restarting')
  expect(of('done', null, 'config')).toBe('Applied')
  expect(of('done', null, 'upgrade')).toBe('Done')
  expect(of('failed', 'connectTimeout', 'reboot')).toBe('Failed · Not back in time')
})

it('an operation on the device is called as in the operation log', () => {
  const of = (what: string) => eventText({ kind: 'operation', what, detail: null } as Event)
  expect(of('config/applyDevice')).toBe('Apply configuration')
  expect(of('remote/forceRemote')).not.toContain('/')
  // Not by its code alone, which reads like a figure.
  const refused = (detail: string) =>
    eventText({ kind: 'operation', what: 'config/applyDevice', detail } as Event)
  expect(refused('379')).toBe('Apply configuration · Refused (code 379)')
  expect(refused('500')).toBe('Apply configuration · Error (code 500)')
  // The codes of refusals go on behind those of faults.
  expect(refused('740')).toBe('Apply configuration · Refused (code 740)')
})
