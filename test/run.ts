/** `npm test`: every check there is; the last line is `N passed, N failed, N skipped`. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { browserPrograms } from './browser/browser-program.ts'
import type { Counts, Report } from './count-reporter.ts'
import { busyboxPrograms, n2nPrograms, sshdPrograms, unpack } from './programs/unpacked.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'iot-run-'))
const counts: Counts = { passed: 0, failed: 0, skipped: 0 }

const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
  TEST_COUNTS: join(scratch, 'counts.json'),
}

/** Without packages and `unpacked`: used if it is there, never fetched. `unpacked`: a package that must not be installed. */
type Way = { program: string; packages?: string[]; unpacked?: string }

/** Tools that some tests use, the preferred program first; without any the tests are skipped with a message. */
const wanted: { ways: Way[]; tests: string }[] = [
  {
    ways: browserPrograms.map((program) => ({ program, packages: [basename(program), 'fonts-noto-cjk'] })),
    tests: 'browser tests',
  },
  {
    ways: [{ program: '/usr/bin/mosquitto_pub', packages: ['mosquitto-clients'] }],
    tests: 'the shell device of docs/examples and the agent for OpenWrt',
  },
  {
    ways: [{ program: '/usr/sbin/mosquitto', packages: ['mosquitto'] }],
    tests: 'Mosquitto as an external broker',
  },
  {
    ways: busyboxPrograms.map((program, index) =>
      index === 0 ? { program, unpacked: 'busybox-static' } : { program },
    ),
    tests: 'the agent for OpenWrt',
  },
  {
    ways: [{ program: '/usr/bin/curl', packages: ['curl'] }],
    tests: 'the shell device of docs/examples, the agent for OpenWrt and the script that fetches communities',
  },
  {
    ways: [{ program: '/usr/bin/redis-server', packages: ['redis-server'] }],
    tests: 'queues and broker on Redis',
  },
  {
    ways: [
      {
        program: '/usr/bin/swift-proxy-server',
        packages: ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached'],
      },
    ],
    tests: 'files in an object store',
  },
  {
    ways: [{ program: '/usr/bin/mbpoll', packages: ['mbpoll'] }],
    tests: 'mbpoll against our Modbus slaves, and through ops forward',
  },
  {
    ways: [{ program: '/usr/bin/ssh-audit', packages: ['ssh-audit'] }],
    tests: 'ssh-audit against the SSH server for tunnels',
  },
  {
    ways: [{ program: '/usr/bin/dbclient', packages: ['dropbear-bin'] }],
    tests: 'tunnels of Dropbear',
  },
  {
    ways: [{ program: '/usr/sbin/haproxy', packages: ['haproxy'] }],
    tests: 'docker-compose.yml as processes, and the trial of several machines',
  },
  {
    ways: [{ program: '/usr/sbin/nginx', packages: ['nginx-light', 'libnginx-mod-stream'] }],
    tests: 'deploy/nginx.conf',
  },
  {
    ways: [
      { program: '/usr/lib/postgresql/15/bin/postgres', packages: ['postgresql-15', 'postgresql-client'] },
    ],
    tests:
      'deploy/backup.sh, and the oldest PostgreSQL (api and workers are tested on the embedded one instead)',
  },
  {
    ways: [{ program: '/usr/bin/ssh', packages: ['openssh-client'] }],
    tests: 'tunnels of OpenSSH',
  },
  {
    ways: sshdPrograms.map((program, index) =>
      // The library that an unpacked sshd needs is installed: dpkg would bring it along.
      index === 0 ? { program, unpacked: 'openssh-server', packages: ['libwrap0'] } : { program },
    ),
    tests: 'a terminal and files of a router with the SSH server of OpenSSH',
  },
  {
    ways: [
      {
        program: '/usr/lib/python3/dist-packages/pymodbus',
        packages: ['python3-pymodbus', 'python3-serial-asyncio'],
      },
    ],
    tests: 'pymodbus against our Modbus slaves and our gateway',
  },
  {
    ways: [{ program: '/usr/lib/collectd/mqtt.so', packages: ['collectd-core', 'libmosquitto1'] }],
    tests: 'collectd as a source of values',
  },
  {
    ways: [{ program: '/usr/bin/kcat', packages: ['kcat'] }],
    tests: 'forwarding to Kafka',
  },
  {
    ways: [{ program: '/usr/bin/python3', packages: ['python3'] }],
    tests: 'forwarding to a Kafka of several brokers',
  },
  {
    ways: [{ program: n2nPrograms.supernode, unpacked: 'n2n' }],
    tests: 'edges of n2n',
  },
  {
    ways: [{ program: '/usr/bin/socat', packages: ['socat'] }],
    tests: 'deploy/supernode',
  },
]

