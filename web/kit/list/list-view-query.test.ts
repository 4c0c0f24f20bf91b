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
  it('is empty for a list in its initial state, whatever the page and refresh interval', () => {
    expect(queryOf(plain)).toBe('')
    expect(queryOf({ ...plain, offset: 7, refresh: 60, order: 'asc' })).toBe('')
  })

  it('restores the same list', () => {
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

  it('does not depend on the order of the changes', () => {
    expect(queryOf({ ...plain, filters: { b: '1', a: '2' } })).toBe(
      queryOf({ ...plain, filters: { a: '2', b: '1' } }),
    )
  })

  it('clears filters that it does not contain, and ignores an invalid page size', () => {
    expect(stateOf('limit=7&x=1', ['online'])).toMatchObject({ limit: 10, filters: { online: '' } })
  })
})
