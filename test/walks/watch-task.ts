import type { Context } from '#infra/context'
import { until } from './until.ts'

export type ItemRow = {
  id: string
  deviceId: number
  sn: string
  step: string
  outcome: string | null
  failure: string | null
  sending: string
  attempt: number
  /** Its events, in order. */
  events: string[]
}

/** The current items of a task (a retried one is replaced by its successor). */
export const itemsOf = ({ sql }: Pick<Context, 'sql'>, taskId: number) => sql<ItemRow[]>`
  select i.id, i.device_id as "deviceId", d.sn, i.step, i.outcome, i.failure, i.sending, i.attempt,
    array(select what from task_events e where e.item_id = i.id order by e.id) as events
  from task_items i join devices d on d.id = i.device_id
  where i.task_id = ${taskId} and not i.superseded order by d.sn`

/** Waits until the task is completed; returns its items. */
export async function completed(context: Pick<Context, 'sql'>, taskId: number, timeoutMs = 60_000) {
  try {
    await until(
      `task ${taskId} is completed`,
      async () => {
        const [task] = await context.sql<{ status: string }[]>`select status from tasks where id = ${taskId}`
        return task?.status === 'completed'
      },
      timeoutMs,
      100,
    )
  } catch (error) {
    const rows = await itemsOf(context, taskId)
    throw new Error(
      `${(error as Error).message}: ${JSON.stringify(rows.filter((row) => row.outcome === null))}`,
    )
  }
  return itemsOf(context, taskId)
}

/** The steps among the events. */
export const stepsIn = (row: ItemRow) =>
  row.events.filter((what) =>
    ['created', 'sent', 'connected', 'downloading', 'downloaded', 'upgrading', 'done'].includes(what),
  )
