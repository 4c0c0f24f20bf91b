import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { RowOf } from '#schema/kit/list'
import { getTaskDecisions } from '#schema/task/task-decision'
import { request } from '../kit/api.ts'
import { Card } from '../kit/card.tsx'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { toCsv } from '../kit/list/csv.ts'
import { useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { CsvButton } from './csv-button.tsx'
import classes from './task.module.css'
import { decisionText, madeTask } from './task-decision-text.ts'
import { taskPath } from './task-kinds.ts'

const SHOWN = 8
const MORE = 500
/** As many as a list has. */
const ROWS_MAX = 100_000

type Decision = RowOf<typeof getTaskDecisions>

const byText = ({ byEngine, by }: Decision) => (byEngine ? t('rollout:timeline.engine') : nameText(by))

const taskText = (task: number) => t('rollout:decision.inTask', { task })

function MadeTask({ decision }: { decision: Decision }) {
  const taskId = madeTask(decision)
  return taskId === null ? null : <Link to={taskPath({ taskId })}>{taskText(taskId)}</Link>
}

function plainText(decision: Decision): string {
  const taskId = madeTask(decision)
  return [decisionText(decision), ...(taskId === null ? [] : [taskText(taskId)])].join(' · ')
}

/** All of it, not only what is shown. */
async function csvOf(taskId: number): Promise<string> {
  const { list } = await request(getTaskDecisions, { taskId, limit: ROWS_MAX })
  return toCsv(list, [
    { key: 'at', heading: t('rollout:csv.at') },
    { key: 'what', heading: t('rollout:timeline.title'), text: plainText },
    { key: 'by', heading: t('rollout:csv.by'), text: byText },
  ])
}

/** What the engine and users decided about a task, the latest first. */
export function TaskTimeline({ taskId, refreshS }: { taskId: number; refreshS: number | undefined }) {
  const [limit, setLimit] = useState(SHOWN)
  // With more of them the card keeps its height until they are there.
  const { data } = useCall(
    getTaskDecisions,
    { taskId, limit },
    { keepPrevious: true, ...(refreshS === undefined ? {} : { refreshS }) },
  )
  if (!data || data.list.length === 0) return null
  return (
    <Card
      title={t('rollout:timeline.title')}
      side={<CsvButton csv={() => csvOf(taskId)} name={`task-${taskId}-timeline.csv`} />}
    >
      <ol className={classes['timeline']}>
        {data.list.map((row) => (
          <li key={row.id}>
            <Text size="sm" c="dimmed" className="tabular">
              <When at={row.at} absolute />
            </Text>
            <Text size="sm">
              {decisionText(row)} <MadeTask decision={row} />
            </Text>
            <Text size="sm" c="dimmed">
              {byText(row)}
            </Text>
          </li>
        ))}
      </ol>
      {data.total > data.list.length ? (
        <Anchor component="button" size="sm" onClick={() => setLimit(limit + MORE)}>
          {t('rollout:timeline.more', { count: data.total })}
        </Anchor>
      ) : null}
    </Card>
  )
}
