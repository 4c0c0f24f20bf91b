/** A simulated device whose tunnels the system's ssh opens: what it is like, and that nothing of it stays behind. */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { heldTunnel } from '#api/remote/tunnels'
import { digWithProgram, sshProgram } from '#device-sim/remote/ssh-program'
import type { SimDevice } from '#device-sim/start'
import { freePort } from '#infra/embedded-postgres'
import { hostKeyLine, tunnelPassword } from '#infra/remote-key'
import type { Booted } from '../boot.ts'
import type { TestDevice } from '../tenants.ts'
import { openTerminal } from './open-terminal.ts'
import { bootRemote, dataOf, endSessions } from './remote-system.ts'
import { until } from './until.ts'

it('is used where it is there, for few devices or where it is wanted', () => {
  const there = sshProgram('auto', 30)
  expect(sshProgram('own', 1)).toBeUndefined()
  expect(sshProgram('auto', 2_000)).toBeUndefined()
  expect(sshProgram('auto', 30, '/nowhere')).toBeUndefined()
  expect(() => sshProgram('system', 30, '/nowhere')).toThrow('no program ssh')
  if (there !== undefined) expect(sshProgram('system', 2_000)).toBe(there)
})

const program = sshProgram('auto', 1)
if (program === undefined)
  console.warn('SKIPPED: tunnels of simulated devices by ssh, because it is not installed')

describe.skipIf(program === undefined)('a simulated device with ssh', () => {
  let system: Booted
  let device: TestDevice
  let sim: SimDevice
  let token: string
  beforeAll(async () => {
    ;({ system, device, sim, token } = await bootRemote(program))
  })
  afterAll(() => system.close())
  afterEach(() => endSessions(system))

  const data = (name: string, body: Record<string, unknown>) => dataOf(system, name, body, token)
  async function opened(body: Record<string, unknown>): Promise<string> {
    const { sessionId } = await until('it is asked for', () =>
      data('remote/openRemote', { deviceId: device.id, ...body }),
    )
    await until('the tunnel', async () => {
      const found = await data('remote/getRemote', { sessionId })
      if (found['endedAt']) throw new Error(`ended: ${found['endReason']} ${found['endDetail']}`)
      return found['tunnelAt']
    })
    return String(sessionId)
  }
  /** Command lines of the clients of this test run's devices. */
  const clients = () =>
    execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.startsWith(`${program} `) && line.includes(`-l ${device.sn} `))
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('iot-sim-ssh-'))

  it('gives its made-up shell through the tunnel of that program, which ends with the session', async () => {
    const before = folders().length
    const sessionId = await opened({ kind: 'terminal' })
    const [line, ...more] = clients()
    expect(more).toEqual([])
    expect(line).toContain('/socket')
    const { ticket } = await data('remote/getRemoteTicket', { sessionId })
    const terminal = await openTerminal(system.url, String(ticket))
    await terminal.sees(':~#')
    terminal.type('echo 路由器\n')
    await terminal.sees('\n路由器\r\n')
    terminal.socket.close()
    await data('remote/closeRemote', { sessionId })
    await until('the program has ended', () => clients().length === 0)
    await until('its files are gone', () => folders().length <= before)
  })

  it('refuses what the device does not serve, as it does without the program', async () => {
    const sessionId = await opened({ kind: 'web', port: 8088 })
    await expect(heldTunnel(sessionId)?.open()).rejects.toThrow(/refused|failed/i)
  })

  it('does so from the moment on in which a service is stopped', async () => {
    const sessionId = await opened({ kind: 'web' })
    const channel = await heldTunnel(sessionId)?.open()
    channel?.destroy()
    await sim.services.control('uhttpd', 'stop')
    try {
      await until('it is refused', () =>
        heldTunnel(sessionId)
          ?.open()
          .then(
            (again) => void again.destroy(),
            () => true,
          ),
      )
    } finally {
      await sim.services.control('uhttpd', 'start')
    }
    await until('it is served again', async () => {
      const again = await heldTunnel(sessionId)
        ?.open()
        .catch(() => undefined)
      again?.destroy()
      return again
    })
  })

  it('loses it with its power', async () => {
    const sessionId = await opened({ kind: 'terminal' })
    sim.down()
    await until('the program has ended', () => clients().length === 0)
    // Otherwise the device is asked for the tunnel again when it is back.
    await data('remote/closeRemote', { sessionId })
    sim.boot()
    await system.sim?.whenOnline(60_000)
  })

  it('says what the program says when there is no tunnel', async () => {
    const { env } = system.context
    const args = {
      sessionId: 'x',
      host: '127.0.0.1',
      port: env.SSH_PORT,
      username: device.sn,
      password: tunnelPassword(env.JWT_SECRET, {
        sessionId: randomUUID(),
        commandId: randomUUID(),
        sn: device.sn,
        expiresAt: Date.now() + 60_000,
      }),
      hostKey: hostKeyLine(env.JWT_SECRET),
      listenPort: 2200,
      targetHost: '127.0.0.1',
      targetPort: 22,
    } as never as Parameters<typeof digWithProgram>[2]
    await until('nothing is left of the tests before', () => clients().length === 0)
    const dig = (more: object) => digWithProgram(sim, program ?? '', { ...args, ...more })
    await expect(dig({})).rejects.toThrow(/Permission denied/)
    await expect(dig({ hostKey: hostKeyLine('x'.repeat(43)) })).rejects.toThrow(/verification failed/)
    await expect(dig({ port: await freePort() })).rejects.toThrow(/refused/)
    expect(clients()).toEqual([])
  })
})
