/** `npm test`: every check there is; the last line is `N passed, N failed, N skipped`. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'iot-run-'))
const counts = { passed: 0, failed: 0, skipped: 0 }

const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
  TEST_COUNTS: join(scratch, 'counts.json'),
}

/** Tools that some tests drive; without them those tests skip and say so. */
const wanted = [
  { program: '/usr/bin/chromium', packages: ['chromium', 'fonts-noto-cjk'], tests: 'browser tests' },
  {
    program: '/usr/bin/mosquitto_pub',
    packages: ['mosquitto-clients'],
    tests: 'the shell device of docs/examples',
  },
  { program: '/usr/bin/redis-server', packages: ['redis-server'], tests: 'queues and broker on Redis' },
]

function fetchTools(): void {
  const missing = wanted.filter((tool) => !existsSync(tool.program))
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`installing ${missing.flatMap((tool) => tool.packages).join(' ')} …`)
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
    spawnSync('apt-get', ['update', '-q'], options)
    spawnSync(
      'apt-get',
      ['install', '-qy', '--no-install-recommends', ...missing.flatMap((tool) => tool.packages)],
      options,
    )
  }
  for (const tool of wanted)
    if (!existsSync(tool.program))
      console.log(
        `\n*** SKIPPED: ${tool.tests} (${tool.program} is not there and could not be installed) ***\n`,
      )
}

/** One check that either holds or not. */
function check(name: string, command: string, args: string[]): void {
  console.log(`\n== ${name}`)
  const ran = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' })
  if (ran.status === 0) counts.passed++
  else {
    counts.failed++
    console.log(`FAILED: ${name}`)
  }
}

/** The tests that count themselves. */
function runTests(): void {
  console.log('\n== tests')
  const ran = spawnSync('vitest', ['run', ...process.argv.slice(2)], { cwd: root, env, stdio: 'inherit' })
  if (!existsSync(env.TEST_COUNTS)) {
    counts.failed++
    return
  }
  const counted = JSON.parse(readFileSync(env.TEST_COUNTS, 'utf8')) as typeof counts
  for (const key of ['passed', 'failed', 'skipped'] as const) counts[key] += counted[key]
  if (ran.status !== 0 && counted.failed === 0) counts.failed++
}

const started = Date.now()
fetchTools()
check('type check', 'tsc', ['--noEmit'])
check('lint, format and import rules', 'biome', ['check', '.'])
check('dead code and undeclared dependencies', 'knip', [])
check('console build', 'vite', ['build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'])
runTests()
rmSync(scratch, { recursive: true, force: true })
console.log(`\n${Math.round((Date.now() - started) / 1000)} s`)
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(counts.failed === 0 ? 0 : 1)
