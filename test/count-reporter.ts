import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

export type Counts = { passed: number; failed: number; skipped: number }
/** What is left in the file that TEST_COUNTS names. */
export type Report = { counts: Counts; slowest: { file: string; seconds: number }[] }

const SLOWEST = 10

/** A file with what its hooks took: most of a walk is the start of the product. */
const secondsOf = (module: TestModule) => {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  return Math.round((duration + collectDuration + setupDuration) / 1000)
}

/** Leaves the counts, and the slowest files, where test/run.ts finds them. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env['TEST_COUNTS']
    if (!file) return
    const counts: Counts = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      let tests = 0
      for (const test of module.children.allTests()) {
        tests++
        const { state } = test.result()
        if (state === 'passed') counts.passed++
        else if (state === 'failed') counts.failed++
        else counts.skipped++
      }
      // A file that could not even be loaded has no tests to fail.
      if (tests === 0 && module.state() === 'failed') counts.failed++
    }
    const slowest = modules
      .map((module) => ({ file: module.relativeModuleId, seconds: secondsOf(module) }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SLOWEST)
    const report: Report = { counts, slowest }
    writeFileSync(file, JSON.stringify(report))
  }
}
