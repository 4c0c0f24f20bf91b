/** On which lists of rows edits were made. They are edited as a whole, and find their sections by number. */
import { createHash } from 'node:crypto'
import type { ConfigPage } from '#schema/config/config-page'
import { formOfPage } from '#schema/config/page-list'
import { rowsIn } from '#schema/config/row-ids'

type Values = Readonly<Record<string, unknown>>

/** The fields among these that are lists of rows, or have some in them. */
export const rowFields = (page: ConfigPage, values: Values): string[] =>
  Object.keys(rowsIn(formOfPage(page), values))

/** A digest of the lists that `running` has for the fields of `edited`; '' if these have none. */
export function seenRows(page: ConfigPage, edited: Values, running: Values): string {
  const names = new Set(rowFields(page, edited))
  if (names.size === 0) return ''
  const lists = Object.entries(rowsIn(formOfPage(page), running)).filter(([name]) => names.has(name))
  return createHash('sha256').update(JSON.stringify(lists)).digest('base64url').slice(0, 7)
}
