/** The operation log: who did what, from where, with what result. Secrets never enter it. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '#infra/context'
import type { Actor } from './actor.ts'
import type { Change } from './handler.ts'
import { LISTED_MAX } from './provable.ts'
import { type Tried, triedObject } from './tried-object.ts'

const secret = /passw|secret|token|key$|csv|^totp$|^codes$/i
const TEXT_MAX = 200
/** Names are the sender's too, and a call without a login is logged as well: a row must stay small. */
const BODY_MAX = 32_768
const INTEGER_MAX = 2_147_483_647

/** What jsonb and text refuse: U+0000, and half a surrogate pair, sent so or made by cutting. Hiding must not help. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** A copy fit to keep: secrets struck out, long texts and lists cut. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string')
    return storable(value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > 4) return '…'
  if (Array.isArray(value)) return value.slice(0, LISTED_MAX).map((entry) => redact(entry, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, LISTED_MAX)
      .map(([name, entry]) => [
        storable(name.slice(0, TEXT_MAX)),
        secret.test(name) ? '***' : redact(entry, depth + 1),
      ]),
  )
}

/** As JSON that the column takes; too long a value is cut to a word. */
function kept(value: unknown): unknown {
  const text = JSON.stringify(redact(value) ?? null)
  return text.length > BODY_MAX ? { cut: storable(text.slice(0, TEXT_MAX)) } : JSON.parse(text)
}

type Operation = { call: string; actor: Actor | null; body: unknown; code: number; change: Change }

/** Whose thing a platform user worked on, as the handler said or as the body tells. */
function ownerOf(sql: Context['sql'], { actor, body, change }: Operation, deviceId: number | null) {
  if (change.customerId !== undefined) return sql`${change.customerId}::int`
  // A customer's user works on his own customer's things; what he was refused of another's is not that one's to read.
  if (!actor || actor.customerId !== null) return sql`null::int`
  const { customerId, cid, groupId, gid } = (body ?? {}) as Record<string, unknown>
  const group = idOf(groupId) ?? idOf(gid)
  const customer = idOf(customerId) ?? idOf(cid)
  return sql`coalesce((select customer_id from devices where id = ${deviceId}::int),
    (select customer_id from groups where id = ${group}::int), (select id from customers where id = ${customer}::int))`
}

const idOf = (value: unknown): number | null => {
  const id = Number(value)
  return value !== null && value !== '' && Number.isInteger(id) && Math.abs(id) <= INTEGER_MAX ? id : null
}

/** Of a call that was refused before its handler could say it. */
async function tried(
  context: Context,
  { actor, call, code, change }: Operation,
  fields: Readonly<Record<string, unknown>>,
): Promise<Tried> {
  if (code === 0 || actor === null || change.object !== undefined) return {}
  // The row matters more than what it is about.
  return await triedObject(context, call, actor, fields).catch(() => ({}))
}

export async function writeOperation(
  context: Context,
  request: FastifyRequest,
  operation: Operation,
): Promise<void> {
  const { actor, body } = operation
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const change = { ...(await tried(context, operation, fields)), ...operation.change }
  const given = fields['deviceId']
  const deviceId = typeof given === 'number' ? idOf(given) : null
  const who = actor ?? change.who
  const username =
    who?.username ?? (typeof fields['username'] === 'string' ? fields['username'].slice(0, 64) : null)
  const json = (value: unknown) => (value === undefined ? null : context.sql.json(kept(value)))
  try {
    await context.sql`
      insert into operations (user_id, username, customer_id, object_customer_id, call, device_id, body, code, ip, request_id, object, before, after)
      values (${who?.userId ?? null}, ${username === null ? null : storable(username)}, ${who?.customerId ?? null},
        ${ownerOf(context.sql, { ...operation, change }, deviceId)}, ${operation.call}, ${deviceId}, ${json(body ?? null)}, ${operation.code}, ${request.ip}, ${request.id},
        ${change.object === undefined ? null : storable(change.object.slice(0, TEXT_MAX))}, ${json(change.before)}, ${json(change.after)})`
  } catch (error) {
    // The work is done and answered; that it could not be logged must be seen by the operator.
    context.log.error({ err: error, call: operation.call, requestId: request.id }, 'operation not logged')
  }
}
