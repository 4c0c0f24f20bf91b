/** The operation log: who did what, from where, with what result. Secrets never enter it. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '#infra/context'
import type { Call } from '#schema/kit/call'
import { type Found, type FoundAll, findTried, type StoredBook, type Tried } from './about.ts'
import type { Actor } from './actor.ts'
import type { Change } from './handler.ts'
import type { Secrets } from './secret-names.ts'

const TEXT_MAX = 200
/** Number of entries of a longer list that are kept. */
const LISTED_MAX = 50
/** Names come from the sender, and calls without a login are logged as well: a row must stay small. */
const BODY_MAX = 32_768
const INTEGER_MAX = 2_147_483_647

/**
 * Replaces what jsonb and text refuse: U+0000 and lone surrogates, sent or created by truncation. An attempt must not
 * go unlogged because of them.
 */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** A copy for storage: the named secrets redacted at any depth, long texts and lists truncated. */
export function redact(value: unknown, secrets: Secrets, depth = 0): unknown {
  if (typeof value === 'string')
    return storable(value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  if (depth > 4) return '…'
  if (Array.isArray(value))
    return value.slice(0, LISTED_MAX).map((entry) => redact(entry, secrets, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, LISTED_MAX)
      .map(([name, entry]) => [
        storable(name.slice(0, TEXT_MAX)),
        secrets.has(name) ? '***' : redact(entry, secrets, depth + 1),
      ]),
  )
}

/** The content of an undeclared field is unknown, so only its name is stored. */
const sent = (body: unknown, { knows }: Secrets): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).map(([name, value]) => [name, knows(name) ? value : '***']))
    : null

/** As JSON for the column; a value that is too long is replaced by a word. */
function kept(value: unknown, secrets: Secrets): unknown {
  const text = JSON.stringify(redact(value, secrets) ?? null)
  return text.length > BODY_MAX ? { cut: storable(text.slice(0, TEXT_MAX)) } : JSON.parse(text)
}

type Operation = {
  call: Call
  actor: Actor | null
  body: unknown
  code: number
  change: Change
  found: FoundAll
  stored: StoredBook
  secrets: Secrets
}
type Subject = Tried & { deviceId?: number | null }

const subjectOf = ({ stored, id, name, customerId, deviceId }: Found, code: number): Subject => ({
  kind: stored.object.name,
  // For a refused call the id is added, so that the exact object can be identified.
  object: name === null ? `#${id}` : code === 0 ? name : `${name} (#${id})`,
  objects: [{ id: String(id) }],
  customerId,
  deviceId,
})

/** The object of the row: as reported by the handler, loaded before it ran, or named in the body. */
async function findSubject(context: Context, operation: Operation): Promise<Subject> {
  const { actor, call, code, change, found, stored } = operation
  const { object, objects } = change
  const kind = call.about !== null && call.about.does !== 'nothing' ? call.about.object.name : undefined
  if (found.about) return { ...subjectOf(found.about, code), ...(objects ? { objects } : {}) }
  const of = found.of ? { customerId: found.of.customerId, deviceId: found.of.deviceId } : {}
  const fields = { ...(operation.body as Record<string, unknown> | null) }
  const named = call.about?.does === 'makes' && call.about.named ? fields[call.about.named] : undefined
  const known = object ?? (code === 0 && typeof named === 'string' ? named : undefined)
  if (known !== undefined || code === 0 || actor === null)
    return {
      ...of,
      ...(known === undefined || kind === undefined ? {} : { kind, object: known }),
      ...(objects ? { objects } : {}),
    }
  // The row is more important than its object.
  const tried = await findTried(context, actor, stored, call.about, fields).catch(() => ({}))
  return { ...of, ...tried }
}

const idOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= INTEGER_MAX ? value : null

export async function writeOperation(
  context: Context,
  request: FastifyRequest,
  operation: Operation,
): Promise<void> {
  const { actor, body, call, code, change, secrets } = operation
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const subject = await findSubject(context, operation)
  const deviceId = subject.deviceId ?? idOf(fields['deviceId'])
  // Users of a customer work on objects of that customer; a refused attempt on another customer's object is not shown
  // to that other customer.
  const owner = change.customerId === undefined ? subject.customerId : change.customerId
  const ownerId = actor === null || actor.customerId === null ? (owner ?? null) : null
  const who = actor ?? change.who
  const username =
    who?.username ?? (typeof fields['username'] === 'string' ? fields['username'].slice(0, 64) : null)
  const json = (value: unknown) => (value === undefined ? null : context.sql.json(kept(value, secrets)))
  const objects = subject.objects?.slice(0, LISTED_MAX)
  try {
    await context.sql`
      insert into operations (user_id, username, customer_id, object_customer_id, call, device_id, body, code, ip, request_id,
        object, object_kind, objects, before, after)
      values (${who?.userId ?? null}, ${username === null ? null : storable(username)}, ${who?.customerId ?? null},
        ${ownerId}, ${call.name}, ${deviceId}, ${json(sent(body, secrets))}, ${code}, ${request.ip}, ${request.id},
        ${subject.object === undefined ? null : storable(subject.object.slice(0, TEXT_MAX))}, ${subject.kind ?? null}, ${json(objects)},
        ${json(change.before)}, ${json(change.after)})`
  } catch (error) {
    // The call has succeeded; the operator must learn what could not be logged, and who did it. By ids: rows are not for logs.
    context.log.error(
      {
        err: error,
        call: call.name,
        requestId: request.id,
        userId: who?.userId ?? null,
        ip: request.ip,
        code,
        kind: subject.kind ?? null,
        objects: objects?.map(({ id }) => ({ id })) ?? null,
        deviceId,
      },
      'operation not logged',
    )
  }
}
