/** A router that has too little RAM for a file: its /tmp is there, as a small file system, and so are the agent's own notes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentParts } from '#test/openwrt/agent-shell'
import { busyboxProgram } from '#test/programs/unpacked'

const ITEM = '0a'
const root = mkdtempSync(join(tmpdir(), 'iot-ram-'))
for (const folder of ['etc/config', 'etc/iotagent/items', 'tmp', 'proc', 'usr/lib', 'var', 'archive'])
  mkdirSync(join(root, folder), { recursive: true })

const canMount =
  busyboxProgram !== null &&
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', join(root, 'tmp')]).status === 0
if (!canMount) console.warn('SKIPPED: a router with too little RAM, because nothing can be mounted')

const FILE_BYTES = 600_000
let server: Server
let asked = 0
beforeAll(async () => {
  server = createServer((_, response) => {
    asked++
    response.end(Buffer.alloc(FILE_BYTES, 'x'))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
})
afterAll(() => {
  server.close()
  rmSync(root, { recursive: true })
})

/** Runs lines of the agent's shell with so many kB of RAM for files, of which /proc/meminfo says that `free` are there. */
async function run(kilobytes: number, free: number, lines: string): Promise<string> {
  writeFileSync(join(root, 'proc/meminfo'), `MemTotal: 65536 kB\nMemAvailable: ${free} kB\n`)
  const script = `mount -t tmpfs -o size=${kilobytes}k tmpfs "$ROOT/tmp" && mkdir "$ROOT/tmp/run" && mount --bind "$ROOT/tmp" "$ROOT/var" && exec timeout 50 '${busyboxProgram}' ash -c "$LINES_"`
  const shell: ChildProcess = spawn('unshare', ['-m', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
      IOTAGENT_ROOT: root,
      ROOT: root,
      LINES_: `
${agentParts('install', 'upgrade')}
SIZE=${FILE_BYTES} SUM=${'0'.repeat(64)} EXPIRES=9999999999999 NAME_OF=u PASSWORD=p TYPE=upgrade MODEL=m VERSION=2
URL=http://127.0.0.1:${(server.address() as AddressInfo).port}/file
pick() { :; }; model() { echo m; }; fsync() { :; }; say() { :; }; distrusted() { :; }; damage() { :; }; tell() { echo "told $2"; }
echo accepted >"$STATE/items/${ITEM}"; echo '{}' >"$STATE/items/${ITEM}.offer"; rm -f "$STATE/items/${ITEM}.fate"
${lines}`,
    },
  })
  let said = ''
  shell.stdout?.on('data', (data) => {
    said += data
  })
  shell.stderr?.on('data', (data) => {
    said += data
  })
  await new Promise((ended) => shell.on('close', ended))
  return said
}
const ended = (said: string) => said.split('\n').filter((line) => line.includes('"step":"failed"'))
const NO_ROOM = /"failure":"unknownError","detail":"there is not enough RAM/

describe.skipIf(!canMount)('a router with too little RAM', () => {
  it.each([
    ['of files', 1000, 60_000],
    ['at all', 60_000, 1000],
  ])('does not even begin to download what it has no room for, %s', async (_, kilobytes, free) => {
    asked = 0
    const said = await run(kilobytes, free, `work_on ${ITEM}`)
    expect(ended(said)).toEqual([expect.stringMatching(NO_ROOM)])
    expect(said).toContain('1.1 MB are needed')
    expect(asked).toBe(0)
  })

  it('downloads what fits', async () => {
    const said = await run(2000, 60_000, `fetch ${ITEM} && part_bytes`)
    expect(said.trim().split('\n').at(-1)).toBe(String(FILE_BYTES))
  })

  it('that others fill during the download ends it at once, and is given back', async () => {
    const said = await run(
      2000,
      60_000,
      // What a service writes there meanwhile.
      `part_bytes() { [ -e "$ROOT/tmp/other" ] || head -c 1600000 /dev/zero >"$ROOT/tmp/other"; command wc -c <"$PART" 2>/dev/null || echo 0; }
      work_on ${ITEM}; ls "$ROOT/tmp" | grep -c part; true`,
    )
    expect(ended(said)).toEqual([expect.stringMatching(NO_ROOM)])
    expect(said.trim().split('\n').at(-1)).toBe('0')
  })

  it('an archive for whose contents there is no room is not called unreadable', async () => {
    writeFileSync(join(root, 'archive/x-sysupgrade.bin'), Buffer.alloc(3_000_000))
    const made = spawnSync('tar', [
      '-czf',
      join(root, 'archive/a.tar.gz'),
      '-C',
      join(root, 'archive'),
      'x-sysupgrade.bin',
    ])
    expect(made.status).toBe(0)
    const said = await run(
      2000,
      60_000,
      `fetch() { :; }; cp "$ROOT/archive/a.tar.gz" "$PART"; work_on ${ITEM}; ls "$ROOT/tmp"`,
    )
    expect(ended(said)).toEqual([expect.stringMatching(NO_ROOM)])
    expect(said).not.toMatch(/iotagent[.-](part|image)/)
  })
})
