/** A list's wishes as a saved view keeps them: not the page, not the refreshing. */
import { type ListChange, type ListState, PAGE_SIZES } from './list-state.ts'

const STANDARD_SIZE = 10

/** '' for a list that is as it opens. Keys in a fixed order, so that equal wishes are equal texts. */
export function queryOf({ search, sort, order, limit, filters }: ListState): string {
  const wishes = {
    search,
    sort,
    order: sort ? order : '',
    limit: limit === STANDARD_SIZE ? '' : limit,
    ...filters,
  }
  const query = new URLSearchParams()
  for (const key of Object.keys(wishes).sort()) {
    const value = String((wishes as Record<string, unknown>)[key] ?? '')
    if (value !== '') query.set(key, value)
  }
  return query.toString()
}

/** What to change so that the list shows a view; `filters` that it does not name are cleared. */
export function stateOf(query: string, filters: readonly string[]): ListChange {
  const wishes = new URLSearchParams(query)
  const text = (key: string) => wishes.get(key) ?? ''
  const limit = Number(text('limit'))
  return {
    search: text('search'),
    sort: text('sort'),
    order: text('order'),
    limit: PAGE_SIZES.includes(limit) ? limit : STANDARD_SIZE,
    filters: Object.fromEntries(filters.map((key) => [key, text(key)])),
  }
}
