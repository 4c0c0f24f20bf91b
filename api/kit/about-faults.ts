/** Finds calls that declare their object wrongly or not at all: the api then refuses to start. */
import { z } from 'zod'
import { type Named, oneself } from '#schema/kit/about'
import type { Call } from '#schema/kit/call'
import type { Stored } from './stored.ts'

const fieldsOf = (schema: z.ZodType): string[] => {
  // Nearly all bodies and replies are objects; making JSON schemas of all of them would take longer than the rest of
  // the start.
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties ?? {})
}

function faultsOf(call: Call, stored: ReadonlyMap<string, Stored>): string[] {
  const { about, name } = call
  if (about === null) return call.writes ? [`${name} does not say what it is about`] : []
  if (call.writes === (about.does === 'reads'))
    return [`${name} ${call.writes ? 'writes' : 'writes nothing'}, but ${about.does} what it is about`]
  if (about.does === 'nothing') return []
  const wrong: string[] = []
  const isSent = (field: string | null | undefined) => {
    if (field !== undefined && field !== oneself && !fieldsOf(call.body).includes(field))
      wrong.push(`${name} is about its field ${field}, which its body has not`)
  }
  const isStored = ({ object }: Pick<Named, 'object'>) => {
    if (!stored.has(object.name)) wrong.push(`${name} is about ${object.name}, which is stored nowhere`)
  }
  isStored(about)
  if (about.does === 'makes') {
    isSent(about.named)
    if (about.by !== undefined && !fieldsOf(call.reply).includes(about.by))
      wrong.push(`${name} tells the id of what it makes in ${about.by}, which its reply has not`)
  } else isSent(about.by)
  if ((about.does === 'makes' || about.does === 'finds') && about.of) {
    isStored(about.of)
    isSent(about.of.by)
  }
  if (about.does === 'edits' && !stored.get(about.object.name)?.parts?.[about.part])
    wrong.push(`${name} edits the part ${about.part} of ${about.object.name}, which has none of that name`)
  return wrong
}

/** Each fault as a sentence that names the declaration; empty if there are none. */
export function aboutFaults(calls: readonly Call[], all: readonly Stored[]): string[] {
  const names = all.map(({ object }) => object.name)
  const stored = new Map(all.map((one) => [one.object.name, one]))
  const used = new Set(
    calls.flatMap(({ about }) =>
      about === null || about.does === 'nothing'
        ? []
        : [about.object.name, 'of' in about ? about.of?.object.name : undefined],
    ),
  )
  return [
    ...names.filter((name, i) => names.indexOf(name) !== i).map((name) => `${name} is stored twice`),
    ...names.filter((name) => !used.has(name)).map((name) => `no call is about ${name}`),
    ...calls.flatMap((call) => faultsOf(call, stored)),
  ]
}
