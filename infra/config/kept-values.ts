/** Values of pages that were kept under a former name of a field: a row would lose what it says there, such as from whom it forwards. */
import type { PageValues } from '#schema/config/many-change'

type Row = Readonly<Record<string, unknown>>

/** A forward had a list of senders. Several are refused as one, rather than that it is forwarded from everywhere. */
function withSource({ sources, ...row }: Row): Row {
  return Array.isArray(sources) ? { source: sources.join(' '), ...row } : row
}

type Lists = Readonly<Record<string, (row: Row) => Row>>
/** By page and list. */
const former: Readonly<Record<string, Lists>> = { 'port-forward': { forwards: withSource } }

/** The values of one page, as its fields are called now. */
export function keptValues(page: string, values: Row): Row {
  const lists = Object.hasOwn(former, page) ? former[page] : undefined
  if (lists === undefined) return values
  const named = Object.entries(lists).flatMap(([name, ofRow]) => {
    const rows = values[name]
    return Array.isArray(rows) ? [[name, rows.map(ofRow)] as const] : []
  })
  return { ...values, ...Object.fromEntries(named) }
}

export const keptPages = (pages: PageValues): PageValues =>
  Object.fromEntries(Object.entries(pages).map(([name, values]) => [name, keptValues(name, values)]))
