import { describe, expect, it } from 'vitest'
import { changedValues, DRAFT_DAYS, parseStored, secretNames } from './drafts.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const DAY_MS = 86_400_000

describe('a draft', () => {
  it('is read back for 7 days', () => {
    const stored = (at: number) => JSON.stringify({ at, values: { name: 'x' } })
    expect(parseStored(stored(now - 1), now)).toEqual({ at: now - 1, values: { name: 'x' } })
    expect(parseStored(stored(now - DRAFT_DAYS * DAY_MS + 1), now)).not.toBeNull()
    expect(parseStored(stored(now - DRAFT_DAYS * DAY_MS), now)).toBeNull()
  })

  it.each([null, '', '{', 'null', '[]', '{"at":"now","values":{}}', '{"at":1}'])(
    'is none when what is stored is %j',
    (stored) => expect(parseStored(stored, now)).toBeNull(),
  )

  it('contains only changed values', () => {
    const initial = { name: 'a', tags: ['x'], count: 1, note: '' }
    expect(changedValues({ name: 'b', tags: ['x'], count: 1, note: '' }, initial, [])).toEqual({ name: 'b' })
    expect(changedValues({ ...initial, tags: ['x', 'y'] }, initial, [])).toEqual({ tags: ['x', 'y'] })
    expect(changedValues(initial, initial, [])).toEqual({})
  })

  it('never contains a field that was declared secret', () => {
    expect(changedValues({ certificate: 'x', name: 'y' }, {}, ['certificate'])).toEqual({ name: 'y' })
  })

  it('never contains a section or a row with a secret', () => {
    const text = { input: 'text', required: false } as const
    const key = { ...text, name: 'psk', secret: true } as const
    expect(
      secretNames([
        { ...text, name: 'ssid' },
        { ...text, name: 'token', secret: true },
        { name: 'wifi', input: 'fields', required: false, fields: [{ ...text, name: 'channel' }, key] },
        { name: 'peers', input: 'rows', required: false, fields: [key] },
        { name: 'keys', input: 'tags', required: false, items: { ...text, name: '', secret: true } },
      ]),
    ).toEqual(['token', 'wifi', 'peers', 'keys'])
  })
})
