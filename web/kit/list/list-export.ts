import { useState } from 'react'
import type { BodyOf } from '#schema/kit/call'
import { request } from '../api.ts'
import { moment, number, viewerZone } from '../format.ts'
import { t } from '../i18n.ts'
import { reportError } from '../query.ts'
import { serverNow } from '../server/server-clock.ts'
import { toast } from '../toast.tsx'
import { download, saveCsv } from '../transfer.ts'
import { toCsv } from './csv.ts'
import type { AnyList, Column, ListOptions, Row } from './list-types.ts'

type Shown<R> = {
  filter: Readonly<Record<string, unknown>>
  sorted: Readonly<Record<string, unknown>>
  /** Those that the user chose, or all usual ones, whether or not they fit the window. */
  columns: readonly Column<R>[]
}

/** Maximum number of rows of a list response. */
const ROWS_MAX = 100_000

/** CSV of all matching rows, with the same columns in any window: by the server if it offers that, else generated here. */
export function useExport<C extends AnyList>(options: ListOptions<C>, shown: Shown<Row<C>>) {
  const [busy, setBusy] = useState(false)
  const exported = options.columns.filter((column) =>
    column.csv === undefined ? shown.columns.includes(column) : column.csv,
  )
  const run = async () => {
    setBusy(true)
    const name = `${options.exportName ?? options.call.name.split('/').at(-1)}-${moment(new Date(serverNow())).replace(/[ :]/g, '-')}.csv`
    try {
      if (options.exportCall) {
        const columns = exported.map(({ key }) => key)
        const said = options.exportWords?.()
        await download(options.exportCall, { ...shown.filter, ...said, columns, zone: viewerZone() }, name)
      } else {
        const body = {
          ...shown.filter,
          ...shown.sorted,
          offset: 1,
          // Not the number that is shown: rows may have been added since, or it may still be that of the filter before.
          limit: ROWS_MAX,
        }
        const { list } = (await request(options.call, body as BodyOf<C>)) as { list: Row<C>[] }
        saveCsv(
          toCsv(
            list,
            exported.map((column) => ({ ...column, heading: t(column.title) })),
          ),
          name,
        )
        if (list.length === ROWS_MAX) void toast('warning', t('list:exportCut', { max: number(ROWS_MAX) }))
      }
    } catch (error) {
      reportError(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, run: () => void run() }
}
