/** For the simulator's own tests: a bare Aedes in the role of the platform that records all messages. */
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Aedes } from 'aedes'
import type { z } from 'zod'
import { openLog } from '#infra/log'
import { type command, reply } from '#schema/command/command'
import { config } from '#schema/config/reported'
import { enrol, enrolled, enrolUser } from '#schema/device/enrol'
import { gone } from '#schema/device/gone'
import { hello, welcome } from '#schema/device/hello'
import { log as logUplink } from '#schema/device/log'
import { probe } from '#schema/device/probe'
import { scheduleRun } from '#schema/device/schedule'
import { facts } from '#schema/device/section'
import { simSwitch } from '#schema/device/sim-switch'
import { status } from '#schema/device/status'
import { type Downlink, downlinkTopic, parseTopic, type Uplink } from '#schema/kit/message'
import { collection, variables } from '#schema/monitor/collection'
import { portalShown } from '#schema/portal/portal-shown'
import { printers } from '#schema/printing/printer'
import { type offer, progress } from '#schema/task/task'

export const ENROLMENT_KEY = 'ek_pretend'
const uplinks: readonly Uplink[] = [
  enrol,
  gone,
  hello,
  status,
  progress,
  reply,
  logUplink,
  facts,
  probe,
  simSwitch,
  scheduleRun,
  portalShown,
  config,
  printers,
  variables,
  collection,
]

type Heard = { sn: string; name: string; payload: Record<string, unknown>; at: number }
export type FakeCloud = Awaited<ReturnType<typeof startFakeCloud>>

type Options = { statusEveryS?: number; port?: number; secrets?: Record<string, string> }

export async function startFakeCloud(options: Options = {}) {
  const aedes = await Aedes.createBroker()
  const secrets: Record<string, string> = { ...options.secrets }
  const heard: Heard[] = []
  const invalid: string[] = []
  /** Refuses every login while closed. */
  const door = { closed: false }
  aedes.authenticate = (client, username, password, done) => {
    const given = password?.toString()
    const right =
      (given === ENROLMENT_KEY && (username === client.id || username === enrolUser(ENROLMENT_KEY))) ||
      (client.id === username && given === secrets[username ?? ''])
    if (given === ENROLMENT_KEY) enrolling.add(client.id)
    else enrolling.delete(client.id)
    if (right && !door.closed) return done(null, true)
    done(Object.assign(new Error('no'), { returnCode: 5 }), false)
  }
  // Enrolling clients receive only the response.
  const enrolling = new Set<string>()
  aedes.authorizeSubscribe = (client, subscription, done) =>
    done(null, enrolling.has(client.id) && !subscription.topic.endsWith('/enrolled') ? null : subscription)
  const send = (sn: string, name: string, body: string) =>
    new Promise<void>((done, fail) =>
      aedes.publish(
        {
          cmd: 'publish',
          topic: downlinkTopic(sn, name),
          payload: body,
          qos: 1,
          retain: false,
          dup: false,
        },
        (error) => (error ? fail(error) : done()),
      ),
    )
  const tell = <P extends z.ZodType>(sn: string, message: Downlink<P>, payload: z.input<P>) =>
    send(sn, message.name, JSON.stringify(message.payload.parse(payload)))

  aedes.on('publish', (packet, client) => {
    const topic = client ? parseTopic(packet.topic) : null
    if (topic?.direction !== 'up') return
    const declared = uplinks.find((uplink) => uplink.name === topic.name)
    const payload = JSON.parse(packet.payload.toString())
    const parsed = declared?.payload.safeParse(payload)
    if (!parsed?.success) invalid.push(`${topic.name}: ${parsed?.error.message} ${packet.payload}`)
    heard.push({ sn: topic.sn, name: topic.name, payload, at: Date.now() })
    if (topic.name === 'hello')
      tell(topic.sn, welcome, { at: Date.now(), statusEveryS: options.statusEveryS ?? 30 })
    if (topic.name === 'enrol') {
      secrets[topic.sn] = String(payload.secret)
      tell(topic.sn, enrolled, { sn: topic.sn })
    }
  })
  const server = createServer(aedes.handle)
  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0

  const of = (sn: string, name: string) => heard.filter((one) => one.sn === sn && one.name === name)
  return {
    aedes,
    port,
    url: `mqtt://127.0.0.1:${port}`,
    secrets,
    heard,
    invalid,
    door,
    send,
    tell,
    of,
    /** The reports of a device on an item, in order. */
    progress: (item: string) =>
      heard
        .filter((one) => one.name === 'progress' && one.payload['item'] === item)
        .map((one) => one.payload),
    /** The steps that a device reported of an item, without repeats, in order. */
    steps: (item: string) =>
      heard
        .filter((one) => one.name === 'progress' && one.payload['item'] === item)
        .map(({ payload }) => String(payload['step'] === 'failed' ? payload['failure'] : payload['step']))
        .filter((step, i, all) => step !== all[i - 1]),
    close: async () => {
      await new Promise<void>((done) => aedes.close(() => server.close(() => done())))
    },
  }
}

/** Polls every few milliseconds, which a machine that stands still does not use up. @throws with the name of the condition. */
export async function until(what: string, holds: () => boolean, timeoutMs = 40_000): Promise<void> {
  for (let leftMs = timeoutMs; !holds(); leftMs -= 10) {
    if (leftMs < 0) throw new Error(`waited ${timeoutMs} ms for: ${what}`)
    await sleep(10)
  }
}

export const quiet = openLog('device-sim', 'silent')

export type OfferInput = z.input<typeof offer.payload>
export const order = (id: string, name: string, args: Record<string, unknown> = {}) =>
  ({ id, name, args, deadlineAt: Date.now() + 60_000 }) satisfies z.input<typeof command.payload>
