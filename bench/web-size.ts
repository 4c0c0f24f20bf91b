/** What a browser downloads, gzipped, to show the login page, and then the shell with the device list. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'vite'

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

/** Budgets of the console [KiB, gzipped]; a route's budget is for own code: the list template and the page itself. */
export const BUDGET = { loginJs: 150, loginCss: 40, shellJs: 230, routeJs: 60 } as const
const LANGUAGE = 'zh-CN'

/** Origin of the code: a library, the template shared by some 30 lists, texts, or this page. */
type Owner = 'library' | 'template' | 'texts' | 'page'
const ownerOf = (module: string): Owner =>
  module.includes('/node_modules/') || (!module.includes('/web/') && !module.includes('/schema/'))
    ? 'library'
    : module.includes('/locales/')
      ? 'texts'
      : module.includes('/web/kit/') ||
          module.includes('/schema/kit/') ||
          module.includes('/schema/saved-view')
        ? 'template'
        : 'page'

/** The chunk and everything it imports statically. */
function reach(manifest: Manifest, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const next of manifest[name]?.imports ?? []) reach(manifest, next, found)
  return found
}

/** Characters of each owner in each file, before minifying: the ratio by which its gzipped bytes are attributed. */
type Shares = Map<string, Map<Owner, number>>

function readShares(shares: Shares): Plugin {
  return {
    name: 'read-shares',
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type !== 'chunk') continue
        const owners = new Map<Owner, number>()
        for (const [id, { renderedLength }] of Object.entries(part.modules))
          owners.set(ownerOf(id), (owners.get(ownerOf(id)) ?? 0) + renderedLength)
        shares.set(part.fileName, owners)
      }
    },
  }
}

export async function run(): Promise<{ name: string; figures: Record<string, number> }> {
  const out = await mkdtemp(join(tmpdir(), 'web-size-'))
  const shares: Shares = new Map()
  try {
    await build({
      configFile: fileURLToPath(new URL('../web/vite.config.ts', import.meta.url)),
      logLevel: 'error',
      plugins: [readShares(shares)],
      build: { outDir: out, manifest: true, emptyOutDir: true },
    })
    const manifest = JSON.parse(readFileSync(join(out, '.vite/manifest.json'), 'utf8')) as Manifest
    const sizeOf = (file: string) => gzipSync(readFileSync(join(out, file)), { level: 9 }).length / 1024
    const kib = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + sizeOf(file), 0)
    const kibOf = (files: Iterable<string>, owner: Owner) =>
      [...files].reduce((sum, file) => {
        const owners = shares.get(file) ?? new Map<Owner, number>()
        const all = [...owners.values()].reduce((total, length) => total + length, 0)
        return sum + (all === 0 ? 0 : (sizeOf(file) * (owners.get(owner) ?? 0)) / all)
      }, 0)
    const files = (entries: string[]) => {
      const chunks = new Set(entries.flatMap((entry) => [...reach(manifest, entry)]))
      const missing = [...chunks].filter((name) => manifest[name] === undefined)
      if (missing.length > 0) throw new Error(`not in the build: ${missing.join(', ')}`)
      const all = [...chunks].flatMap((name) => manifest[name] ?? [])
      return {
        js: new Set(all.map(({ file }) => file).filter((file) => file.endsWith('.js'))),
        css: new Set(all.flatMap(({ file, css = [] }) => (file.endsWith('.css') ? [file] : css))),
      }
    }
    const texts = (...words: string[]) => words.map((word) => `../locales/${LANGUAGE}/${word}.json`)
    // As requested by index.html itself, because bundlers choose the name of the entry.
    const html = readFileSync(join(out, 'index.html'), 'utf8')
    const entry = Object.keys(manifest).filter((name) =>
      [`src="/${manifest[name]?.file}"`, `href="/${manifest[name]?.file}"`].some((asked) =>
        html.includes(asked),
      ),
    )
    const login = files([...entry, ...texts('kit', 'session')])
    const index = `kit/words/${LANGUAGE.toLowerCase()}.ts`
    const shell = files([
      ...entry,
      'shell/routes.tsx',
      index,
      ...texts('kit', 'session', 'shell', 'list', 'form', 'menu'),
    ])
    const list = files(['pages/device-list.tsx', ...texts('device', 'command')])
    const added = [...list.js].filter((file) => !shell.js.has(file))
    const seen = new Set([...shell.js, ...list.js])
    const next = files(['pages/package-list.tsx', ...texts('package')])
    const round = (value: number) => Math.round(value * 10) / 10
    return {
      name: 'web-size',
      figures: {
        'login JS KiB gz': round(kib(login.js)),
        'login JS budget': BUDGET.loginJs,
        'login CSS KiB gz': round(kib(login.css)),
        'login CSS budget': BUDGET.loginCss,
        'login + shell JS KiB gz': round(kib(shell.js)),
        'login + shell JS budget': BUDGET.shellJs,
        'device list adds, JS KiB gz': round(kib(added)),
        'of it libraries, shared by all lists': round(kibOf(added, 'library')),
        'of it the list template, shared by all lists': round(kibOf(added, 'template')),
        'of it the page itself': round(kibOf(added, 'page')),
        'of it texts': round(kibOf(added, 'texts')),
        'device list own code (template and page)': round(kibOf(added, 'template') + kibOf(added, 'page')),
        'device list own code budget': BUDGET.routeJs,
        'package list adds after it, JS KiB gz': round(kib([...next.js].filter((file) => !seen.has(file)))),
        'login + shell + device list JS KiB gz': round(kib(new Set([...list.js, ...shell.js]))),
      },
    }
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`)
