/** The mail to users who may approve a task as its second person, in the transaction that notifies of it. */
import { isAddress, queueMail } from '#infra/mail'
import { sayIn } from '#infra/say'
import type { Language } from '#schema/kit/refusal'
import { versionedName } from '#schema/task/package-title'
import { taskApprovePermission } from '#schema/task/task-pages'
import type { Transaction, WorkerContext } from '../kit/processor.ts'

/** Maximum recipients of one task. */
const MAILS_MAX = 20
const HOUR_MS = 3_600_000

type Asked = {
  customerId: number | null
  name: string
  version: string | null
  language: Language
  createdBy: number | null
  creator: string | null
  platform: boolean
  until: Date
  devices: number
}
type Approver = { email: string; language: Language | null; own: boolean }

/**
 * Users other than the creator who hold the permission and see all devices of the task, as `approveTask` requires it:
 * those of its customer; if there are none, those of the platform.
 */
async function approversOf(tx: Transaction, taskId: number, asked: Asked): Promise<Approver[]> {
  const found = await tx<Approver[]>`
    select u.email, u.language, u.customer_id is not null as own
    from users u left join roles r on r.id = u.role_id
    where u.status = 1 and u.email is not null and u.id is distinct from ${asked.createdBy}::int
      and (u.customer_id is null or u.customer_id = ${asked.customerId}::int)
      and (u.type = 'superAdmin' or r.function_ids @> array[${taskApprovePermission.id}]::int[])
      -- A normal user sees the devices of their groups only.
      and (u.type <> 'normal' or not exists (
        select 1 from task_items i join devices d on d.id = i.device_id
        where i.task_id = ${taskId} and not i.superseded and d.group_id not in (
          with recursive tree as (
            select g.id from user_groups ug join groups g on g.id = ug.group_id and g.customer_id = u.customer_id
            where ug.user_id = u.id
            union select c.id from groups c join tree t on c.parent_id = t.id)
          select id from tree)))
    order by u.id`
  const may = found.filter(({ email }) => isAddress(email))
  const own = may.filter((one) => one.own)
  return (own.length > 0 ? own : may).slice(0, MAILS_MAX)
}

/** Each in their own language. Not if the task was decided or has ended meanwhile. */
export async function mailApprovers(
  tx: Transaction,
  { env, now, parameters }: Pick<WorkerContext, 'env' | 'now' | 'parameters'>,
  taskId: number,
): Promise<void> {
  const [asked] = await tx<Asked[]>`
    select t.customer_id as "customerId", t.name, t.version, t.language, t.created_by as "createdBy", u.username as creator,
      u.customer_id is null as platform, t.approval_until as until,
      (select count(*) from task_items i where i.task_id = t.id and not i.superseded)::int as devices
    from tasks t left join users u on u.id = t.created_by
    where t.id = ${taskId} and t.status = 'ongoing' and t.approval = 'waiting'`
  if (!asked) return
  for (const { email, language, own } of await approversOf(tx, taskId, asked)) {
    const say = sayIn(language ?? asked.language)
    const said = {
      // Names of platform users are not shown to customers [decisions/062].
      user: own && asked.platform ? say('kit:platformUser') : (asked.creator ?? say('kit:platformUser')),
      name: versionedName(asked.name, asked.version),
      count: asked.devices,
      hours: Math.max(1, Math.round((asked.until.getTime() - now().getTime()) / HOUR_MS)),
      link: `${env.PUBLIC_URL}/task/upgrade/${taskId}`,
    }
    await queueMail(tx, parameters, {
      customerId: asked.customerId,
      purpose: 'confirmation',
      recipient: email,
      subject: say('task:approvalMail.subject', said),
      text: say('task:approvalMail.text', said),
    })
  }
}
