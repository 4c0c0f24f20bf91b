/** What a browser downloads, gzipped, to show the login page, and then the shell with the device list. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

/** Budgets of the console [KiB, gzipped]. */
const BUDGET = { loginJs: 170, loginCss: 40, shellJs: 250, routeJs: 60 } as const
const LANGUAGE = 'zh-CN'

/** The chunk and everything it imports statically. */
function reach(manifest: Manifest, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const next of manifest[name]?.imports ?? []) reach(manifest, next, found)
  return found
}

export async function run(): Promise<{ name: string; figures: Record<string, number> }> {
  const out = await mkdtemp(join(tmpdir(), 'web-size-'))
  try {
    await build({
      configFile: fileURLToPath(new URL('../web/vite.config.ts', import.meta.url)),
      logLevel: 'error',
      build: { outDir: out, manifest: true, emptyOutDir: true },
    })
    const manifest = JSON.parse(readFileSync(join(out, '.vite/manifest.json'), 'utf8')) as Manifest
    const kib = (files: Iterable<string>) =>
      [...files].reduce(
        (sum, file) => sum + gzipSync(readFileSync(join(out, file)), { level: 9 }).length,
        0,
      ) / 1024
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
    const texts = (...words: string[]) => words.map((word) => `locales/${LANGUAGE}/${word}.json`)
    // What index.html itself asks for; bundlers name the entry as they like.
    const html = readFileSync(join(out, 'index.html'), 'utf8')
    const entry = Object.keys(manifest).filter((name) => html.includes(`/${manifest[name]?.file}`))
    const login = files([...entry, ...texts('kit', 'session')])
    const shell = files([...entry, 'shell/routes.tsx', ...texts('kit', 'session', 'shell', 'menu')])
    const list = files(['pages/device-list.tsx', ...texts('device', 'command')])
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
        'device list, what it adds JS KiB gz': round(kib([...list.js].filter((file) => !shell.js.has(file)))),
        'device list budget': BUDGET.routeJs,
        'login + shell + device list JS KiB gz': round(kib(new Set([...list.js, ...shell.js]))),
      },
    }
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`)
