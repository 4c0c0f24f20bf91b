/** Devices whose configuration began to differ, or that rolled a change back, and that were not notified yet. */
import { LISTED_MAX } from '#schema/alarm/alarm-channel'
import type { EventPayload } from '#schema/alarm/channel-event'
import type { Happened } from '#schema/alarm/event-text'
import type { Transaction } from '../kit/processor.ts'

const AT_ONCE = 5_000

type Row = EventPayload['devices'][number] & { customerId: number; drifted: boolean; reverted: boolean }

const eventOf = (event: Happened['event'], customerId: number, rows: readonly Row[]): Happened => ({
  event,
  customerId,
  task: null,
  count: rows.length,
  devices: rows.slice(0, LISTED_MAX).map(({ sn, deviceName, groupName, differences, detail }) => ({
    sn,
    deviceName,
    groupName,
    differences: event === 'configDrifted' ? differences : null,
    detail: event === 'configReverted' ? detail : null,
  })),
})

/** Devices of one customer are combined: a change of many devices is one notice, not thousands. */
export async function dueConfigEvents(tx: Transaction): Promise<Happened[]> {
  const rows = await tx<Row[]>`
    with unsent as (
      select device_id, drift > 0 and not notified_drift as drifted,
        (ended = 'reverted' and ended_at is distinct from notified_revert_at) is true as reverted
      from device_configs where notified_drift <> (drift > 0) or (ended = 'reverted' and ended_at is distinct from notified_revert_at)
      order by device_id limit ${AT_ONCE} for update skip locked),
    announced as (
      update device_configs c set notified_drift = c.drift > 0, notified_revert_at = case when u.reverted then c.ended_at else c.notified_revert_at end
      from unsent u where u.device_id = c.device_id
      returning c.device_id, u.drifted, u.reverted, c.drift as differences, c.detail)
    select d.customer_id as "customerId", d.sn, d.name as "deviceName", g.name as "groupName", announced.drifted, announced.reverted,
      announced.differences, announced.detail
    from announced join devices d on d.id = announced.device_id join groups g on g.id = d.group_id
    where d.deleted_at is null and (announced.drifted or announced.reverted) order by d.sn`
  const customers = [...new Set(rows.map(({ customerId }) => customerId))]
  return customers
    .flatMap((id) => {
      const own = rows.filter(({ customerId }) => customerId === id)
      return [
        eventOf(
          'configDrifted',
          id,
          own.filter(({ drifted }) => drifted),
        ),
        eventOf(
          'configReverted',
          id,
          own.filter(({ reverted }) => reverted),
        ),
      ]
    })
    .filter(({ count }) => count > 0)
}
