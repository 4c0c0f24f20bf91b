/**
 * OpenStack Swift from Debian's packages with its S3 API: an object store that clouds run, with real multipart uploads. One replica, in a
 * folder of its own.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { freePort } from '#infra/embedded-postgres'
import { databaseFolder } from '../scratch.ts'
import { until } from '../walks/until.ts'

const bin = '/usr/bin'
const kinds = ['account', 'container', 'object'] as const
export const noDebianSwift = !existsSync(join(bin, 'swift-proxy-server'))

export const BUCKET = 'files'
const S3_KEY_ID = 'test:tester'
const S3_KEY_SECRET = 'testing-the-store'

/** swift-ring-builder would be a process for each step of each ring, nine instead of one. */
const MAKE_RINGS = `
import json, sys
from swift.common.ring import RingBuilder
ports = json.loads(sys.argv[1])
for kind in ('account', 'container', 'object'):
    at = {'ip': '127.0.0.1', 'port': ports[kind]}
    ring = RingBuilder(4, 1, 0)
    ring.add_dev({'region': 1, 'zone': 1, 'device': 'd1', 'weight': 1, 'meta': '', **at,
                  **{'replication_' + key: value for key, value in at.items()}})
    ring.rebalance()
    ring.get_ring().save(kind + '.ring.gz')
`

/** Four servers in Python: 6 s on two idle cores, 30 and more beside other tests. */
const START_MAX_MS = 90_000
/** The ports are free when they are chosen; another program may take one before Swift listens. */
const TRIES = 3

/** Processes that end together. The output of each is kept for the message about one that ended by itself. */
class Processes {
  private readonly all: { child: ChildProcess; said: string }[] = []

  run(command: string, args: string[], cwd: string): ChildProcess {
    const child = spawn(command, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SWIFT_DIR: cwd },
    })
    const one = { child, said: '' }
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        one.said = `${one.said}${chunk}`.slice(-2000)
      })
    child.once('error', (error) => {
      one.said += String(error)
    })
    this.all.push(one)
    return child
  }

  /** Output of the first process that has ended, or null while all run. */
  failure(): string | null {
    const ended = this.all.find(({ child }) => child.exitCode !== null || child.pid === undefined)
    return ended ? `${ended.child.spawnfile} ended: ${ended.said}` : null
  }

  /** The end of the output of each. */
  said = (): string => this.all.map(({ child, said }) => `${child.spawnfile}: ${said.slice(-500)}`).join('\n')

  end = () => Promise.all(this.all.map(({ child }) => end(child)))
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGKILL')
  await ended
}

/** @throws with the output of its processes if it does not start, and leaves none of them. */
export async function startDebianSwift() {
  for (let tried = 1; ; tried++) {
    const processes = new Processes()
    try {
      return await start(processes)
    } catch (error) {
      const said = processes.said()
      await processes.end()
      if (tried === TRIES) throw new Error(`${String(error)}\n${said}`)
    }
  }
}

/** Swift stores metadata in extended attributes, which need a disk or a recent tmpfs. */
async function start(processes: Processes) {
  const dir = databaseFolder('iot-swift-')
  const ports = { proxy: await freePort(), account: 0, container: 0, object: 0, memcached: await freePort() }
  for (const kind of kinds) ports[kind] = await freePort()
  mkdirSync(join(dir, 'devices', 'd1'), { recursive: true })
  writeFileSync(
    join(dir, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_suffix = test\nswift_hash_path_prefix = test\n',
  )
  const made = spawnSync('/usr/bin/python3', ['-c', MAKE_RINGS, JSON.stringify(ports)], {
    cwd: dir,
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`no rings: ${made.stderr}`)
  for (const kind of kinds)
    writeFileSync(
      join(dir, `${kind}.conf`),
      `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${ports[kind]}
swift_dir = ${dir}
devices = ${join(dir, 'devices')}
mount_check = false
workers = 0
user = root
fallocate_reserve = 0
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`,
    )
  writeFileSync(
    join(dir, 'proxy.conf'),
    `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${ports.proxy}
swift_dir = ${dir}
workers = 0
user = root
[pipeline:main]
pipeline = catch_errors cache s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${ports.memcached}
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${S3_KEY_SECRET} .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
`,
  )
  const run = (command: string, args: string[]) => processes.run(command, args, dir)
  // -v: to the console, since the servers block if nothing reads the system log.
  run('memcached', ['-l', '127.0.0.1', '-p', String(ports.memcached), '-m', '16', '-u', 'root'])
  for (const kind of kinds) run(join(bin, `swift-${kind}-server`), [join(dir, `${kind}.conf`), '-v'])
  const front = () => run(join(bin, 'swift-proxy-server'), [join(dir, 'proxy.conf'), '-v'])
  let proxy = front()
  const endpoint = `http://127.0.0.1:${ports.proxy}`
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: S3_KEY_ID, secretAccessKey: S3_KEY_SECRET },
  })
  // Another program may have the port, and never answer.
  const isMade = () =>
    client
      .send(new CreateBucketCommand({ Bucket: BUCKET }), { abortSignal: AbortSignal.timeout(10_000) })
      .catch(() => null)
  const failure = await until(
    'Swift answers',
    async () => processes.failure() ?? ((await isMade()) !== null && 'none'),
    START_MAX_MS,
    100,
  )
  if (failure !== 'none') throw new Error(failure)
  return {
    client,
    settings: {
      FILES_URL: `${endpoint}/${BUCKET}/iot`,
      FILES_KEY_ID: S3_KEY_ID,
      FILES_KEY_SECRET: S3_KEY_SECRET,
    },
    /** kill -9 of the process that clients talk to. */
    leave: () => end(proxy),
    comeBack: async () => {
      proxy = front()
      await until('Swift is back', async () => (await fetch(endpoint)).status < 500, START_MAX_MS)
    },
    stop: processes.end,
  }
}
