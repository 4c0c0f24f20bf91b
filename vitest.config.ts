import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/long-first.ts'

export default defineConfig({
  test: {
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['node_modules/**', 'web/dist/**', '.data/**'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    // Of two processors each is idle half the time: tests of killed processes and devices wait.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores may be busy with other tests; what takes longer than this is stuck.
    expect: { poll: { timeout: 12_000 } },
    sequence: { sequencer: LongFirst },
    // On a shared CI machine real clocks, sockets and child processes are sometimes starved: once more, then it counts.
    retry: process.env['CI'] ? 1 : 0,
    reporters: ['default', './test/count-reporter.ts'],
  },
})
