/** Who may approve a request for access, and the mail that notifies them. */
import { queueMail } from '#infra/mail'
import type { Transaction } from '#infra/postgres'
import { sayIn } from '#infra/say'
import type { Language } from '#schema/kit/refusal'
import { remoteAccessScreen, remoteApprovePermission } from '#schema/remote/access-pages'
import { holds, loadActor } from '../kit/actor.ts'
import type { CallContext } from '../kit/handler.ts'

/** Maximum recipients of one request. */
const MAILS_MAX = 20

type Asked = { deviceId: number; reason: string; minutes: number }
type Place = { sn: string; name: string; customerId: number; groupId: number }
type Approver = {
  id: number
  email: string
  /** The user's language; null: they have not opened the console yet. */
  language: Language | null
  /** True for users of a customer, false for users of the platform. */
  own: boolean
}

/** Users of the device's customer who may approve and see it; if there are none, those of the platform. */
async function approvers(
  tx: Transaction,
  ctx: CallContext,
  { customerId, groupId }: Place,
): Promise<Approver[]> {
  const found = await tx<Approver[]>`
    select u.id, u.email, u.language, u.customer_id is not null as own
    from users u left join roles r on r.id = u.role_id
    where u.status = 1 and u.email is not null and u.id <> ${ctx.actor.userId}
      and (u.customer_id = ${customerId} or u.customer_id is null)
      and (u.type = 'superAdmin' or r.function_ids @> array[${remoteApprovePermission.id}]::int[])
    order by u.id`
  const may: Approver[] = []
  for (const user of found) {
    const actor = await loadActor(tx, user.id)
    if (!actor || !holds(actor, remoteApprovePermission)) continue
    if (actor.groupIds === null || actor.groupIds.includes(groupId)) may.push(user)
  }
  const own = may.filter((user) => user.own)
  return (own.length > 0 ? own : may).slice(0, MAILS_MAX)
}

/** Each in their own language; in the transaction of the request. */
export async function mailApprovers(tx: Transaction, ctx: CallContext, asked: Asked): Promise<void> {
  const [device] = await tx<Place[]>`
    select sn, name, customer_id as "customerId", group_id as "groupId" from devices where id = ${asked.deviceId}`
  if (!device) return
  for (const { email, language, own } of await approvers(tx, ctx, device)) {
    const say = sayIn(language ?? ctx.language)
    const said = {
      // Names of platform users are not shown to customers [decisions/062].
      user: own && ctx.actor.customerId === null ? say('kit:platformUser') : ctx.actor.username,
      device: `${device.name} (${device.sn})`,
      reason: asked.reason,
      minutes: asked.minutes,
      link: `${ctx.env.PUBLIC_URL}${remoteAccessScreen.path}`,
    }
    await queueMail(tx, ctx.parameters, {
      customerId: device.customerId,
      purpose: 'confirmation',
      recipient: email,
      subject: say('access:mail.subject', said),
      text: say('access:mail.text', said),
    })
  }
}
