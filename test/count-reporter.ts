import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

export type Counts = { passed: number; failed: number; skipped: number }
/** The content of the file named by TEST_COUNTS. */
export type Report = {
  counts: Counts
  /** Tests that passed only when they were tried again, with the first error. */
  again: string[]
  slowest: Taken[]
  folders: Taken[]
}
type Taken = { of: string; seconds: number }

const SLOWEST = 10

/** A file including its hooks: most of a walk is the start of the product. */
const secondsOf = (module: TestModule) => {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  return Math.round((duration + collectDuration + setupDuration) / 1000)
}

const longestFirst = (taken: readonly Taken[]) => taken.toSorted((a, b) => b.seconds - a.seconds)

/** The room, or which kind of test of the whole. */
const folderOf = (file: string) => /^(test\/(browser|walks)|[^/]+)\//.exec(file)?.[1] ?? file

/** Writes the counts, and the slowest files, for test/run.ts. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env['TEST_COUNTS']
    if (!file) return
    const counts: Counts = { passed: 0, failed: errors.length, skipped: 0 }
    const again: string[] = []
    for (const module of modules) {
      let tests = 0
      for (const test of module.children.allTests()) {
        tests++
        const { state, errors: found } = test.result()
        if (test.diagnostic()?.flaky)
          again.push(`${module.relativeModuleId} > ${test.fullName}\n      ${found?.[0]?.message ?? ''}`)
        if (state === 'passed') counts.passed++
        else if (state === 'failed') counts.failed++
        else counts.skipped++
      }
      // A file that could not be loaded has no tests that fail.
      if (tests === 0 && module.state() === 'failed') counts.failed++
    }
    const files = modules.map((module) => ({ of: module.relativeModuleId, seconds: secondsOf(module) }))
    const folders = Map.groupBy(files, (one) => folderOf(one.of))
    const report: Report = {
      counts,
      again,
      slowest: longestFirst(files).slice(0, SLOWEST),
      folders: longestFirst(
        [...folders].map(([of, inside]) => ({
          of,
          seconds: inside.reduce((sum, one) => sum + one.seconds, 0),
        })),
      ),
    }
    writeFileSync(file, JSON.stringify(report))
  }
}
