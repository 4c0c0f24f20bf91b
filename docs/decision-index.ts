/** The index of docs/decisions/README.md by subject, from the first lines of each record. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('./decisions/', import.meta.url))

export type DecisionRecord = {
  file: string
  number: string
  title: string
  subject: string
  supersededBy: string | null
  keptCurrent: boolean
  text: string
}

const heading = /^# (?<number>\d{3}) (?<title>.+)$/
const status =
  /^\d{4}-\d\d-\d\d · (?:accepted|superseded by (?<supersededBy>\d{3})) · (?<subject>[a-z0-9]+)(?<keptCurrent> · kept current)?(?: · .+)?$/

/** @throws naming what a record lacks: its number, title, date, status or subject. */
export function readDecision(file: string, text: string): DecisionRecord {
  const [first = '', blank, third = ''] = text.split('\n')
  const named = heading.exec(first)?.groups
  const said = status.exec(third)?.groups
  if (!named || !file.startsWith(`${named['number']}-`))
    throw new Error(`${file} does not begin with "# ${file.slice(0, 3)} Title"`)
  if (blank !== '' || !said)
    throw new Error(
      `${file}, line 3, is not "date · accepted · subject" or "date · superseded by NNN · subject"`,
    )
  return {
    file,
    number: named['number'] ?? '',
    title: named['title'] ?? '',
    subject: said['subject'] ?? '',
    supersededBy: said['supersededBy'] ?? null,
    keptCurrent: said['keptCurrent'] !== undefined,
    text,
  }
}

export const decisions = (): DecisionRecord[] =>
  globSync('[0-9]*.md', { cwd: folder })
    .toSorted()
    .map((file) => readDecision(file, readFileSync(`${folder}${file}`, 'utf8')))

function line({ file, number, title, supersededBy, keptCurrent }: DecisionRecord): string {
  const mark = supersededBy ? ` (superseded by ${supersededBy})` : keptCurrent ? ' (kept current)' : ''
  return `- [${number}](${file}) ${title}${mark}`
}

export function decisionIndex(records: readonly DecisionRecord[]): string {
  const subjects = Map.groupBy(records, ({ subject }) => subject)
  return [...subjects.keys()]
    .toSorted()
    .map((subject) => `## ${subject}\n\n${(subjects.get(subject) ?? []).map(line).join('\n')}`)
    .join('\n\n')
}
