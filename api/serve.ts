/** Declaration → route: authenticate → permit → parse → handle → envelope, and the operation log. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '#infra/context'
import { gather, mismatch, schemaFolder } from '#infra/gather'
import { type Call, isCall } from '#schema/kit/call'
import { type Language, pickLanguage, Refusal, refuse } from '#schema/kit/refusal'
import { refusals } from '#schema/refusals'
import { callsBeforeEnrolment } from '#schema/totp'
import { type Actor, resolveActor } from './actor.ts'
import { writeOperation } from './audit.ts'
import { type Change, type FileReply, type Handler, isHandler } from './handler.ts'
import { jsonText } from './json-text.ts'
import { letGo } from './let-go.ts'
import type { CallMetrics } from './metrics.ts'
import { JSON_TYPE, sendTagged, wantsTag } from './unchanged.ts'

const zodErrors = { 'zh-CN': z.locales.zhCN(), 'zh-TW': z.locales.zhTW(), 'en-US': z.locales.en() }
export const languageOf = (request: FastifyRequest): Language =>
  pickLanguage(request.headers['accept-language'])

/** No declared body is nearly so deep; a hostile one would exhaust the stack. */
const DEPTH_MAX = 32

/** Where a text hides U+0000 or half a surrogate pair: legal in JSON, refused by PostgreSQL. null: nowhere. */
function unstorable(value: unknown, path: string, depth = 0): string | null {
  if (depth > DEPTH_MAX) refuse(refusals.invalid, { field: 'body', reason: `> ${DEPTH_MAX}` }, 'body')
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [name, entry] of Object.entries(value)) {
    const found = unstorable(entry, path === '' ? name : `${path}.${name}`, depth + 1)
    if (found !== null) return found
  }
  return null
}

/** Parses a body in the user's language. @throws Refusal naming the first field at fault. */
function parse(call: Call, input: unknown, language: Language): unknown {
  const hidden = unstorable(input, '')
  if (hidden !== null) refuse(refusals.invalid, { field: hidden, reason: 'U+0000' }, hidden)
  const parsed = call.body.safeParse(input, { error: zodErrors[language].localeError })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const field = issue?.path.map(String).join('.') || 'body'
  refuse(refusals.invalid, { field, reason: issue?.message ?? '' }, field)
}

function permit(call: Call, actor: Actor | null): void {
  if (actor?.mustEnrol && !callsBeforeEnrolment.includes(call.name)) refuse(refusals.totpEnrolFirst)
  if (typeof call.permission === 'number' && !actor?.functionIds.has(call.permission))
    refuse(refusals.noPermission)
}

/** A name for Content-Disposition that cannot break out of the header. */
function disposition(fileName: string): string {
  const ascii = fileName.replace(/[^\w.-]/g, '_')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName)}`
}

/** Refusals of open calls that are nobody's deed. */
const unlogged: readonly number[] = [refusals.tooManyAttempts.code, refusals.totpNeeded.code]

type Serving = { context: Context; metrics: CallMetrics; checkReplies: boolean }

function register(app: FastifyInstance, entry: Handler, { context, metrics, checkReplies }: Serving): void {
  const { call } = entry
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const began = performance.now()
    const language = languageOf(request)
    let actor: Actor | null = null
    let body: unknown =
      call.method === 'GET' || call.carrier === 'upload' ? request.query : (request.body ?? {})
    let code = 0
    let change: Change = {}
    let send: () => unknown
    try {
      if (call.permission !== 'none') actor = await resolveActor(context, app.jwt, request.headers.token)
      permit(call, actor)
      body = parse(call, body, language)
      const data = await entry.run(
        {
          ...context,
          actor,
          language,
          jwt: app.jwt,
          ip: request.ip,
          userAgent: String(request.headers['user-agent'] ?? '').slice(0, 200),
          requestId: request.id,
          stream: request.raw,
          note: (told) => {
            change = { ...change, ...told }
          },
        },
        body,
      )
      if (call.carrier === 'download') {
        const file = data as FileReply
        send = () =>
          reply.header('content-disposition', disposition(file.fileName)).type(file.mime).send(file.stream)
      } else {
        const text = jsonText(data)
        // Tests and development run every reply against its declaration: one that drifts is a fault.
        if (checkReplies) call.reply.parse(JSON.parse(text))
        const envelope = `{"code":0,"data":${text},"message":""}`
        send = () =>
          wantsTag(call, request)
            ? sendTagged(request, reply, envelope)
            : reply.type(JSON_TYPE).send(envelope)
      }
    } catch (error) {
      code = error instanceof Refusal ? error.kind.code : refusals.fault.code
      throw error
    } finally {
      if (call.carrier === 'upload') letGo(request.raw)
      metrics.answered(call.name, code, (performance.now() - began) / 1000)
      // Somebody whom we do not know did nothing; only a login that failed is worth a row.
      // One that was paused is not looked at: otherwise a flood of them would fill the log.
      // A code that was only asked for is half a login: the other half tells.
      const known = actor !== null || (call.permission === 'none' && !unlogged.includes(code))
      if (call.writes && known)
        await writeOperation(context, request, { call: call.name, actor, body, code, change })
    }
    // Answered when it is written down: who reads the log next finds it there.
    return send()
  }
  app.route({ method: call.method, url: call.path, handler: answer, config: { carrier: call.carrier } })
}

/**
 * Registers a route for every declared call.
 * @throws when a declared call has not exactly one handler, naming each: the process must not start.
 */
export async function serveCalls(
  app: FastifyInstance,
  context: Context,
  metrics: CallMetrics,
): Promise<Call[]> {
  const calls = await gather(schemaFolder, isCall)
  const handlers = await gather(new URL('./calls/', import.meta.url), isHandler)
  const wrong = mismatch(
    calls.map((call) => call.name),
    handlers.map((entry) => entry.call.name),
  )
  if (wrong.length > 0) throw new Error(`the calls do not add up: ${wrong.join('; ')}`)
  const checkReplies = context.env.NODE_ENV !== 'production'
  for (const entry of handlers) register(app, entry, { context, metrics, checkReplies })
  return calls
}
