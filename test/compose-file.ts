/** What docker-compose.yml, Dockerfile and .dockerignore say, for a machine without a container engine. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob } from 'node:path'
import { parse } from 'yaml'
import { root, tracked } from './tracked-files.ts'

export type Service = {
  command?: string[]
  environment?: Record<string, unknown>
  healthcheck?: { test?: string[]; disable?: boolean }
  depends_on?: Record<string, { condition: string }>
  ports?: string[]
  [key: string]: unknown
}

const read = (name: string) => readFileSync(join(root, name), 'utf8')

/** `${NAME}`, `${NAME:-default}`, `${NAME:+instead}`, `${NAME:?message}`, from the inside out, as compose does. */
export function interpolate(text: string, given: Readonly<Record<string, string>>): string {
  const next = text.replace(/\$\{(\w+)(?::([-+?])([^${}]*))?\}/g, (_, name: string, how = '', more = '') => {
    const value = given[name] ?? ''
    if (how === '+') return value === '' ? '' : more
    if (value === '' && how === '?') throw new Error(`${name}: ${more}`)
    return value === '' && how === '-' ? more : value
  })
  return next === text ? text : interpolate(next, given)
}

export function readCompose(given: Readonly<Record<string, string>>): Record<string, Service> {
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') return interpolate(value, given)
    if (Array.isArray(value)) return value.map(filled)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one)]))
  }
  return filled(parse(read('docker-compose.yml'), { merge: true }).services) as Record<string, Service>
}

const ignorePatterns = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** Whether the path, or a folder that it is in, stays out of the build. */
export function isIgnored(path: string): boolean {
  const parts = path.split('/')
  return parts.some((_, i) => {
    const above = parts.slice(0, i + 1).join('/')
    return ignorePatterns.some((pattern) => matchesGlob(above, pattern))
  })
}

const dockerfile = read('Dockerfile')

/** The packages that `npm ci --omit=dev` installs, without what the Dockerfile removes afterwards. */
function modules(): string[] {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> }
  const removed = [...(/rm -rf (.*)$/m.exec(dockerfile)?.[1] ?? '').split(' ')]
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev)
    .map(([path]) => path)
    .filter((path) => !removed.some((gone) => path === gone || path.startsWith(`${gone}/`)))
}

/** A folder that holds what the image holds in its /app. */
export function makeImage(): { dir: string; remove(): void } {
  // Outside of the repository: whatever is missing must not be found there.
  const dir = mkdtempSync(join(tmpdir(), 'iot-image-'))
  const copy = (how: string, paths: string[]) =>
    spawnSync('cp', [how, '--parents', ...paths, dir], { cwd: root }).status === 0
  // Hard links, where it is the same disk.
  const link = (paths: string[]) => {
    if (!copy('-al', paths) && !copy('-af', paths)) throw new Error(`${paths[0]} … cannot be copied`)
  }
  for (const [, from = ''] of dockerfile.matchAll(/^COPY --from=build \/app\/(\S+) \S+$/gm)) {
    if (from === 'web/dist') continue
    const files = tracked.filter((path) => (path === from || path.startsWith(`${from}/`)) && !isIgnored(path))
    if (files.length === 0) throw new Error(`Dockerfile: nothing is copied by ${from}`)
    link(files)
  }
  const present = modules().filter((path) => {
    try {
      return readFileSync(join(root, path, 'package.json')).length > 0
    } catch {
      // Of another platform.
      return false
    }
  })
  for (const path of present) mkdirSync(join(dir, dirname(path)), { recursive: true })
  link(present)
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}
