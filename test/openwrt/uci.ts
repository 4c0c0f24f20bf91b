/** A small `uci` for the router of the tests: what the agent calls, on files below IOTAGENT_ROOT, by the parser of schema/config. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { exportUci, parseUci, UciFault, type UciPackage } from '#schema/config/uci'
import { optionOf, sectionAt, sectionIndex, withoutOption } from './uci-place.ts'

const root = process.env['IOTAGENT_ROOT'] ?? ''
const args = process.argv.slice(2).filter((word) => word !== '-q')
const quiet = process.argv.includes('-q')
const [command, target = ''] = args

const fail = (message: string): never => {
  if (!quiet) process.stderr.write(`uci: ${message}\n`)
  process.exit(1)
}
const fileOf = (name: string) => (name.startsWith('/') ? name : join(root, 'etc/config', name))
function load(name: string): UciPackage {
  // As the real one, which takes what follows a dot for a section, also in the path of a file.
  if (name.startsWith('/') && name.slice(root.length).includes('.')) fail('Entry not found')
  const file = fileOf(name)
  if (!existsSync(file)) fail('Entry not found')
  try {
    return parseUci(basename(file), readFileSync(file, 'latin1'))
  } catch (error) {
    if (!(error instanceof UciFault)) throw error
    return fail(`Parse error (${error.reason}) at line ${error.line}, byte 0`)
  }
}
switch (command) {
  case 'export':
    process.stdout.write(Buffer.from(exportUci(load(target)), 'latin1'))
    break
  case 'commit':
    break
  case 'get':
  case 'delete': {
    const [name = '', section = '', option = ''] = target.split('.')
    const pkg = load(name)
    const [, type, index] = /^@(.+)\[(-?\d+)\]$/.exec(section) ?? []
    const place = type ? { type, index: Number(index) } : section
    const found = sectionAt(pkg, place)
    // Of a section itself, `get` prints the type.
    const value = found && (option === '' ? found.type : optionOf(found, option))
    if (value === undefined) fail('Entry not found')
    if (command === 'get') process.stdout.write(`${[value ?? ''].flat().join(' ')}\n`)
    else {
      // Deleted and committed in one go; the agent never leaves one without the other.
      writeFileSync(`${fileOf(name)}.new`, exportUci(withoutOption(pkg, sectionIndex(pkg, place), option)))
      renameSync(`${fileOf(name)}.new`, fileOf(name))
    }
    break
  }
  default:
    fail(`the uci of the tests does not know ${command}`)
}
