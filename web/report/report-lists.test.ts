import { expect, it } from 'vitest'
import { groupPath } from './report-lists.tsx'

const state = { range: '7d', from: '', to: '', model: '', previous: false, table: false } as const

it('the report of a group is about the same models, and has what the report of all had', () => {
  expect(groupPath('/report', state)(4)).toBe('/report?range=7d&groupId=4')
  const chosen = { ...state, model: 'G100', previous: true, table: true }
  expect(groupPath('/report', chosen)(4)).toBe(
    '/report?range=7d&groupId=4&model=G100&previous=true&table=true',
  )
})

it('an own range goes on with its ends', () => {
  const own = { ...state, range: 'custom', from: '2026-11-01', to: '2026-11-02' } as const
  expect(groupPath('/report', own)(4)).toBe('/report?range=custom&groupId=4&from=2026-11-01&to=2026-11-02')
})
