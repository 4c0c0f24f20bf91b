import { describe, expect, it } from 'vitest'
import { addLevelUp } from '#schema/task/upgrade'
import { creationOf, type Draft, emptyDraft, handOver, parseDraft, targetOf } from './upgrade-draft.ts'

const chosen = { spId: 3, name: 'R200 firmware', version: '1.5.0', model: 'R200', type: 'upgrade' } as const
const full: Draft = { ...emptyDraft, chosen, mode: 'pick', picked: [{ id: 7, sn: 'RT-1' }] }

describe('the draft of an upgrade', () => {
  it('is read back as it was stored', () => {
    expect(parseDraft(JSON.parse(JSON.stringify(full)))).toEqual(full)
  })

  it.each([undefined, null, '', [], { step: 9 }, { ...full, mode: 'all' }])(
    'begins anew when what is stored is %j',
    (stored) => {
      expect(parseDraft(stored)).toBe(emptyDraft)
    },
  )

  it('takes the devices passed in the URL, each once, and keeps known serial numbers', () => {
    const next = handOver({ ...full, mode: 'filter' }, '7,8,8,x,-1', '')
    expect(next.mode).toBe('pick')
    expect(next.picked).toEqual([
      { id: 7, sn: 'RT-1' },
      { id: 8, sn: null },
    ])
  })

  it('takes the filter passed in the URL as a query', () => {
    const next = handOver(full, '', '{"search":"RT","online":"online"}')
    expect(next).toMatchObject({ mode: 'filter', filter: { search: 'RT', online: 'online' } })
  })

  it.each(['{"search":', '{"online":"maybe"}', '3'])('ignores the broken filter %s', (filter) => {
    expect(handOver(full, '', filter)).toBe(full)
  })

  it('selects no device while none is picked, and all devices with an empty filter', () => {
    expect(targetOf({ ...full, picked: [] })).toBeNull()
    expect(targetOf(emptyDraft)).toEqual({ filter: {} })
  })

  it('creates a body that the call accepts, with the proposed name unless another was entered', () => {
    const body = creationOf({ ...full, startAt: '2026-12-01T02:00:00.000Z' }, 'R200 firmware 1.5.0')
    expect(addLevelUp.body.parse(body)).toMatchObject({
      name: 'R200 firmware 1.5.0',
      spId: 3,
      dids: [7],
      keepConfig: true,
      // The limit is on unless it was turned off.
      maxFailures: null,
      maxFailurePercent: 10,
      maxInFlight: 500,
      startAt: '2026-12-01T02:00:00.000Z',
    })
    // The platform's default, unless one was chosen.
    expect(body).not.toHaveProperty('waitOfflineMinutes')
    expect(creationOf({ ...full, waitOfflineMinutes: 90 }, 'x')).toMatchObject({ waitOfflineMinutes: 90 })
    expect(creationOf({ ...full, name: ' Night run ' }, 'x')?.name).toBe('Night run')
  })

  it('is not complete without a package or without devices', () => {
    expect(creationOf({ ...full, chosen: null }, 'x')).toBeNull()
    expect(creationOf({ ...full, picked: [] }, 'x')).toBeNull()
  })
})

describe('a draft that follows its filter', () => {
  const now = Date.parse('2026-12-01T00:00:00Z')
  const until = (draft: Partial<Draft>) =>
    creationOf({ ...full, mode: 'filter', joinDays: 7, ...draft }, 'x', now)?.joinUntil

  it('shows until when, unless the filter is temporary or devices were picked', () => {
    expect(until({ filter: { model: 'R200' } })).toBe('2026-12-08T00:00:00.000Z')
    expect(until({ filter: { model: 'R200', online: 'online' } })).toBeUndefined()
    expect(until({ mode: 'pick' })).toBeUndefined()
    expect(until({ joinDays: null })).toBeUndefined()
  })
})
