/** Declaration → route: authenticate → permit → parse → handle → envelope, and the operation log. */

import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '#infra/context'
import { withinTime } from '#infra/deadline'
import { gatherDeclared, gatherSubjects, mismatch } from '#infra/gather'
import { permissions, screens } from '#infra/rights'
import { taskKinds } from '#infra/task-kinds'
import { type Call, isCall } from '#schema/kit/call'
import { isCommand } from '#schema/kit/command'
import { type Language, pickLanguage, Refusal, refuse } from '#schema/kit/refusal'
import { rightsFaults } from '#schema/kit/rights-faults'
import { kioskCalls } from '#schema/monitor/kiosk'
import { accountRefusals } from '#schema/people/account-refusals'
import { answerLanguage } from '#schema/people/session'
import { absent, sessionRefusals } from '#schema/people/session-refusals'
import { callsBeforeEnrolment } from '#schema/people/totp'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { type FoundAll, findAbout, findMade, type StoredBook } from './about.ts'
import { aboutFaults } from './about-faults.ts'
import { type Actor, holds, resolveActor } from './actor.ts'
import { discardRest } from './discard-upload.ts'
import type { EventStream } from './event-stream.ts'
import { type Change, type FileReply, type Handler, isHandler } from './handler.ts'
import { jsonText } from './json-text.ts'
import type { CallMetrics } from './metrics.ts'
import { writeOperation } from './operation-log.ts'
import { parseBody } from './parse-body.ts'
import { type Secrets, secretNames } from './secret-names.ts'
import { isStored } from './stored.ts'
import { openTurns, type Turns } from './turns.ts'
import { JSON_TYPE, sendTagged, wantsTag } from './unchanged.ts'
import { isReferenced } from './unique-violation.ts'

export const languageOf = (request: FastifyRequest): Language =>
  request.language ?? pickLanguage(request.headers['accept-language'])

/** [§7] A declared `answerLanguage` in the body selects the language of the response, also of a refusal. */
function languageNamed(
  { body: declared }: Call,
  { headers }: FastifyRequest,
  body: unknown,
): Language | null {
  if (!(declared instanceof z.ZodObject && declared.shape['language'] === answerLanguage)) return null
  const { language } = z
    .object({ language: z.string().max(16) })
    .partial()
    .catch({})
    .parse(body)
  return language ? pickLanguage(`${language},${headers['accept-language'] ?? ''}`) : null
}

function permit(call: Call, actor: Actor | null): void {
  if (actor?.kiosk && !kioskCalls[actor.kiosk.panel ? 'panel' : 'bigScreen'].includes(call.name))
    refuse(sessionRefusals.noPermission)
  if (actor?.mustEnrol && !callsBeforeEnrolment.includes(call.name)) refuse(accountRefusals.totpEnrolFirst)
  if (typeof call.permission === 'object' && !(actor && holds(actor, call.permission)))
    refuse(sessionRefusals.noPermission)
}

