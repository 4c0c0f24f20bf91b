import { Progress } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './report.module.css'

export type TableColumn<R> = {
  title: string
  cell: (row: R) => ReactNode
  numeric?: boolean
  /** 0 to 100, drawn as a bar beside the cell. */
  bar?: (row: R) => number
  /** Token of the bar's colour, if it means something. */
  colour?: (row: R) => string
}

/** A short table below a chart. */
export function ReportTable<R>({
  rows,
  rowKey,
  columns,
  label,
}: {
  rows: readonly R[]
  rowKey: (row: R) => string | number
  columns: readonly TableColumn<R>[]
  label: string
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className={classes['scroll']} tabIndex={0} aria-label={label}>
      <table className={classes['table']}>
        <thead>
          <tr>
            {columns.map(({ title, numeric }) => (
              <th key={title} scope="col" data-numeric={numeric || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ title, cell, numeric, bar, colour }) => (
                <td
                  key={title}
                  data-title={title}
                  data-numeric={numeric || undefined}
                  data-bar={bar ? true : undefined}
                >
                  {cell(row)}
                  {bar ? (
                    <Progress
                      value={bar(row)}
                      color={`var(${colour?.(row) ?? '--primary'})`}
                      size={4}
                      aria-hidden
                    />
                  ) : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
