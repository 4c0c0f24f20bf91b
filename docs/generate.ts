/**
 * `node docs/generate.ts` writes what is derived from declarations; `--check` only lists what is out of date (exit
 * 1).
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gatherDeclared } from '#infra/gather'
import { isCommand } from '#schema/kit/command'
import { isDownlink, isUplink } from '#schema/kit/message'
import { isTaskKind } from '#schema/kit/task-kind'
import { asyncapiDocument } from './asyncapi.ts'
import { decisionIndex, decisions } from './decision-index.ts'
import { eventTable } from './event-tables.ts'
import { gatheredModules } from './gathered-module.ts'
import { commandReference, configPageTable, deadlineTable, messageReference } from './protocol-tables.ts'
import { retentionTable } from './retention-table.ts'
import { envExample, settingsTable } from './settings-table.ts'
import { kindsTable, movesDiagram, movesTable } from './task-engine-tables.ts'
import { wordsModule } from './text-keys.ts'
import { placesModule } from './text-places.ts'
import { exampleTexts } from './worked-examples.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Puts `content` between `<!-- name -->` and `<!-- /name -->`. @throws if the document lacks the markers: a declared
 * message must be documented.
 */
export function fill(document: string, name: string, content: string, file: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [from, to] = [document.indexOf(start), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${file} has no place for ${start} … ${end}`)
  return `${document.slice(0, from + start.length)}\n${content}\n${document.slice(to)}`
}

/** A test runner orders a module's exports differently from Node. */
const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

const gathered = async () => ({
  messages: [
    ...(await gatherDeclared(isUplink)).toSorted(byName),
    ...(await gatherDeclared(isDownlink)).toSorted(byName),
  ],
  commands: (await gatherDeclared(isCommand)).toSorted(byName),
  kinds: (await gatherDeclared(isTaskKind)).toSorted(byName),
})

/** The expected content of every generated file, by absolute path. */
export async function generated(): Promise<Map<string, string>> {
  const { messages, commands, kinds } = await gathered()
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  let protocol = read('docs/protocol.md')
  for (const message of messages)
    protocol = fill(protocol, `message ${message.name}`, messageReference(message), 'docs/protocol.md')
  protocol = fill(protocol, 'commands', commands.map(commandReference).join('\n\n'), 'docs/protocol.md')
  protocol = fill(protocol, 'deadlines', deadlineTable(), 'docs/protocol.md')
  protocol = fill(protocol, 'config-pages', configPageTable(), 'docs/protocol.md')
  let engine = read('docs/task-engine.md')
  for (const [name, content] of [
    ['task kinds', kindsTable(kinds)],
    ['task moves', movesTable()],
    ['task diagram', movesDiagram()],
  ] as const)
    engine = fill(engine, name, content, 'docs/task-engine.md')
  let adding = read('docs/adding.md')
  for (const [name, text] of exampleTexts())
    adding = fill(adding, `example ${name}`, `\n${text}\n`, 'docs/adding.md')
  const files = {
    'schema/kit/places.gen.ts': await placesModule(),
    ...(await gatheredModules()),
    'docs/adding.md': adding,
    'docs/protocol.md': protocol,
    'docs/generated/asyncapi.json': `${JSON.stringify(asyncapiDocument(messages), null, 2)}\n`,
    'docs/decisions/README.md': fill(
      read('docs/decisions/README.md'),
      'decisions',
      decisionIndex(decisions()),
      'docs/decisions/README.md',
    ),
    'docs/operations.md': fill(
      read('docs/operations.md'),
      'retention',
      retentionTable(),
      'docs/operations.md',
    ),
    'docs/webhooks.md': fill(read('docs/webhooks.md'), 'events', eventTable(), 'docs/webhooks.md'),
    'schema/kit/words.gen.ts': wordsModule(),
    'docs/task-engine.md': engine,
    'README.md': fill(read('README.md'), 'settings', settingsTable(), 'README.md'),
    '.env.example': envExample(),
  }
  return new Map(Object.entries(files).map(([path, text]) => [join(root, path), text]))
}

/** Paths of generated files that are missing or differ. */
export function drift(files: ReadonlyMap<string, string>): string[] {
  return [...files]
    .filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
    .map(([path]) => relative(root, path))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await generated()
  const stale = drift(files)
  if (process.argv.includes('--check')) {
    if (stale.length > 0) process.stderr.write(`out of date, run npm run generate: ${stale.join(', ')}\n`)
    process.exit(stale.length > 0 ? 1 : 0)
  }
  for (const [path, text] of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  process.stdout.write(stale.length > 0 ? `written: ${stale.join(', ')}\n` : 'everything is up to date\n')
}