/** A file name for Content-Disposition that cannot break out of the header. */
function disposition(fileName: string): string {
  const ascii = fileName.replace(/[^\w.-]/g, '_')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName)}`
}

/** Refusals of calls without a login that are not logged. */
const unlogged: readonly number[] = [sessionRefusals.tooManyAttempts.code, accountRefusals.totpNeeded.code]

/** Before the server closes the socket silently (65 s). Streams have their own timeouts. */
const CALL_MS = 55_000

declare module 'fastify' {
  interface FastifyRequest {
    /** Known before the body is read; null in calls without a login. */
    actor: Actor | null
    /** From the body; null: from the headers. */
    language: Language | null
  }
}

/**
 * A row that the call names may be deleted while the call is handled, after it was found; a foreign key tells. It is refused as
 * it would have been a moment later. Calls that delete have another reason: rows that still refer to theirs.
 */
async function unlessGone<T>(
  { context, call }: { context: Context; call: Call },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (call.about?.does === 'deletes' || !isReferenced(error)) throw error
    context.log.warn({ err: error, call: call.name }, 'a row that the call names has been deleted meanwhile')
    return refuse(absent)
  }
}

/** `stream`: the file or the events that `send` sends. */
type Answer = { send: () => unknown; stream?: Readable | undefined }

type Serving = {
  context: Context
  metrics: CallMetrics
  stored: StoredBook
  secretsOf: (call: Call) => Secrets
  checkReplies: boolean
  callMs: number
  turns: Turns
}

const isFields = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** The later change takes precedence. */
function joinChanges(one: Change, more: Change): Change {
  const side = (name: 'before' | 'after') =>
    isFields(one[name]) && isFields(more[name])
      ? { [name]: { ...one[name], ...more[name] } }
      : (more[name] ?? one[name]) === undefined
        ? {}
        : { [name]: more[name] ?? one[name] }
  return { ...one, ...more, ...side('before'), ...side('after') }
}

function register(app: FastifyInstance, entry: Handler, serving: Serving): void {
  const { call } = entry
  const { context, metrics, stored, checkReplies, callMs, turns } = serving
  const secrets = serving.secretsOf(call)
  const work = async (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
    const began = performance.now()
    const { actor } = request
    let body: unknown =
      call.method === 'GET' || call.carrier === 'upload' ? request.query : (request.body ?? {})
    request.language = languageNamed(call, request, body)
    const language = languageOf(request)
    let code = 0
    let change: Change = {}
    let found: FoundAll = { about: null, of: null }
    const note = (more: Change) => {
      change = joinChanges(change, more)
    }
    let send: () => unknown
    let stream: Readable | undefined
    try {
      permit(call, actor)
      body = parseBody(call, body, language)
      found = await findAbout(context, actor, stored, call.about, body as Record<string, unknown>)
      const run = () =>
        entry.run(
          {
            ...context,
            call,
            found,
            actor,
            language,
            jwt: app.jwt,
            ip: request.ip,
            userAgent: String(request.headers['user-agent'] ?? '').slice(0, 200),
            requestId: request.id,
            stream: request.raw,
            again: () => resolveActor(context, app.jwt, request.headers.token),
            note,
          },
          body,
        )
      const data = await unlessGone({ context, call }, run)
      if (call.about?.does === 'deletes') note({ before: found.about?.fields ?? {} })
      const made =
        actor &&
        (await findMade(context, actor, stored, call.about, data).catch((error: unknown) => {
          // The object was created, and the response is sent: only the log entry has less detail.
          context.log.error({ err: error, call: call.name, requestId: request.id }, 'not read for the log')
          return null
        }))
      if (made) {
        found = { ...found, about: made }
        note({ after: made.fields ?? {} })
      }
      if (call.carrier === 'download') {
        const file = data as FileReply
        stream = file.stream
        send = () =>
          reply.header('content-disposition', disposition(file.fileName)).type(file.mime).send(file.stream)
      } else if (call.carrier === 'events') {
        stream = data as EventStream
        // Nginx would otherwise collect events before it passes them on.
        send = () => reply.header('x-accel-buffering', 'no').type('text/event-stream').send(data)
      } else {
        const text = jsonText(data)
        // Tests and development validate every reply against its declaration: a mismatch is a fault.
        if (checkReplies) call.reply.parse(JSON.parse(text))
        const envelope = `{"code":0,"data":${text},"message":""}`
        send = () =>
          wantsTag(call, request)
            ? sendTagged(request, reply, envelope)
            : reply.type(JSON_TYPE).send(envelope)
      }
    } catch (error) {
      code = error instanceof Refusal ? error.kind.code : transportRefusals.fault.code
      throw error
    } finally {
      if (call.carrier === 'upload') discardRest(request.raw)
      metrics.answered(call.name, code, (performance.now() - began) / 1000)
      // An unknown client's call is not logged; only a failed login is worth a row. A throttled one is not: otherwise
      // a flood of them would fill the log. A login that only lacks the second factor is logged with its second half.
      const known = actor !== null || (call.permission === 'none' && !unlogged.includes(code))
      if (call.writes && known && !change.trial)
        await writeOperation(context, request, { call, actor, body, code, change, found, stored, secrets })
    }
    return { send, stream }
  }
  /** Checks the token before the body is read: an unauthenticated body must not use memory. */
  const recognize = async (request: FastifyRequest) => {
    const began = performance.now()
    try {
      const resolved = resolveActor(context, app.jwt, request.headers.token)
      request.actor = await withinTime(`call ${call.name}`, callMs, resolved)
    } catch (error) {
      if (call.carrier === 'upload') discardRest(request.raw)
      const { code } = error instanceof Refusal ? error.kind : transportRefusals.fault
      metrics.answered(call.name, code, (performance.now() - began) / 1000)
      throw error
    }
  }
  const inTurn = async (request: FastifyRequest, reply: FastifyReply): Promise<Answer> => {
    if (!(call.heavy && request.actor)) return work(request, reply)
    const began = performance.now()
    const end = await turns.enter(request.actor.userId)
    try {
      // Nobody waits for it any more: the page was left, or its time is over.
      const isAbandoned = request.raw.socket.destroyed || performance.now() - began > callMs
      return isAbandoned ? { send: () => reply.send() } : await work(request, reply)
    } finally {
      end()
    }
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const worked = inTurn(request, reply)
    const giveUp = (error: unknown) => {
      // What it still opens, nobody will read: a file, a connection to a device.
      void worked.then(({ stream }) => stream?.destroy()).catch(() => undefined)
      throw error
    }
    const inTime = call.carrier === 'upload' ? worked : withinTime(`call ${call.name}`, callMs, worked)
    const { send } = await inTime.catch(giveUp)
    // Sent after it is logged, so that a client that then reads the log finds it. A reply is awaited like a promise,
    // to the end of its stream: a download may last longer than a call.
    return send()
  }
  app.route({
    method: call.method,
    url: call.path,
    bodyLimit: call.bodyLimit,
    config: { call, upload: call.carrier === 'upload' },
    ...(call.permission === 'none' ? {} : { onRequest: recognize }),
    handler: answer,
  })
}

/**
 * Registers a route for every declared call. @throws if a declared call does not have exactly one handler, naming
 * each: the process must not start.
 */
export async function serveCalls(
  app: FastifyInstance,
  context: Context,
  metrics: CallMetrics,
  callMs = CALL_MS,
): Promise<Call[]> {
  const calls = await gatherDeclared(isCall)
  const handlers = await gatherSubjects(new URL('../', import.meta.url), isHandler)
  const wrong = mismatch(
    calls.map((call) => call.name),
    handlers.map((entry) => entry.call.name),
  )
  const allStored = await gatherSubjects(new URL('../', import.meta.url), isStored)
  const commands = await gatherDeclared(isCommand)
  const faults = [
    ...wrong,
    ...aboutFaults(calls, allStored),
    ...rightsFaults({ permissions, screens }, { calls, commands, kinds: [...taskKinds.values()] }),
  ]
  if (faults.length > 0) throw new Error(`the declarations are inconsistent: ${faults.join('; ')}`)
  const stored = new Map(allStored.map((one) => [one.object.name, one]))
  const secretsOf = secretNames(calls, commands)
  const checkReplies = context.env.NODE_ENV !== 'production'
  app.decorateRequest('actor', null)
  app.decorateRequest('language', null)
  const turns = openTurns()
  for (const entry of handlers)
    register(app, entry, { context, metrics, stored, secretsOf, checkReplies, callMs, turns })
  return calls
}
