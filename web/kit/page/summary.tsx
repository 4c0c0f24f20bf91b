/** Cards that sum up other pages in a few lines, each of which leads there. */
import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Card } from '../card.tsx'
import { ErrorBar } from '../error-bar.tsx'
import { useSlow } from '../slow.ts'
import classes from './summary.module.css'

type Query = { data: unknown; error: Error | null; refetch: () => unknown }
type CardProps = {
  title: ReactNode
  side?: ReactNode
  /** The result is shown only once all of them are known: a failed request must not look like "nothing wrong". */
  queries: readonly Query[]
  children: ReactNode
}

export function SummaryCard({ title, side, queries, children }: CardProps) {
  const known = queries.every(({ data }) => data !== undefined)
  const failed = queries.find(({ error }) => error !== null)
  const slow = useSlow(!known && !failed)
  return (
    <Card title={title} side={side}>
      {failed?.error ? <ErrorBar error={failed.error} onRetry={() => void failed.refetch()} /> : null}
      {known ? (
        children
      ) : (
        <Stack gap={12} aria-busy={!failed}>
          {slow ? Array.from({ length: 4 }, (_, i) => <Skeleton key={String(i)} height={24} />) : null}
        </Stack>
      )}
    </Card>
  )
}

type RowProps = {
  /** Icon or chip, before the label. */
  mark?: ReactNode
  label: ReactNode
  /** Shortened first. */
  note?: string | undefined
  /** At the right: a count, an age. */
  value?: ReactNode
  /** Null: the user may not open it. */
  to: string | null
}

export function SummaryRow({ mark, label, note, value, to }: RowProps) {
  const content = (
    <>
      {mark}
      <span className={classes['label']}>{label}</span>
      <span className={classes['note']} title={note}>
        {note}
      </span>
      <span className={classes['value']}>{value}</span>
    </>
  )
  return to === null ? (
    <div className={classes['row']}>{content}</div>
  ) : (
    <Link to={to} className={classes['row']}>
      {content}
    </Link>
  )
}
