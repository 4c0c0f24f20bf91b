/** The owner of a scheduled report and what they may see now: read again for each mail. */

import { isPlatformType, type UserType } from '#schema/people/session'
import type { ReportKind } from '#schema/report/report'
import { reportSchedulePermission } from '#schema/report/report'
import { reportPermissions, type ScheduleStop } from '#schema/report/report-schedule'
import type { ReportReach } from '#schema/tables/report-scope'
import type { Transaction } from '../kit/processor.ts'

type Owner = {
  username: string
  type: UserType
  status: number
  customerId: number | null
  functionIds: number[] | null
  groupIds: number[] | null
}

export type OwnerView = { username: string; reach: ReportReach }

/** The owner's view, or the reason why they may no longer send the report. */
export async function viewOfOwner(
  tx: Transaction,
  schedule: { ownerId: number; customerId: number | null; report: ReportKind },
): Promise<OwnerView | ScheduleStop> {
  const [owner] = await tx<Owner[]>`
    select u.username, u.type, u.status, u.customer_id as "customerId", r.function_ids as "functionIds",
      case when u.type = 'normal' then array(
        with recursive tree as (
          select g.id from user_groups ug join groups g on g.id = ug.group_id and g.customer_id = u.customer_id
          where ug.user_id = u.id
          union select c.id from groups c join tree t on c.parent_id = t.id
        ) select id from tree) end as "groupIds"
    from users u left join roles r on r.id = u.role_id where u.id = ${schedule.ownerId}`
  if (owner?.status !== 1) return 'ownerDisabled'
  if (owner.customerId !== schedule.customerId) return 'ownerMoved'
  const needed = [reportSchedulePermission, reportPermissions[schedule.report]]
  const holds = owner.type === 'superAdmin' || needed.every(({ id }) => owner.functionIds?.includes(id))
  if (!holds) return 'ownerNotAllowed'
  const { username, customerId, groupIds } = owner
  return { username, reach: { platform: isPlatformType(owner.type), customerId, groupIds } }
}

/** Whether the group and the device of the report are still in the owner's view. */
export async function targetsInView(
  tx: Transaction,
  { platform, customerId, groupIds }: ReportReach,
  filter: { groupId?: number | undefined; deviceId?: number | undefined },
): Promise<boolean> {
  const [found] = await tx<{ group: boolean; device: boolean }[]>`
    select
      ${filter.groupId ?? null}::int is null or exists (select 1 from groups where id = ${filter.groupId ?? null}::int
        and (${platform} or customer_id = ${customerId}::int) and (${groupIds === null} or id = any(${groupIds ?? []}::int[]))) as group,
      ${filter.deviceId ?? null}::int is null or exists (select 1 from devices where id = ${filter.deviceId ?? null}::int and deleted_at is null
        and (${platform} or customer_id = ${customerId}::int) and (${groupIds === null} or group_id = any(${groupIds ?? []}::int[]))) as device`
  return (found?.group && found.device) ?? false
}
