/**
 * How a device stays connected: backoff with jitter, clean session, subscription, and enrolment if it has no secret.
 */
import { randomUUID } from 'node:crypto'
import { enrol, enrolled, enrolUser } from '#schema/device/enrol'
import { gone } from '#schema/device/gone'
import { downlinkTopic, uplinkTopic } from '#schema/kit/message'
import { Line, LineRefused } from './line.ts'
import type { Part } from './world.ts'

export type Connected = Part & {
  take(topic: string, payload: Buffer): Promise<void>
  /** The secret that it proposes when it enrols. */
  readonly proposal: string
  /** Called with the new line, and the name of its connection, before it is open. */
  hold(line: Line, name: string): void
  connected(line: Line): void
  disconnected(reason: string): void
}

export const KEEPALIVE_S = 60
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** A refused credential is unlikely to become valid within a second. */
const REFUSED_PAUSE_MS = 5_000
/** Timeout of an enrolment request, after which this connection is given up. */
const ENROL_MS = 20_000

/** Milliseconds to wait after the n-th consecutive failure (from 0): half fixed, half random. */
export function pauseAfter(failures: number, chance: number, refused = false): number {
  const full = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10))
  return Math.max(refused ? REFUSED_PAUSE_MS : 0, full * (0.5 + chance / 2))
}

/** Of several keys (comma-separated) each device uses one, so that a fleet is spread over groups. */
function keyFor(sn: string, keys: string | undefined): string | undefined {
  const all = keys?.split(',') ?? []
  return all[Number(/\d{1,6}$/.exec(sn)?.[0] ?? 0) % all.length]
}

/** Runs from boot until the power goes; then rejects with the power signal's reason. */
export async function stayConnected(device: Connected): Promise<void> {
  const { world, power, sn } = device
  let failures = 0
  for (;;) {
    await device.network()
    power.throwIfAborted()
    let refused = false
    const secretBefore = device.row.secret
    const key = keyFor(sn, world.enrolmentKey) ?? ''
    const name = randomUUID()
    const line = new Line({
      url: world.mqttUrl,
      clientId: sn,
      username: secretBefore === null ? enrolUser(key) : sn,
      password: secretBefore ?? key,
      end:
        secretBefore === null
          ? undefined
          : {
              topic: uplinkTopic(sn, gone.name),
              broken: JSON.stringify({ connection: name }),
              leaving: JSON.stringify({ connection: name, leaving: true }),
            },
      keepaliveS: KEEPALIVE_S,
      wheel: world.wheel,
      onMessage: (topic, payload) => device.take(topic, payload),
    })
    device.hold(line, name)
    try {
      await line.open()
      await line.subscribe(downlinkTopic(sn, secretBefore === null ? enrolled.name : '#'))
      if (secretBefore === null) {
        await askForSecret(device, line, key)
        failures += 1
      } else {
        failures = 0
        device.connected(line)
        const reason = await line.closed
        // It may have rebooted meanwhile and use another line.
        power.throwIfAborted()
        device.disconnected(reason)
      }
    } catch (error) {
      power.throwIfAborted()
      failures += 1
      refused = error instanceof LineRefused
      if (failures === 3) world.log.warn({ sn, why: (error as Error).message }, 'a device cannot connect')
      line.destroy('gave up')
    }
    if (device.row.secret !== secretBefore) continue
    await world.wheel.sleep(pauseAfter(failures, device.dice.roll(), refused), power)
  }
}

/** `take` stores the secret of `enrolled` and then ends the line. */
async function askForSecret(device: Connected, line: Line, key: string): Promise<void> {
  const late = device.world.wheel.after(ENROL_MS, () => line.destroy('no answer to enrol'))
  const model = device.identity.model.name
  await line.publish(
    uplinkTopic(device.sn, enrol.name),
    JSON.stringify({
      model,
      name: `${model} ${device.identity.city.name} ${device.sn.slice(-4)}`,
      key,
      secret: device.proposal,
    }),
  )
  await line.closed
  late.cancel()
}
