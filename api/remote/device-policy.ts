/** What the group of a device, or the nearest group above that says something, demands of remote operation. */
import type { ISql } from 'postgres'

export type DevicePolicy = { approval: boolean }

export async function policyOf(sql: ISql, deviceId: number): Promise<DevicePolicy> {
  const [found] = await sql<{ approval: boolean | null }[]>`
    with recursive above as (
      select g.id, g.parent_id, g.remote_approval, 0 as nth
      from devices d join groups g on g.id = d.group_id where d.id = ${deviceId}
      union all select g.id, g.parent_id, g.remote_approval, a.nth + 1 from above a join groups g on g.id = a.parent_id)
    select (select remote_approval = 'required' from above where remote_approval <> 'inherit' order by nth limit 1) as approval`
  return { approval: found?.approval ?? false }
}

/** Until when the user's approved access to the device lasts; null: there is none. */
export async function approvedUntil(
  sql: ISql,
  deviceId: number,
  userId: number,
  now: Date,
): Promise<Date | null> {
  const [found] = await sql<{ until: Date }[]>`
    select until from remote_accesses
    where device_id = ${deviceId} and user_id = ${userId} and state = 'approved' and until > ${now}`
  return found?.until ?? null
}
