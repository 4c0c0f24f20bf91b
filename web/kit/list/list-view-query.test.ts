import { describe, expect, it } from 'vitest'
import type { ListState } from './list-state.ts'
import { queryOf, stateOf } from './list-view-query.ts'

const plain: ListState = {
  offset: 1,
  limit: 10,
  search: '',
  sort: '',
  order: '',
  refresh: 10,
  filters: { online: '', groupId: '' },
}

describe('the query of a saved view', () => {
  it('is empty for a list as it opens, whatever page and refreshing', () => {
    expect(queryOf(plain)).toBe('')
    expect(queryOf({ ...plain, offset: 7, refresh: 60, order: 'asc' })).toBe('')
  })

  it('comes back as the same list', () => {
    const wished = {
      ...plain,
      limit: 50,
      search: 'Häuser & Co = 100%',
      sort: 'deviceName',
      order: 'desc',
      filters: { online: 'offline', groupId: '' },
    }
    const { offset, refresh, ...kept } = wished
    expect(stateOf(queryOf(wished), ['online', 'groupId'])).toEqual(kept)
  })

  it('does not depend on the order in which the wishes came', () => {
    expect(queryOf({ ...plain, filters: { b: '1', a: '2' } })).toBe(
      queryOf({ ...plain, filters: { a: '2', b: '1' } }),
    )
  })

  it('clears filters it does not name, and ignores a page size that is none', () => {
    expect(stateOf('limit=7&x=1', ['online'])).toMatchObject({ limit: 10, filters: { online: '' } })
  })
})
