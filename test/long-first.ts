import { sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest of all. If Vitest has not measured the files yet (a fresh clone), it would sort by size. */
const LONGEST = [
  'browser/screens',
  'walks/kill',
  'browser/session',
  'walks/several',
  'browser/walk',
  'adding',
]

const under = (folder: string) => (file: TestSpecification) =>
  file.moduleId.includes(`${sep}test${sep}${folder}${sep}`)
const isBrowser = under('browser')
const isWalk = under('walks')

/** Alternates between both. */
function interleave<T>(some: readonly T[], others: readonly T[]): T[] {
  const length = Math.max(some.length, others.length)
  return Array.from({ length }, (_, i) => [...some.slice(i, i + 1), ...others.slice(i, i + 1)]).flat()
}

/**
 * Starts the longest files first, so that no processor waits for one long file at the end. Walks wait for devices
 * while browsers compute, so they alternate. Files that share a process are kept together, because the process would
 * end if the next file in the queue cannot run in it.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return found < 0 ? LONGEST.length : found
    }
    const longest = sorted.toSorted((a, b) => rank(a) - rank(b))
    const others = longest.filter((file) => !isBrowser(file) && !isWalk(file))
    return [
      ...interleave(longest.filter(isBrowser), longest.filter(isWalk)),
      ...others.filter((file) => !file.project.config.isolate),
      ...others.filter((file) => file.project.config.isolate),
    ]
  }
}
