/** A small `jsonfilter` for the router of the tests: -i FILE or -s TEXT, -e and -t with paths as @.a["b"][0][@.c="d"].*.e */
import { readFileSync } from 'node:fs'

const words = process.argv.slice(2)
const after = (option: string) => words[words.indexOf(option) + 1] ?? ''
let document: unknown
try {
  document = JSON.parse(words.includes('-s') ? after('-s') : readFileSync(after('-i'), 'utf8'))
} catch {
  process.stderr.write('Failed to parse json data\n')
  process.exit(126)
}

const step = /^(?:\.([A-Za-z0-9_*-]+)|\[(\d+)\]|\[\*\]|\["([^"]*)"\]|\[@\.([A-Za-z0-9_]+)="([^"]*)"\])/
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function find(path: string): unknown[] {
  let found = [document]
  for (let rest = path.replace(/^[@$]/, ''); rest !== ''; ) {
    const [whole = '', name, index, quoted, key, wanted] = step.exec(rest) ?? process.exit(1)
    rest = rest.slice(whole.length)
    const label = name ?? quoted ?? index
    found = found
      .filter(isObject)
      .flatMap((value) =>
        key !== undefined
          ? Object.values(value).filter((one) => isObject(one) && String(one[key]) === wanted)
          : label === undefined || label === '*'
            ? Object.values(value)
            : label in value
              ? [value[label]]
              : [],
      )
  }
  return found
}

const quoted = (text: string) => `'${text.replaceAll("'", `'"'"'`)}'`
const exported = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.map((_, i) => String(i))
    : isObject(value)
      ? Object.keys(value)
          .filter((key) => value[key] !== null)
          .map(quoted)
      : typeof value === 'boolean'
        ? [value ? '1' : '0']
        : value === null
          ? []
          : [typeof value === 'string' ? quoted(value) : String(value)]
const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

let missing = false
for (const [i, word] of words.entries()) {
  if (word !== '-e' && word !== '-t') continue
  const [, prefix, path = ''] = /^(?:([A-Za-z_][A-Za-z0-9_]*)=)?(.*)$/.exec(words[i + 1] ?? '') ?? []
  const found = find(path)
  if (found.length === 0) missing = true
  else if (word === '-t') process.stdout.write(`${found.map(typeOf).join(' ')}\n`)
  else if (prefix) process.stdout.write(`export ${prefix}=${found.flatMap(exported).join('\\ ')}; `)
  else
    for (const value of found)
      if (value !== null) process.stdout.write(`${isObject(value) ? JSON.stringify(value) : value}\n`)
}
process.exit(missing ? 1 : 0)
