/**
 * Build step: the declarations of `schema/` reach the browser as plain values. The console needs the path and name of
 * a call, the button of a command, the fields of a form; their schemas are evaluated here, and zod stays out of the
 * download.
 */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { z } from 'zod'
import { isConfigPage } from '#schema/config/config-page'
import { type Call, isCall } from '#schema/kit/call'
import { isCommand } from '#schema/kit/command'
import { isListCall, type ListCall } from '#schema/kit/list'
import { isScreen } from '#schema/kit/screen'

const SCHEMA = fileURLToPath(new URL('../schema/', import.meta.url))

type Module = Record<string, unknown>
const read = (file: string): Promise<Module> => import(pathToFileURL(file).href)
/**
 * Not a static import: Vite would bundle it into its configuration, and the copy would not have what the schemas have
 * registered.
 */
const { formOf } = (await read(join(SCHEMA, 'kit/form.ts'))) as typeof import('#schema/kit/form')

const sources = () =>
  readdirSync(SCHEMA, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(?!tables\/|migrations\/).*(?<!\.test)\.ts$/.test(file))
    .map((file) => join(SCHEMA, file))

const isDeclared = (value: unknown): value is { kind: string } =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'

/** Whether the value survives JSON unchanged. */
const isData = (value: unknown): boolean =>
  value === null ||
  ['string', 'boolean'].includes(typeof value) ||
  Number.isFinite(value) ||
  (Array.isArray(value)
    ? value.every(isData)
    : typeof value === 'object' &&
      Object.getPrototypeOf(value) === Object.prototype &&
      Object.values(value).every(isData))

/** Properties used by servers and documents only. */
const UNREAD = ['summary', 'exampleArgs', 'exampleReply', 'example']

/** A declaration without its schemas. */
const plain = (declared: object) =>
  Object.fromEntries(
    Object.entries(declared).filter(
      ([name, value]) => !(value instanceof z.ZodType) && !UNREAD.includes(name),
    ),
  )

type Declared = { word: string; value: unknown }
const gathered = async (): Promise<readonly Declared[]> =>
  (
    await Promise.all(
      sources().map(async (file) =>
        Object.values(await read(file)).map((value) => ({ word: basename(file, '.ts'), value })),
      ),
    )
  ).flat()

const hasForm = (value: unknown): value is Call => isCall(value) && value.form

/** `power` → `IconPower`: an unknown icon name fails the build. */
const iconOf = ({ icon = 'send' }: { icon?: string | undefined }) =>
  `Icon${icon
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')}`

function commandModule(declared: readonly Declared[]): string {
  const commands = declared.map(({ value }) => value).filter(isCommand)
  const icons = [...new Set(commands.map(iconOf))].join(', ')
  const values = commands.map((command) => {
    const plainly = JSON.stringify({ ...plain(command), fields: formOf(command.args) })
    return `{ ...${plainly}, Icon: ${iconOf(command)} }`
  })
  return `import { ${icons} } from '@tabler/icons-react'\nexport default [${values.join(',\n')}]`
}

function configPageModule(declared: readonly Declared[]): string {
  const pages = declared
    .flatMap(({ word, value }) => (isConfigPage(value) ? [{ word, page: value }] : []))
    .toSorted((a, b) => a.page.place - b.page.place)
  const icons = [...new Set(pages.map(({ page }) => iconOf(page)))].join(', ')
  const values = pages.map(({ word, page }) => {
    const { name, group, place, carriedBy, trial, filledFrom, live, body } = page
    const plainly = JSON.stringify({
      word,
      name,
      group,
      place,
      carriedBy,
      trial,
      filledFrom,
      live,
      fields: formOf(body),
    })
    return `{ ...${plainly}, Icon: ${iconOf(page)} }`
  })
  return `import { ${icons} } from '@tabler/icons-react'\nexport default [${values.join(',\n')}]`
}

const formModule = (isOpen: boolean) => (declared: readonly Declared[]) => {
  const forms = declared.flatMap(({ word, value }) =>
    hasForm(value) && (value.permission === 'none') === isOpen
      ? [[value.name, { word, fields: formOf(value.body) }]]
      : [],
  )
  return `export default ${JSON.stringify(Object.fromEntries(forms))}`
}

/** The choices of a list's filters, and the names of those that take an id or a text, which have none. */
const filtersOf = (call: ListCall) =>
  Object.fromEntries(
    formOf(call.body)
      .filter(({ name }) => !PAGING.includes(name))
      .map(({ name, options = [] }) => [name, options]),
  )
