/** Builds the console if its sources are newer than the build. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SettingError } from '#infra/env'
import { FIRST_FILES } from '#schema/platform/first-files'

const root = fileURLToPath(new URL('..', import.meta.url))

function newest(dir: string): number {
  let latest = 0
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.name === 'dist' || entry.name === 'migrations') continue
    const path = join(dir, entry.name)
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs)
  }
  return latest
}

/** Of a folder that belongs to somebody else, is read-only, or whose disk is full. */
const cannotWrite = /\b(EACCES|EPERM|EROFS|ENOSPC)\b[^\n]*/

/**
 * The reason why the user of this process cannot build what its owner can; the error itself if the sources are broken.
 */
export function buildError(error: Error & { stderr?: string }): Error {
  const [why] = cannotWrite.exec(error.stderr ?? '') ?? []
  return why === undefined
    ? error
    : new SettingError(
        `the console cannot be built (${why}): run \`npm run build\` in ${root} as the user who owns it`,
      )
}

/** Returns whether it had to build. @throws SettingError, or Vite's error when the sources are broken. */
export async function buildConsole(): Promise<boolean> {
  // The build writes it last: one that was interrupted is built again.
  const built = join(root, 'web/dist', FIRST_FILES)
  const sources = Math.max(
    newest(join(root, 'web')),
    newest(join(root, 'schema')),
    newest(join(root, 'locales')),
    statSync(join(root, 'package-lock.json')).mtimeMs,
  )
  if (existsSync(built) && statSync(built).mtimeMs >= sources) return false
  // A separate process: building sets NODE_ENV, and uses memory that a server should not keep.
  await promisify(execFile)(
    process.execPath,
    [
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      '--config',
      join(root, 'web/vite.config.ts'),
      '--logLevel',
      'warn',
    ],
    {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
    },
  ).catch((error: Error) => Promise.reject(buildError(error)))
  return true
}
