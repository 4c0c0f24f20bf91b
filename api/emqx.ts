/**
 * The HTTP hooks for an EMQX that devices connect to [decisions/139]: authentication, authorization, and connection
 * events. Its HTTP plugins expect responses in their own format instead of our envelope; they authenticate with
 * EMQX_HOOK_SECRET.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Context } from '#infra/context'
import { connectionId, isNamed, type PresenceEvent, recordPresence } from '#infra/presence'
import { hashSecret, sameText } from '#infra/secrets'
import {
  addressOf,
  type EmqxEvent,
  emqxAction,
  emqxAllows,
  emqxEvent,
  emqxLogin,
  isOwnId,
  isSerial,
  offlineReasonOf,
  serialOf,
} from '#schema/device/emqx'
import { enrolUser, isEnrolmentKey } from '#schema/device/enrol'
import { EXTERNAL_BROKER } from '#schema/device/presence'
import { bodyLimits } from '#schema/kit/call'

/** All devices come from the address of their broker. */
const REQUESTS_PER_MINUTE = 1_000_000
const NOBODY = hashSecret('nobody')

type Login = z.output<typeof emqxLogin>
type Verdict = { result: 'allow' | 'deny'; is_superuser?: boolean }

const allow: Verdict = { result: 'allow', is_superuser: false }
const deny: Verdict = { result: 'deny' }

/**
 * An enrolment key may only be used for a serial number that is not in use: logging in as a connected device would
 * disconnect it.
 */
async function mayEnrol({ sql }: Context, { clientid, password }: Login): Promise<boolean> {
  if (!isSerial(clientid)) return false
  const [row] = await sql<{ valid: boolean; used: boolean }[]>`
    select exists (select 1 from enrolment_keys where hash = ${hashSecret(password)} and revoked_at is null and expires_at > now()) as valid,
      exists (select 1 from devices where sn = ${clientid} and secret_used_at is not null and deleted_at is null) as used`
  return row?.valid === true && !row.used
}

/** Unknown and wrong credentials look the same. */
async function mayLogIn({ sql }: Context, login: Login): Promise<boolean> {
  const { clientid, password } = login
  const sn = serialOf(login)
  if (!isSerial(sn) || !isOwnId(sn, clientid)) return false
  const [row] = await sql<{ id: number; hash: string | null; used: boolean }[]>`
    select id, secret_hash as hash, secret_used_at is not null as used from devices
    where sn = ${sn} and deleted_at is null`
  const given = hashSecret(password)
  if (!sameText(given, row?.hash ?? NOBODY) || !row) return false
  if (row.used) return true
  // Enrolment may just have issued another secret.
  const marked = await sql`
    update devices set secret_used_at = coalesce(secret_used_at, now())
    where id = ${row.id} and secret_hash = ${given} returning id`
  return marked.length > 0
}

async function authenticate(context: Context, login: Login): Promise<Verdict> {
  const { env } = context
  const { username, password } = login
  if (username === env.EXTERNAL_MQTT_USERNAME) {
    const right = sameText(password, env.EXTERNAL_MQTT_PASSWORD ?? '')
    return right ? { result: 'allow', is_superuser: true } : deny
  }
  const enrols = isEnrolmentKey(password) && username === enrolUser(password)
  return (await (enrols ? mayEnrol(context, login) : mayLogIn(context, login))) ? allow : deny
}

/** Presence follows the main connection. Events may come twice, late, and in any order. */
async function note({ sql, now }: Context, event: EmqxEvent): Promise<void> {
  if (event.clientid !== event.username || !isSerial(event.username)) return
  const [device] = await sql<{ id: number; current: string | null; online: boolean | null }[]>`
    select d.id, s.connection_id as current, s.online from devices d left join device_states s on s.device_id = d.id
    where d.sn = ${event.username}`
  if (!device) return
  const at = (ms: number) => new Date(Math.min(ms, now().getTime())).toISOString()
  const named = connectionId(device.id, String(event.connected_at))
  const [known] = await sql<{ over: boolean }[]>`
    select offline_at is not null as over from presence_records where connection_id = ${named}`
  const record = (of: PresenceEvent) => recordPresence(sql, EXTERNAL_BROKER, [of])
  // The disconnect event has arrived before the connect event.
  if (event.event === 'client.connected' && known?.over) return
  // The connect event was missed during an outage: the connection has been recorded under another id.
  const unnamed = device.online && device.current !== null && !isNamed(device.current) ? device.current : null
  if (event.event === 'client.connected' || (!known && !unnamed))
    await record({
      kind: 'online',
      deviceId: device.id,
      connection: named,
      at: at(event.connected_at),
      ip: addressOf(event.peername),
      transport: null,
    })
  if (event.event === 'client.disconnected')
    await record({
      kind: 'offline',
      deviceId: device.id,
      connection: known || !unnamed ? named : unnamed,
      at: at(event.disconnected_at),
      reason: offlineReasonOf(event.reason),
    })
}

export function serveEmqx(app: FastifyInstance, context: Context): void {
  const { env, log } = context
  const secret = env.EMQX_HOOK_SECRET
  if (env.BROKER !== 'external' || env.EXTERNAL_MQTT_KIND !== 'emqx' || !secret) return

  function hook<S extends z.ZodType>(path: string, body: S, answer: (said: z.output<S>) => Promise<object>) {
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const given = request.headers['x-iot-secret']
      if (!sameText(typeof given === 'string' ? given : '', secret ?? ''))
        return reply.status(401).send({ result: 'deny' })
      const said = body.safeParse(request.body)
      if (!said.success) return reply.status(400).send({ result: 'deny' })
      try {
        return await reply.send(await answer(said.data))
      } catch (error) {
        // For an event EMQX treats 503 as "try again"; for authentication and authorization as "not allowed".
        log.warn({ err: error, path }, 'EMQX is not answered')
        return reply.status(503).send({ result: 'deny' })
      }
    }
    const limits = { bodyLimit: bodyLimits.open, config: { rateLimit: { max: REQUESTS_PER_MINUTE } } }
    app.post(path, limits, handle)
  }
  hook('/emqx/authenticate', emqxLogin, (login) => authenticate(context, login))
  hook('/emqx/authorize', emqxAction, async (action) => (emqxAllows(action) ? { result: 'allow' } : deny))
  hook('/emqx/event', emqxEvent, async (event) => {
    await note(context, event)
    return {}
  })
}
