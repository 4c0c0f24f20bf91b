/** For the tests of the gateway: a bare broker, one simulated gateway, and real slaves on free ports. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { z } from 'zod'
import { command } from '#schema/command/command'
import { plan } from '#schema/monitor/collection'
import type { VariablesReport } from '#schema/monitor/wire'
import { ENROLMENT_KEY, order, quiet, startFakeCloud, until } from '../fake-cloud.ts'
import { type SimDevice, type SimOptions, startDeviceSim } from '../start.ts'

type PlanInput = z.input<typeof plan.payload>
export type TryGateway = Awaited<ReturnType<typeof tryGateway>>

export async function tryGateway(options: Partial<SimOptions> = {}) {
  const cloud = await startFakeCloud({ statusEveryS: 30 })
  const dataDir = mkdtempSync(join(tmpdir(), 'iot-gateway-'))
  const start = async () => {
    const sim = await startDeviceSim({
      count: 1,
      seed: 1,
      mqttUrl: cloud.url,
      enrolmentKey: ENROLMENT_KEY,
      dataDir,
      faults: {},
      speed: 100,
      log: quiet,
      models: ['G100'],
      ...options,
    })
    await sim.whenOnline(60_000)
    return sim
  }
  let sim = await start()
  const device = () => sim.devices[0] as SimDevice
  const sn = device().sn
  const reports = () => cloud.of(sn, 'variables').map(({ payload }) => payload as VariablesReport)
  return {
    cloud,
    sn,
    device,
    reports,
    /** Values of one slot in the order of their time: [value, quality]. */
    values: (terminal: number, slot: number) =>
      reports()
        .toSorted((one, other) => one.at - other.at)
        .flatMap(({ t, i, v, q }) => {
          const at = i.indexOf(slot)
          return t === terminal && at >= 0 ? [[v[at] ?? null, q?.[at] ?? 0] as const] : []
        }),
    /** The newest state of a terminal's slave. */
    state: (terminal: number) => {
      const said = cloud.of(sn, 'collection').at(-1)?.payload['slaves'] as { t: number; state: string }[]
      return said?.find(({ t }) => t === terminal)?.state
    },
    run: async (document: PlanInput) => {
      await cloud.tell(sn, plan, document)
      await until('the plan is taken', () =>
        cloud.of(sn, 'collection').some(({ payload }) => {
          const refused = payload['refused'] as { plan: number } | undefined
          return payload['plan'] === document.revision || refused?.plan === document.revision
        }),
      )
    },
    /** Sends a command; resolves with the last reply. */
    ask: async (name: string, args: Record<string, unknown>) => {
      const id = randomUUID()
      await cloud.tell(sn, command, order(id, name, args))
      const ended = () =>
        cloud.of(sn, 'reply').find(({ payload }) => payload['id'] === id && payload['state'] !== 'accepted')
      await until(`the reply to ${name}`, () => ended() !== undefined, 20_000)
      return ended()?.payload as { state: string; result?: Record<string, unknown>; error?: string }
    },
    restart: async () => {
      await sim.close()
      sim = await start()
    },
    close: async () => {
      await sim.close()
      await cloud.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