const PAGING = ['offset', 'limit', 'search', 'sort', 'order']

/** @throws for a screen whose list is not declared */
export const listsOf = (values: readonly unknown[]) => {
  const calls = new Map(values.filter(isListCall).map((call) => [call.name, call]))
  return values.filter(isScreen).flatMap(({ name, path, lists }) => {
    if (lists === undefined) return []
    const call = calls.get(lists)
    if (!call) throw new Error(`the screen ${name} shows ${lists}, which is not declared`)
    return [{ screen: name, path, call: plain(call) as ListCall, filters: filtersOf(call) }]
  })
}

const listModule = (declared: readonly Declared[]) =>
  `export default ${JSON.stringify(listsOf(declared.map(({ value }) => value)))}`

const virtual: Readonly<Record<string, (declared: readonly Declared[]) => string>> = {
  'virtual:forms': formModule(false),
  'virtual:open-forms': formModule(true),
  'virtual:commands': commandModule,
  'virtual:config-pages': configPageModule,
  'virtual:lists': listModule,
}

type Node = { type: string; start: number; end: number; [key: string]: unknown }
type Declarator = Node & { id: Node & { name?: string }; init: Node | null }

/**
 * Top-level constants of a module: their position, and their name if exported.
 * @throws for `const { a, ...rest } = schemas`, with which every schema behind it, and zod, would be downloaded
 */
function constants(program: {
  body: unknown
}): { name: string | undefined; exported: boolean; init: Node }[] {
  return (program.body as Node[]).flatMap((statement) => {
    const exported = statement.type === 'ExportNamedDeclaration'
    const declaration = (exported ? statement['declaration'] : statement) as Node | null
    if (declaration?.type !== 'VariableDeclaration') return []
    return (declaration['declarations'] as Declarator[]).flatMap(({ id, init }) => {
      if (init && id.type !== 'Identifier')
        throw new Error('give each constant its own declaration: bundlers keep what a pattern takes apart')
      return init ? [{ name: id.name, exported, init }] : []
    })
  })
}

type Imported = Node & { specifiers: readonly { local: { name: string } }[] }

/**
 * Without the imports that only schemas used: a module that nothing refers to would still be part of the same download.
 */
function withoutUnusedImports(code: string, program: { body: unknown }): string {
  const imports = (program.body as Imported[]).filter(({ type }) => type === 'ImportDeclaration')
  const without = (dropped: readonly Imported[]) =>
    dropped.toReversed().reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), code)
  const used = new Set(without(imports).match(/[\w$]+/g))
  return without(
    imports.filter(
      ({ specifiers }) => specifiers.length > 0 && specifiers.every(({ local }) => !used.has(local.name)),
    ),
  )
}

/** Without a call or a getter, or not called yet: bundlers drop such a constant if it is unused. */
const HARMLESS = ['Literal', 'ArrowFunctionExpression', 'FunctionExpression']

/** The gathered declarations as virtual modules: `virtual:forms`, `virtual:open-forms`, `virtual:commands`, `virtual:lists`. */
export function declaredModules(): Plugin {
  return {
    name: 'declared-modules',
    resolveId: (source) => (source in virtual ? `\0${source}` : null),
    load: async (id) => virtual[id.slice(1)]?.(await gathered()) ?? null,
  }
}

/**
 * In each module of `schema/`, declarations are replaced by their values, and other constants are marked as
 * droppable.
 */
export function declaredValues(): Plugin {
  return {
    name: 'declared-values',
    // While developing the schemas themselves are loaded: nothing is dropped there, and what evaluates them must find them.
    apply: 'build',
    async transform(code, id) {
      if (!id.startsWith(SCHEMA)) return null
      const values = await read(id)
      let text = code
      for (const { name, exported, init } of constants(this.parse(code)).toReversed()) {
        const value = exported && name ? values[name] : undefined
        const said = code.slice(init.start, init.end)
        const instead = isDeclared(value)
          ? JSON.stringify(plain(value))
          : isData(value)
            ? JSON.stringify(value)
            : /[(.]/.test(said) && !HARMLESS.includes(init.type)
              ? `/* @__PURE__ */ (() => (${said}))()`
              : said
        text = text.slice(0, init.start) + instead + text.slice(init.end)
      }
      return { code: withoutUnusedImports(text, this.parse(text)), map: null, moduleSideEffects: false }
    },
  }
}
