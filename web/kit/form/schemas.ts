/** The real schemas of all declared calls; imported only by what validates, and so fetched only with a form. */
import type { z } from 'zod'
import { type Call, isCall } from '#schema/kit/call'

const modules = import.meta.glob<Record<string, unknown>>(
  ['../../../schema/*/*.ts', '!../../../schema/{kit,tables,refusals}/*.ts', '!../../../schema/*/*.test.ts'],
  { eager: true, query: '?zod' },
)
const bodies = new Map(
  Object.values(modules)
    .flatMap((module) => Object.values(module))
    .filter(isCall)
    .map((call) => [call.name, call.body]),
)

/** The schema of a call's body. @throws when the call is not declared */
export function bodyOf(call: Call): z.ZodType {
  const body = bodies.get(call.name)
  if (!body) throw new Error(`${call.name} is not declared`)
  return body
}
