import { unlocked } from '#infra/task-kinds'
import { type ClockWindow, isOpen } from '#schema/task/task-window'
import type { WorkerContext } from '../kit/processor.ts'

/** Pairs of a task and a zone whose devices may be sent something now, or may not; `''`: devices that report no zone. */
export type OpenHours = { readonly taskIds: readonly number[]; readonly zones: readonly string[] }

type Row = { id: number; window: ClockWindow; zone: string }

const isNowOpen = ({ window, zone }: Row, now: Date) =>
  isOpen(window, zone || window.zone || 'UTC', now.getTime())
const pairs = (rows: readonly Row[]): OpenHours => ({
  taskIds: rows.map(({ id }) => id),
  zones: rows.map(({ zone }) => zone),
})

/**
 * In JavaScript, because the database may not know a zone that a device was allowed to report, and would refuse the
 * statement for all devices.
 */
export async function openHours({ sql, now }: Pick<WorkerContext, 'sql' | 'now'>): Promise<OpenHours> {
  const rows = await sql<Row[]>`
    select distinct t.id, t."window", coalesce(d.time_zone, '') as zone
    from tasks t join task_items i on i.task_id = t.id join devices d on d.id = i.device_id
    where t.status = 'ongoing' and t.paused_at is null and t."window" is not null and t.start_at <= ${now()}
      and i.outcome is null and i.sending = 'none' and i.wave <= t.wave`
  return pairs(rows.filter((row) => isNowOpen(row, now())))
}

/** The same where the hours are over for devices that have been sent something and may not have begun to install. */
export async function closedHours({ sql, now }: Pick<WorkerContext, 'sql' | 'now'>): Promise<OpenHours> {
  const rows = await sql<Row[]>`
    select distinct t.id, t."window", coalesce(d.time_zone, '') as zone
    from tasks t join task_items i on i.task_id = t.id join devices d on d.id = i.device_id
    where t.status = 'ongoing' and t."window" is not null
      and i.outcome is null and i.sending in ('intent', 'sent', 'asking') and ${sql.unsafe(unlocked)}`
  return pairs(rows.filter((row) => !isNowOpen(row, now())))
}
