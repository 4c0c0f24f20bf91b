/** The console obeys a command's declaration: its texts, and the single function that sends it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { languages } from '#schema/kit/refusal'

vi.mock('../kit/query.ts', () => ({ queryClient: {}, reportError: () => undefined }))
vi.mock('../kit/toast.tsx', () => ({ toast: () => undefined }))
const { default: commands } = await import('virtual:commands')
const { confirmationOf } = await import('./commands.ts')

const root = join(import.meta.dirname, '../..')
type Texts = { [key: string]: string | Texts }
const textsOf = (language: string) =>
  JSON.parse(readFileSync(join(root, 'locales', language, 'command.json'), 'utf8')) as Texts
const at = (texts: Texts, path: string) =>
  path.split('.').reduce<string | Texts | undefined>((here, key) => (here as Texts | undefined)?.[key], texts)

const sources = readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith('dist/'))
  .map((file) => ({ file, text: readFileSync(join(root, 'web', file), 'utf8') }))

describe.each(commands)('$name', (command) => {
  const { name, fields, platformOnly, place, confirm, namedBy } = command

  it.each(languages)('has its texts in %s', (language) => {
    const named = fields.find((field) => field.name === namedBy)?.options ?? []
    const needed = [
      `name.${name}`,
      ...(confirm === 'none' ? [] : [`text.${name}`]),
      ...(platformOnly || place === 'part' ? [] : fields.map((field) => `arg.${name}.${field.name}`)),
      ...named.map((value) => `named.${name}.${value}`),
    ]
    const texts = textsOf(language)
    expect(needed.filter((key) => typeof at(texts, key) !== 'string')).toEqual([])
  })

  it('is sent by a part of the console, or has a place for its button', () => {
    if (platformOnly || place !== 'part') return
    expect(sources.some(({ text }) => text.includes(`${name}.name`) || text.includes(`'${name}'`))).toBe(true)
  })
})

it('is confirmed as declared, unless its arguments interrupt nothing', () => {
  const asked = Object.fromEntries(commands.map((command) => [command.name, confirmationOf(command, {})]))
  expect(asked).toMatchObject({ factoryReset: 'typed', reboot: 'ask', controlService: 'ask', ping: 'none' })
  const service = commands.find(({ name }) => name === 'controlService')
  if (!service) throw new Error('services can be controlled')
  expect(confirmationOf(service, { name: 'dnsmasq', action: 'start' })).toBe('none')
  expect(confirmationOf(service, { name: 'dnsmasq', action: 'stop' })).toBe('ask')
})

it('is sent by one function: no other file of the console sends a command to one device', () => {
  const senders = sources.filter(({ text }) => /\bsendCommand\b/.test(text)).map(({ file }) => file)
  expect(senders).toEqual(['command/commands.ts'])
})
