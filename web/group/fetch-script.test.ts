/** Runs the script of the console and that of docs/operations.md, with a supernode's host that has curl and a nc which notes what it sends. */
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fetchScript } from './fetch-script.ts'

const noCurl = !existsSync('/usr/bin/curl')
if (noCurl)
  console.warn('SKIPPED: the script that fetches the list of communities, because curl is not installed')

const WHOLE = 'group 1\n'.repeat(20_000)
let server: Server
let url: string
let folder: string
/** Whether the connection breaks within the list. */
let breaks: boolean

beforeEach(async () => {
  breaks = false
  folder = mkdtempSync(join(tmpdir(), 'n2n-'))
  writeFileSync(join(folder, 'nc'), '#!/bin/sh\ncat >> reloads\n')
  chmodSync(join(folder, 'nc'), 0o755)
  server = createServer((request, response) => {
    if (request.headers['if-none-match'] === '"2"') return response.writeHead(304, { etag: '"2"' }).end()
    response.writeHead(200, { etag: '"2"', 'content-length': WHOLE.length })
    if (breaks) response.write(WHOLE.slice(0, 60_000), () => setTimeout(() => request.socket.destroy(), 50))
    else response.end(WHOLE)
    return response
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

const documented = /```sh\n(cd \/etc\/n2n [\s\S]*?)```/.exec(readFileSync('docs/operations.md', 'utf8'))?.[1]

it.skipIf(noCurl).each(['console', 'docs/operations.md'])(
  'takes only a whole list, and reloads once for it (%s)',
  async (from) => {
    const script =
      from === 'console' ? fetchScript({ token: 't', url: `${url}/n2n/1/community.list` }) : documented
    const env = {
      ...process.env,
      PATH: `${folder}:${process.env['PATH']}`,
      TOKEN: 't',
      PUBLIC_URL: url,
      SERVER_ID: '1',
    }
    const everyMinute = () =>
      promisify(execFile)('sh', ['-c', (script ?? '').replace('/etc/n2n', folder)], { env }).catch(() => null)
    const list = () =>
      existsSync(join(folder, 'community.list'))
        ? readFileSync(join(folder, 'community.list'), 'utf8').length
        : null

    breaks = true
    await everyMinute()
    await everyMinute()
    expect(list()).toBeNull()
    breaks = false
    await everyMinute()
    expect(list()).toBe(WHOLE.length)
    await everyMinute()
    expect(list()).toBe(WHOLE.length)
    expect(readFileSync(join(folder, 'reloads'), 'utf8')).toBe('w 1:1:n2n reload_communities\n')
  },
)
