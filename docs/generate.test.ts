import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import asyncapiSchema from '@asyncapi/specs/schemas/3.0.0-without-$id.json' with { type: 'json' }
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { abilities } from '#schema/config/ability'
import { isCommand } from '#schema/kit/command'
import { isDownlink, isUplink } from '#schema/kit/message'
import { taskFailures } from '#schema/kit/task-kind'
import { qualities } from '#schema/monitor/fields'
import { progress } from '#schema/task/task'
import { asyncapiDocument } from './asyncapi.ts'
import { fieldsOf, jsonSchema, valueAt } from './fields.ts'
import { drift, fill, generated } from './generate.ts'

const messages = [...(await gatherDeclared(isUplink)), ...(await gatherDeclared(isDownlink))]
const commands = await gatherDeclared(isCommand)

describe('the generated documents', () => {
  it('match the declarations; otherwise run npm run generate', async () => {
    expect(drift(await generated())).toEqual([])
  })

  it('cannot be generated while a declared message has no place in the document', () => {
    expect(() => fill('# nothing', 'message hello', 'x', 'docs/protocol.md')).toThrow(
      'docs/protocol.md has no place for <!-- message hello -->',
    )
  })

  it('describe the protocol as valid AsyncAPI 3', () => {
    const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(
      asyncapiSchema,
    )
    validate(structuredClone(asyncapiDocument(messages)))
    expect(validate.errors).toBe(null)
    const broken = { ...asyncapiDocument(messages), channels: { hello: { address: 7 } } }
    expect(validate(broken)).toBe(false)
  })
})

describe('the text of the protocol', () => {
  const narrative = readFileSync(new URL('./protocol.md', import.meta.url), 'utf8').replace(
    /<!-- (message|commands)[\s\S]*?<!-- \/\1/g,
    '',
  )
  const steps = progress.payload.shape.step.options

  it.each([...taskFailures, ...steps])('says when %s is reported', (word) => {
    expect(narrative).toContain(`\`${word}\``)
  })

  it.each(abilities)('says what the ability %s means', (ability) => {
    expect(narrative).toMatch(new RegExp(`^\\| .*\`${ability}\`.* \\| `, 'm'))
  })

  it('has only valid links', () => {
    const links = [...narrative.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1] ?? '')
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect(existsSync(new URL(link, import.meta.url)), link).toBe(true)
  })
})

describe('the text about data exchange', () => {
  const text = readFileSync(new URL('./data-exchange.md', import.meta.url), 'utf8')

  it.each(qualities.filter((quality) => quality !== 'good'))(
    'says what the quality %s of a value means',
    (quality) => {
      expect(text).toMatch(new RegExp(`^\\|.*\`${quality}\``, 'm'))
    },
  )
})

describe('every time', () => {
  const times = messages.flatMap((message) =>
    fieldsOf(jsonSchema(message.payload)).filter(({ unit }) => unit === 'ms since 1970 UTC'),
  )

  it('can reach the present: what cannot is the number of a register', () => {
    expect(times.length).toBeGreaterThan(10)
    expect(times.filter(({ bounds }) => !bounds.includes('8640000000000'))).toEqual([])
  })
})

describe('every example', () => {
  it.each(messages.map((message) => [message.name, message] as const))(
    'of %s is a valid payload, within its size',
    (_, message) => {
      expect(message.payload.safeParse(message.example).error?.issues ?? []).toEqual([])
      const size = Buffer.byteLength(JSON.stringify(message.example))
      if (message.kind === 'uplink') expect(size).toBeLessThan(message.maxBytes)
    },
  )

  it.each(messages.map((message) => [message.name, message] as const))(
    'of %s names no field that is not declared',
    (_, message) => {
      const strays = Object.keys(message.example as object).filter(
        (name) => !fieldsOf(jsonSchema(message.payload)).some(({ path }) => path === name),
      )
      expect(strays).toEqual([])
    },
  )

  it.each(commands.map((command) => [command.name, command] as const))(
    'of the command %s parses',
    (_, command) => {
      expect(command.args.safeParse(command.exampleArgs).success).toBe(true)
      expect(command.reply.safeParse(command.exampleReply).success).toBe(true)
    },
  )

  it('is found by the path of its field', () => {
    expect(valueAt({ lines: [{ seq: 17 }], gps: { longitude: 1 } }, 'lines[].seq')).toBe(17)
    expect(valueAt({ gps: { longitude: 1 } }, 'gps.longitude')).toBe(1)
    expect(valueAt({}, 'gps.longitude')).toBe(undefined)
  })
})

it('the files and folders that the documentation names exist', () => {
  const root = fileURLToPath(new URL('../', import.meta.url))
  // The worked examples name files that a newcomer is to write.
  const pages = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md') && name !== 'adding.md')
  const rooms = 'admin|agent|api|bench|broker|deploy|device-sim|docs|infra|launch|ops|schema|test|web|workers'
  const missing = ['README.md', ...pages.map((name) => `docs/${name}`)].flatMap((page) =>
    [...readFileSync(root + page, 'utf8').matchAll(new RegExp(`\`((?:${rooms})/[\\w./*-]+)\``, 'g'))]
      .map(([, path = '']) => path)
      // A decision is named by its number.
      .filter((path) => globSync([path, `${path}-*.md`], { cwd: root }).length === 0)
      .map((path) => `${page}: ${path}`),
  )
  expect(missing).toEqual([])
})
