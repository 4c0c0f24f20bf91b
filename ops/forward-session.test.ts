import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { targetOf } from './forward-session.ts'

it('a target is a port, or an address and a port', () => {
  expect(targetOf('502')).toEqual({ port: 502 })
  expect(targetOf('192.168.1.10:65535')).toEqual({ host: '192.168.1.10', port: 65_535 })
})

it.each(['', 'router', '10.0.0.1:', '10.0.0.1:0', '10.0.0.1:65536', '1e3'])(
  'what is none names what is expected: %s',
  (text) => {
    expect(() => targetOf(text)).toThrow('is no port (1 to 65535)')
  },
)

it('ends the program that it runs when it is ended itself, with the exit code that a shell would have', async () => {
  const path = JSON.stringify(new URL('./forward-session.ts', import.meta.url).href)
  // A session is left in order: SIGTERM alone does not end the process.
  const script = `import { runHere } from ${path}
    process.once('SIGTERM', () => undefined)
    process.exitCode = await runHere(['sh', '-c', 'echo ready; exec sleep 30'])`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
  expect(await once(child, 'exit')).toEqual([143, null])
  clearTimeout(late)
})

it('what is interrupted before the device is there is not done', async () => {
  const asked: string[] = []
  const platform = createServer((request, response) => {
    const name = String(request.url?.split('/').at(-1))
    asked.push(name)
    const data: Readonly<Record<string, object>> = {
      getDeviceList: { list: [{ deviceSn: 'SN-1', deviceId: 1 }], total: 1 },
      openRemoteForward: { sessionId: '00000000-0000-4000-8000-000000000000' },
      getRemote: { endedAt: asked.includes('closeRemote') ? '2026-01-01T00:00:00Z' : null, tunnelAt: null },
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ code: 0, data: data[name] ?? {}, message: '' }))
  })
  await once(platform.listen(0, '127.0.0.1'), 'listening')
  const { port } = platform.address() as AddressInfo
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, 'forward', 'SN-1', '502', '--', 'true'], {
    env: { ...process.env, IOT_URL: `http://127.0.0.1:${port}`, IOT_TOKEN: 'token' },
    stdio: 'ignore',
  })
  await expect.poll(() => asked).toContain('getRemote')
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([130, null])
  expect(asked).toContain('closeRemote')
  platform.close()
})
