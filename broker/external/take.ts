/** Dispatches each message from an external broker to its handler. */
import type { z } from 'zod'
import type { Context } from '#infra/context'
import { gone } from '#schema/device/gone'
import { hello } from '#schema/device/hello'
import { parseTopic, type Uplink } from '#schema/kit/message'
import { type Ingest, readPayload } from '../ingest.ts'
import type { BrokerMetrics } from '../metrics.ts'
import { isKept } from '../read-uplinks.ts'
import type { Store } from '../store.ts'
import type { Connections } from './connections.ts'
import type { Devices, Sender } from './devices.ts'
import type { Enrolling } from './enrolling.ts'

type Tools = {
  log: Context['log']
  devices: Devices
  ingest: Ingest
  store: Store
  metrics: BrokerMetrics
  connections: Connections
  enrolling: Enrolling
}

/** Called for a valid hello or gone; the store refuses invalid ones. */
function read<P extends z.ZodType>(uplink: Uplink<P>, payload: Buffer): z.output<P> | null {
  const found = readPayload(uplink as Uplink, payload)
  return 'value' in found ? (found.value as z.output<P>) : null
}

/** `done` is null for QoS 0. */
export function openTake(tools: Tools) {
  const { log, devices, ingest, store, metrics, connections, enrolling } = tools

  async function observe(sender: Sender, word: Uplink, payload: Buffer): Promise<void> {
    if (word.name === gone.name) {
      const said = read(gone, payload)
      if (said) await connections.gone(sender.deviceId, said)
      return
    }
    const said = word.name === hello.name ? read(hello, payload) : null
    connections.heard(sender.deviceId)
    if (!said) return
    connections.greeted(sender.deviceId, said.connection)
    await devices.used(sender)
  }

  return (topic: string, payload: Buffer, done: (() => void) | null): void => {
    const acknowledge = done ?? (() => undefined)
    const word = ingest.wordOf(topic)
    const sn = parseTopic(topic)?.sn
    // Messages with other names are exchanged between the connections of a device.
    if (!word || !sn) {
      metrics.count('other')
      acknowledge()
      return
    }
    if (word.class === 'session') {
      enrolling.ask(sn, payload, acknowledge)
      return
    }
    if (done === null && !store.hasRoom()) return
    void devices.find(sn).then((sender) => {
      if (!sender) {
        metrics.refused('topic')
        return acknowledge()
      }
      const observed = observe(sender, word, payload).catch((error: unknown) => {
        log.warn({ err: error, sn }, `${word.name} not observed`)
      })
      if (isKept(word))
        ingest.keep(sender, word, { bytes: payload, from: 0, to: payload.length }, { kept: acknowledge })
      else void observed.then(acknowledge)
    })
  }
}
