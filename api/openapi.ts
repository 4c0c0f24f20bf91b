/** OpenAPI 3.1 from the declarations, and a page that renders it: the reference of the REST API. */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { gatherRefusals } from '#infra/refusals'
import { sayIn } from '#infra/say'
import type { Access, Call } from '#schema/kit/call'
import type { RefusalKind } from '#schema/kit/refusal'

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    // An unknown field of a body is refused (kit/unknown-field.ts); for a response, zod's schema says so itself.
    override: ({ zodSchema, jsonSchema: node }) => {
      if (io === 'input' && zodSchema._zod.def.type === 'object') node.additionalProperties ??= false
    },
  })
  return rest
}

const envelope = (data: unknown) => ({
  type: 'object',
  required: ['code', 'data', 'message'],
  properties: {
    code: { type: 'integer', description: '0 success; others in refusals' },
    data,
    message: { type: 'string' },
  },
})

function parameters(call: Call) {
  const schema = jsonSchema(call.body, 'input') as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return Object.entries(schema.properties ?? {}).map(([name, value]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    schema: value,
  }))
}

const permissionText = (access: Access) =>
  typeof access === 'object' ? `function ${access.id} (${access.name})` : access

function operation(call: Call) {
  const file = { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }
  const answer = { content: { 'application/json': { schema: envelope(jsonSchema(call.reply, 'output')) } } }
  const events = {
    content: { 'text/event-stream': { schema: jsonSchema(call.reply, 'output') } },
  }
  const given = { json: answer, upload: answer, download: file, events }[call.carrier]
  const inQuery = call.method === 'GET' || call.carrier === 'upload'
  return {
    operationId: call.name.replaceAll('/', '.'),
    tags: [call.name.split('/')[0]],
    summary: call.summary,
    description: [
      `Permission: ${permissionText(call.permission)}`,
      ...(inQuery ? [] : [`Longest body: ${Math.round(call.bodyLimit / 1024)} kB`]),
    ].join('. '),
    ...(call.permission === 'none' ? {} : { security: [{ token: [] }] }),
    ...(inQuery
      ? { parameters: parameters(call) }
      : { requestBody: { content: { 'application/json': { schema: jsonSchema(call.body, 'input') } } } }),
    ...(call.carrier === 'upload' ? { requestBody: file } : {}),
    responses: { 200: { description: 'The envelope', ...given } },
  }
}

type Refusals = ReadonlyMap<string, RefusalKind>

/** Markdown, rendered by the page. */
function introduction(refusals: Refusals): string {
  const say = sayIn('en-US')
  const codes = [...refusals].toSorted(([, a], [, b]) => a.code - b.code)
  return [
    'Every answer is an envelope `{ code, data, message }` with HTTP 200: code 0 is success, any other one is a product code (below) with its message in the language of `Accept-Language`. Faults (malformed JSON, unknown path, too large, too many requests, internal error) use the HTTP status and the same envelope with a `requestId`.',
    'A field that a call does not declare is refused (`invalid`, with its name in `field`). The session or an API token travels in the header `token`. Lists answer `data.list` and `data.total`; `offset` is the page number, from 1.',
    [
      '| Code | Name | Text |',
      '| --- | --- | --- |',
      ...codes.map(([name, kind]) => `| ${kind.code} | ${name} | ${say(kind.text)} |`),
    ].join('\n'),
  ].join('\n\n')
}

/** The document; pure, so that docs can be checked for drift. */
export function openapiDocument(calls: readonly Call[], refusals: Refusals) {
  let paths: Record<string, Record<string, ReturnType<typeof operation>>> | undefined
  return {
    openapi: '3.1.0',
    info: {
      title: 'IoT cloud platform',
      version: '1',
      description: introduction(refusals),
    },
    components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'token' } } },
    // Built on first use: it takes a quarter of a second, for which no start need wait.
    get paths() {
      paths ??= Object.fromEntries(
        calls.map((call) => [call.path, { [call.method.toLowerCase()]: operation(call) }]),
      )
      return paths
    },
  }
}

export async function serveOpenapi(app: FastifyInstance, calls: readonly Call[]): Promise<void> {
  const document = openapiDocument(calls, await gatherRefusals())
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true })
  app.get('/api/openapi.json', async () => document)
}
