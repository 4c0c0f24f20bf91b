/** A list's state as stored in a saved view: without the page and the refresh interval. */
import { type ListChange, type ListState, PAGE_SIZES } from './list-state.ts'

const STANDARD_SIZE = 10

/** '' for a list in its initial state. Keys are in a fixed order, so that equal states are equal texts. */
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

/** The change that makes the list show a view; `filters` that it does not contain are cleared. */
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
