import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Leaves the counts where test/run.ts adds them up (TEST_COUNTS names the file). */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const file = process.env['TEST_COUNTS']
    if (!file) return
    const counts = { passed: 0, failed: errors.length, skipped: 0 }
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
    writeFileSync(file, JSON.stringify(counts))
  }
}
