/** [§2 Shared list behaviour] The state of a list, stored in the URL: a copied link shows the same list. */
import { createLoader, createParser, parseAsInteger, parseAsString, useQueryStates } from 'nuqs'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { SEARCH_MAX } from '#schema/kit/list'
import type { AnyList, Filter, ListOptions } from './list-types.ts'
import { pageNumber } from './page-number.ts'

/** [§9] */
export const SEARCH_PAUSE_MS = 500
export const REFRESH_CHOICES = [0, 5, 10, 20, 60] as const
export const PAGE_SIZES = [10, 20, 50, 100]

export type ListState = {
  offset: number
  limit: number
  search: string
  sort: string
  order: string
  refresh: number
  filters: Readonly<Record<string, string>>
}
export type ListChange = Partial<Omit<ListState, 'filters'>> & { filters?: Record<string, string> }

/** The search in the URL. A link may contain more than a list accepts. */
export const searchParameter = createParser({
  parse: (text) => text.slice(0, SEARCH_MAX),
  serialize: String,
}).withDefault('')

/** Changes to the filter or the order go back to page 1. */
export function nextState(change: ListChange): ListChange {
  const restarts =
    change.search !== undefined ||
    change.sort !== undefined ||
    change.order !== undefined ||
    change.limit !== undefined ||
    change.filters !== undefined
  return restarts && change.offset === undefined ? { ...change, offset: 1 } : change
}

/** The URL parameters and their meaning. `prefix` for a list that shares its page with others. */
function addressOf(filters: readonly Filter[], refreshS: number, prefix: string) {
  const base = {
    offset: pageNumber,
    limit: parseAsInteger.withDefault(10),
    search: searchParameter,
    sort: parseAsString.withDefault(''),
    order: parseAsString.withDefault(''),
    refresh: parseAsInteger.withDefault(refreshS),
  }
  const own = Object.fromEntries(filters.map(({ key }) => [key, parseAsString.withDefault('')]))
  const keys = [...Object.keys(base), ...Object.keys(own)]
  return {
    parsers: { ...base, ...own },
    urlKeys: Object.fromEntries(keys.map((key) => [key, prefix ? `${prefix}.${key}` : key])),
  }
}

type Values = Omit<ListState, 'filters'>

function stateOf(values: Values, filters: readonly Filter[], refreshS: number): ListState {
  const texts = values as unknown as Record<string, string>
  return {
    offset: values.offset,
    limit: PAGE_SIZES.includes(values.limit) ? values.limit : 10,
    search: values.search,
    sort: values.sort,
    order: values.order,
    refresh: REFRESH_CHOICES.find((choice) => choice === values.refresh) ?? refreshS,
    filters: Object.fromEntries(filters.map(({ key }) => [key, texts[key] ?? ''])),
  }
}

export function useListState(filters: readonly Filter[], refreshS: number, prefix = '') {
  const { parsers, urlKeys } = useMemo(
    () => addressOf(filters, refreshS, prefix),
    [filters, refreshS, prefix],
  )
  const [values, setValues] = useQueryStates(parsers, { urlKeys, history: 'replace' })
  const state = useMemo(() => stateOf(values, filters, refreshS), [values, filters, refreshS])
  const change = (next: ListChange) => {
    const { filters: changed, ...rest } = nextState(next)
    void setValues({ ...rest, ...changed })
  }
  return [state, change] as const
}

/** The state that a list will have at this URL, before it is drawn. `search`: the query of the URL. */
export function listStateAt(search: string, filters: readonly Filter[], refreshS: number): ListState {
  const { parsers, urlKeys } = addressOf(filters, refreshS, '')
  return stateOf(createLoader(parsers, { urlKeys })(new URLSearchParams(search)), filters, refreshS)
}

type Asked = Pick<ListOptions<AnyList>, 'call' | 'body'>

/** The body of the list's call, without empty values. */
const filled = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '' && value !== undefined))

/** What a list in this state asks for: its rows, the order, and the page. */
export function questionOf({ call, body }: Asked, state: ListState) {
  const search = call.searches.length > 0 ? state.search : ''
  const filter = filled({ ...body, search, ...state.filters })
  const sorted = call.sorts.includes(state.sort) ? filled({ sort: state.sort, order: state.order }) : {}
  return { filter, sorted, body: { ...filter, ...sorted, offset: state.offset, limit: state.limit } }
}

/** The search text, debounced by 500 ms. */
export function useSearchText(searched: string, search: (text: string) => void) {
  const [text, setText] = useState(searched)
  const sent = useRef(searched)
  // The URL may change by other means: back, a link, "clear filters". What was searched here comes back later, when more
  // may have been typed.
  useEffect(() => {
    if (searched === sent.current) return
    sent.current = searched
    setText(searched)
  }, [searched])
  const begin = useEffectEvent(() => {
    sent.current = text.trim()
    search(sent.current)
  })
  useEffect(() => {
    if (text.trim() === searched) return
    const timer = setTimeout(() => begin(), SEARCH_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, searched])
  return [text, setText] as const
}