const apt = (...args: string[]) =>
  spawnSync('apt-get', args, {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })

/**
 * Debian's way to keep packages from starting their services: the tests start what they need themselves, and nobody
 * wants a database or a web server to run because of a test.
 */
const POLICY = '/usr/sbin/policy-rc.d'
function withoutServices(install: () => void): void {
  const own = !existsSync(POLICY)
  if (own) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    install()
  } finally {
    if (own) rmSync(POLICY, { force: true })
  }
}

function fetchTools(): void {
  const missing = wanted.filter(({ ways: [preferred] }) => preferred && !existsSync(preferred.program))
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    apt('update', '-q')
    withoutServices(() => {
      for (const { ways } of missing)
        for (const { program, packages, unpacked } of ways) {
          if (existsSync(program)) break
          console.log(`fetching ${packages?.join(' ') ?? unpacked ?? program} …`)
          if (packages) apt('install', '-qy', '--no-install-recommends', ...packages)
          if (unpacked !== undefined) unpack(unpacked)
          if (existsSync(program)) break
        }
    })
  }
  for (const { ways, tests } of wanted)
    if (!ways.some(({ program }) => existsSync(program)))
      console.log(
        `\n*** SKIPPED: ${tests} (${ways[0]?.program} is not there and could not be installed) ***\n`,
      )
}

/** Runs a check; resolves with whether it succeeded. Its output is shown when it ends, in one piece. */
function check(name: string, command: string, args: string[]): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    const end = (holds: boolean) => {
      counts[holds ? 'passed' : 'failed']++
      console.log(`\n== ${name}${holds ? '' : ' FAILED'}\n${output}`.trimEnd())
      done(holds)
    }
    child.once('error', (error) => {
      output += String(error)
      end(false)
    })
    child.once('close', (code) => end(code === 0))
  })
}

/** Runs the tests, which report their own counts. */
function runTests(): Promise<void> {
  console.log('\n== tests')
  return new Promise((done) => {
    const child = spawn('vitest', ['run', ...process.argv.slice(2)], { cwd: root, env, stdio: 'inherit' })
    child.once('close', (code) => {
      if (!existsSync(env.TEST_COUNTS)) counts.failed++
      else {
        const report = JSON.parse(readFileSync(env.TEST_COUNTS, 'utf8')) as Report
        for (const key of ['passed', 'failed', 'skipped'] as const) counts[key] += report.counts[key]
        if (code !== 0 && report.counts.failed === 0) counts.failed++
        again = report.again
        slowest = report.slowest
        folders = report.folders
      }
      done()
    })
  })
}

const started = Date.now()
let again: Report['again'] = []
let slowest: Report['slowest'] = []
let folders: Report['folders'] = []
fetchTools()
const build = check('console build', 'vite', [
  'build',
  '--config',
  'web/vite.config.ts',
  '--logLevel',
  'warn',
])
const others = [
  check('type check', 'npm', ['run', '--silent', 'typecheck']),
  check('lint, format and import rules', 'biome', ['check', '.']),
  check('dead code and undeclared dependencies', 'knip', []),
]
// The first tests open it in browsers. The other checks may run in parallel with the tests, which mostly wait.
await build
await runTests()
await Promise.all(others)
rmSync(scratch, { recursive: true, force: true })
if (again.length > 0)
  console.log(`\nPassed only when tried again:\n${again.map((test) => `  ${test}`).join('\n')}`)
console.log(`\nThe ${slowest.length} slowest files:`)
const show = (taken: Report['slowest']) => {
  for (const { of, seconds } of taken) console.log(`${String(seconds).padStart(5)} s  ${of}`)
}
show(slowest)
console.log('\nBy folder, in all processes together:')
show(folders)
console.log(`\n${Math.round((Date.now() - started) / 1000)} s`)
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exit(counts.failed === 0 ? 0 : 1)
