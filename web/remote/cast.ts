/** Reads an asciicast v2: a header, and one event a line. Lines that are none are left out: a file may end in the middle. */
type CastEvent = { readonly at: number; readonly code: string; readonly text: string }
export type Cast = {
  readonly columns: number
  readonly rows: number
  /** By time; seconds from the start. */
  readonly events: readonly CastEvent[]
  readonly lengthS: number
}

const bounded = (value: unknown, most: number, initial: number) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most ? value : initial

function json(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** null: it is no asciicast of version 2. */
export function readCast(text: string): Cast | null {
  const [first = '', ...lines] = text.split('\n')
  const header = json(first) as { version?: unknown; width?: unknown; height?: unknown } | null
  if (header?.version !== 2) return null
  const events: CastEvent[] = []
  let lengthS = 0
  for (const line of lines) {
    const event = line === '' ? null : json(line)
    if (!Array.isArray(event)) continue
    const [at, code, data] = event as unknown[]
    if (typeof at !== 'number' || !(at >= lengthS) || typeof code !== 'string' || typeof data !== 'string')
      continue
    lengthS = at
    events.push({ at, code, text: data })
  }
  return { columns: bounded(header.width, 500, 80), rows: bounded(header.height, 300, 24), events, lengthS }
}

/** `132x43`; null: malformed. */
export function sizeIn(text: string): { columns: number; rows: number } | null {
  const [, columns, rows] = /^(\d{1,3})x(\d{1,3})$/.exec(text) ?? []
  return columns && rows && Number(columns) > 1 && Number(rows) > 0
    ? { columns: Number(columns), rows: Number(rows) }
    : null
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: what terminals are told beside text
const CONTROLS = [
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g,
  /\u001b[[(][0-9;?]*[ -/]*[@-~]/g,
  /\u001b./g,
  /[\0-\x08\x0b-\x1f\x7f]/g,
]
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: what terminals are told beside text
const plainText = (line: string) => CONTROLS.reduce((text, control) => text.replace(control, ''), line).trim()

type Found = { readonly at: number; readonly line: string }
const FOUND_MAX = 200
const LINE_SHOWN = 200

/** The lines that were shown with a text in them, ignoring case, and when the line was complete; the last one, when it was last written to. */
export function findIn({ events }: Cast, sought: string): Found[] {
  const wanted = sought.trim().toLowerCase()
  if (wanted === '') return []
  const found: Found[] = []
  let line = ''
  let writtenAt = 0
  const close = (at: number) => {
    const plain = plainText(line)
    if (plain.toLowerCase().includes(wanted)) found.push({ at, line: plain.slice(0, LINE_SHOWN) })
    line = ''
  }
  for (const { at, code, text } of events) {
    if (code !== 'o') continue
    const [first = '', ...rest] = text.split('\n')
    line += first
    writtenAt = at
    for (const next of rest) {
      close(at)
      if (found.length >= FOUND_MAX) return found
      line = next
    }
  }
  close(writtenAt)
  return found
}

/** `1:02:03`; of a replay also where it is. */
export function playTime(seconds: number): string {
  const whole = Math.floor(seconds)
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (n: number) => String(n).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}
