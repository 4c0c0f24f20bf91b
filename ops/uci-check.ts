/** Checks files of UCI text as the platform and a router's libuci would read them. */
import { readFileSync } from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'
import { configHash, packageHash } from '#infra/config-hash'
import { exportUci, parseUci, parseUciPackages, UciFault, type UciPackage } from '#schema/config/uci'
import { usage } from './exit.ts'

export type Checked = {
  file: string
  result: 'ok' | 'refused'
  line: number | null
  reason: string | null
  sections: number | null
  sha256: string | null
}

/** One character per byte: a value need not be UTF-8, and the hash is over the bytes. */
function readBytes(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    return usage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
const hashOf = (packages: readonly UciPackage[]) =>
  packageHash(Buffer.from(packages.map(exportUci).join(''), 'latin1'))

/** @param several the file names its packages itself, as for `uci import` without a name. */
export function checkFile(file: string, several: boolean): Checked {
  const text = readBytes(file)
  try {
    const packages = several
      ? parseUciPackages(text).toSorted((a, b) => (a.name < b.name ? -1 : 1))
      : [parseUci(basename(file), text)]
    const sections = packages.reduce((sum, pkg) => sum + pkg.sections.length, 0)
    return { file, result: 'ok', line: null, reason: null, sections, sha256: hashOf(packages) }
  } catch (error) {
    if (!(error instanceof UciFault)) throw error
    const { line, reason } = error
    return { file, result: 'refused', line, reason, sections: null, sha256: null }
  }
}

const GOLDEN_FAULT = /\((.*)\) at line (\d+)/

/**
 * Compares with a table of what real libuci makes of each file: path, ok or refused, sections, SHA-256 or message.
 * Its head may name directories with the hash of the whole configuration in them.
 */
export function checkGolden(table: string): {
  rows: number
  configurations: number
  differences: string[]
  /** Absolute path of each file in the table, and whether its text names packages itself. */
  files: Map<string, { several: boolean }>
} {
  const root = join(table, '..')
  const lines = readBytes(table).split('\n').filter(Boolean)
  const rows = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('\t'))
  const files: ReturnType<typeof checkGolden>['files'] = new Map()
  const differences = rows.flatMap(([path = '', result, sections, last = '']) => {
    const several = path.split('/')[0] === 'multi'
    files.set(resolve(root, path), { several })
    const found = checkFile(join(root, path), several)
    const [, reason, line] = GOLDEN_FAULT.exec(last) ?? []
    const expected = result === 'ok' ? `ok ${sections} ${last}` : `refused ${reason} at line ${line}`
    const got =
      found.result === 'ok'
        ? `ok ${found.sections} ${found.sha256}`
        : `refused ${found.reason} at line ${found.line}`
    return got === expected ? [] : [`${path}: ${got}, expected ${expected}`]
  })
  let configurations = 0
  const whole = lines.flatMap((line) => {
    const [, folder, hash] = /^# configHash of all of (\S+) .*: ([0-9a-f]{64})$/.exec(line) ?? []
    if (!folder) return []
    configurations++
    const paths = rows.map(([path = '']) => path).filter((path) => path.startsWith(`${folder}/`))
    // A refused package counts as the empty text: on a router, its export is empty.
    const packages = paths.map((path) => [
      basename(path),
      checkFile(join(root, path.split('/').join(sep)), false).sha256 ?? packageHash(''),
    ])
    const got = configHash(Object.fromEntries(packages))
    return got === hash ? [] : [`${folder}: configHash ${got}, expected ${hash}`]
  })
  return { rows: rows.length, configurations, differences: [...differences, ...whole], files }
}
