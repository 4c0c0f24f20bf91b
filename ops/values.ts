/** Parsers of options and arguments: each ends with usage (2) for an invalid value, and commander says whose value it was. */
import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { getGroupList } from '#schema/group/group'
import { ask } from './client.ts'
import { Exit, exitCodes, usage } from './exit.ts'

export function wholeNumber(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new InvalidArgumentError('It must be a whole number above 0.')
}

export function oneOf<const T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const found = choices.find((choice) => choice === text)
    if (found !== undefined) return found
    throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`)
  }
}

/** ISO 8601, or anything else that JavaScript parses; without a zone it is local time. */
export function moment(text: string): string {
  const at = new Date(text)
  if (!Number.isNaN(at.getTime())) return at.toISOString()
  throw new InvalidArgumentError('It must be a time, such as 2026-11-21T22:00.')
}

/** `-` is standard input. */
export const readText = (file: string): string => readBytes(file).toString('utf8')

export const unreadable = (file: string, error: unknown): never =>
  usage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)

export function readBytes(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file)
  } catch (error) {
    return unreadable(file, error)
  }
}

/** A group's id, given its id or its exact name. */
export async function groupId(text: string): Promise<number> {
  if (/^\d+$/.test(text)) return Number(text)
  const { list } = await ask(getGroupList, { search: text.slice(0, 100), limit: 1000 })
  const found = list.filter((group) => group.groupName === text)
  if (found.length === 1 && found[0]) return found[0].gid
  throw new Exit(
    exitCodes.refused,
    found.length === 0
      ? `no group ${text}`
      : `several groups ${text}: name it by its id (${found.map((g) => g.gid).join(', ')})`,
  )
}
