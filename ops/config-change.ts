/** What `ops config` sends: a UCI text, or values of pages from a file of YAML or JSON. */
import { parse } from 'yaml'
import { z } from 'zod'
import type { PageValues } from '#schema/config/many-change'
import { SECRET_MASK } from '#schema/kit/secret-mask'
import { usage } from './exit.ts'
import { readText } from './values.ts'

export type ChangeFile = { uci: string } | { pages: PageValues }

const pages = z.record(z.string(), z.record(z.string(), z.unknown()))

/** A text of UCI begins with one of its words; YAML and JSON begin with the name of a page. */
const isUci = (text: string) => /^(\s*#[^\n]*\n|\s+)*(package|config)[ \t]/.test(text)

/** @throws Exit 2 for a file that cannot be read, or is neither */
export function readChange(path: string): ChangeFile {
  const text = readText(path)
  if (isUci(text)) return { uci: text }
  let found: unknown
  try {
    found = parse(text)
  } catch (error) {
    return usage(`${path}: ${(error as Error).message}`)
  }
  const read = pages.safeParse(found)
  return read.success
    ? { pages: read.data }
    : usage(`${path}: neither UCI nor values by page, as \`ops config get\` prints them`)
}

const has = (value: unknown): boolean =>
  value === SECRET_MASK || (value !== null && typeof value === 'object' && Object.values(value).some(has))

/** Masks represent the secrets of one device. @throws Exit 2 if it is unknown which one */
export function refuseMasks(path: string, values: PageValues): void {
  if (has(values))
    usage(`${path} holds masked passwords: write them out, leave them out, or name their device with --from`)
}
