import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/long-first.ts'
import { declaredModules } from './web/declared-values.ts'

const everywhere = {
  exclude: ['node_modules/**', 'web/dist/**', '.data/**', 'test/adding/**'],
  setupFiles: ['test/each-file.ts'],
  // A shared CI machine sometimes stands still for half a minute. A test that is given up runs on, and disturbs the next:
  // a test names a time of its own only if it needs more than CI's.
  testTimeout: process.env['CI'] ? 120_000 : 60_000,
  hookTimeout: process.env['CI'] ? 180_000 : 60_000,
  // Two cores may be busy with other tests; what takes longer than this is stuck. A look that a standstill of the machine
  // has made late is the last one: this is longer than the standstill.
  expect: { poll: { timeout: 40_000 } },
  // On a shared CI machine real clocks, sockets and child processes are sometimes starved. What passes only when it is
  // tried again is listed at the end of the run: it may be a race of the product.
  retry: process.env['CI'] ? 2 : 0,
  // A process keeps the modules of all servers: V8 would mark these hundreds of megabytes again for each few that tests
  // leave behind, which was a fifth of its processor time.
  execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=32', '--heap-growing-percent=300'],
}

/** They replace modules or globals, which other files in the same process would see. */
const alone = globSync('**/*.test.{ts,tsx}', { exclude: everywhere.exclude }).filter((file) =>
  /\bvi\.(mock|stubGlobal|stubEnv)\(/.test(readFileSync(file, 'utf8')),
)
export default defineConfig({
  plugins: [declaredModules()],
  test: {
    globalSetup: ['test/global-setup.ts'],
    pool: 'forks',
    // Of two processors each is idle half the time: tests of killed processes and devices wait. Four are no faster.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    reporters: ['default', './test/count-reporter.ts'],
    projects: [
      {
        test: {
          ...everywhere,
          name: 'shared',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...everywhere.exclude, ...alone],
          // To load the servers takes longer than most files' tests: a process does it once, not once per file.
          isolate: false,
        },
      },
      { test: { ...everywhere, name: 'alone', include: alone } },
    ],
  },
})
