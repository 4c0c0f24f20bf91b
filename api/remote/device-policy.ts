/** The policy for remote operation of a device: of its group, or of the nearest group above that sets one. */
import type { ISql } from 'postgres'
import { isBehind } from '#schema/remote/remote-access'
import { allowsTarget } from '#schema/remote/remote-targets'

export type DevicePolicy = { approval: boolean; targets: string | null }

export async function policyOf(sql: ISql, deviceId: number): Promise<DevicePolicy> {
  const [found] = await sql<{ approval: boolean | null; targets: string | null }[]>`
    with recursive above as (
      select g.id, g.parent_id, g.remote_approval, g.remote_targets, 0 as nth
      from devices d join groups g on g.id = d.group_id where d.id = ${deviceId}
      union all select g.id, g.parent_id, g.remote_approval, g.remote_targets, a.nth + 1
      from above a join groups g on g.id = a.parent_id)
    select (select remote_approval = 'required' from above where remote_approval <> 'inherit' order by nth limit 1) as approval,
      coalesce((select remote_targets from above where remote_targets is not null order by nth limit 1),
        (select c.remote_targets from devices d join customers c on c.id = d.customer_id where d.id = ${deviceId})) as targets`
  return { approval: found?.approval ?? false, targets: found?.targets ?? null }
}

/** Whether this target is allowed: the device itself always, a machine behind it depending on the policy. */
export const mayReach = ({ targets }: DevicePolicy, target: { host: string; port: number }): boolean =>
  !isBehind(target) || allowsTarget(targets, target)

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
