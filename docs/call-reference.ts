/** docs/generated/calls.md: every declared call of the REST API, and every product code. */
import { functions } from '#schema/functions'
import type { Call, Permission } from '#schema/kit/call'
import { refusals } from '#schema/refusals'
import { fieldsOf, fieldTable, type JsonSchema, jsonSchema, table } from './fields.ts'

const carriers = {
  json: '',
  upload: 'The fields travel in the query string, the request body is the raw file.',
  download: 'Answers a file; refusals are still an envelope.',
} as const

function permissionText(permission: Permission): string {
  if (permission === 'none') return 'nobody needs to be logged in'
  if (permission === 'login') return 'any login'
  const name = Object.entries(functions).find(([, id]) => id === permission)?.[0]
  return `function ${permission}${name ? ` (${name})` : ''}`
}

function replyText(schema: JsonSchema): string {
  if (schema.type === 'null') return '`data` is null.'
  return `\`data\`:\n\n${fieldTable(fieldsOf(schema))}`
}

function callReference(call: Call): string {
  return [
    `### ${call.name}`,
    `\`${call.method} ${call.path}\` · ${permissionText(call.permission)}${call.writes ? ' · recorded in the operation log' : ''}`,
    call.summary,
    carriers[call.carrier],
    `Body:\n\n${fieldTable(fieldsOf(jsonSchema(call.body)))}`,
    call.carrier === 'download' ? '' : replyText(jsonSchema(call.reply, 'output')),
  ]
    .filter(Boolean)
    .join('\n\n')
}

export function callsDocument(calls: readonly Call[]): string {
  const sorted = calls.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const codes = Object.entries(refusals).toSorted(([, a], [, b]) => a.code - b.code)
  return `${[
    '# Calls',
    '*Generated from the declarations in `schema/` by `npm run generate`; do not edit.*',
    'Every answer is an envelope `{ code, data, message }` with HTTP 200: code 0 is success, any other one is a product code (below) with its message in the language of `Accept-Language`. Faults (malformed JSON, unknown path, too large, too many requests, internal error) use the HTTP status and the same envelope with a `requestId`. The session or an API token travels in the header `token`. Lists answer `data.list` and `data.total`; `offset` is the page number, from 1.',
    table(
      ['Call', 'Summary'],
      sorted.map(({ name, summary }) => [`[${name}](#${anchor(name)})`, summary]),
    ),
    ...sorted.map(callReference),
    '## Product codes',
    table(
      ['Code', 'Name', 'Text'],
      [['0', '', 'Success'], ...codes.map(([name, kind]) => [String(kind.code), name, kind['en-US']])],
    ),
  ].join('\n\n')}\n`
}

/** As GitHub makes them: letters, digits, `-` and `_` stay. */
const anchor = (heading: string) => heading.toLowerCase().replace(/[^a-z0-9_-]/g, '')
