/** The content of a device's hello. */
import type { z } from 'zod'
import type { hello } from '#schema/device/hello'
import { PROTOCOL_VERSION } from '#schema/kit/message'
import { abilitiesOf, CONFIG_LEVEL } from './config/abilities.ts'
import { zoneName } from './config/lan.ts'
import { isGateway } from './features.ts'
import type { Part } from './world.ts'

type Hello = z.input<typeof hello.payload>

export function greetingOf(
  part: Part,
  bootId: string,
  features: Pick<Hello, 'features' | 'configItem' | 'connection'>,
): Hello {
  const { model, mac, imei, imsi, iccid, operator } = part.identity
  const { config, trial, row } = part
  const pending = trial.pending
  const packages = config.hashes
  const { interface: uplink } = part.uplink
  const zone = zoneName(config.doc)
  return {
    v: PROTOCOL_VERSION,
    at: part.now(),
    bootId,
    model: model.name,
    firmware: row.firmware,
    hardwareType: model.hardwareType,
    hardwareVersion: model.hardwareVersion,
    manufacturer: 'Simulated',
    kernel: model.kernel,
    mac,
    ...(imei && { imei, imsi, iccid, operator }),
    // The oldest models report no time zone.
    ...(model.hardwareType !== 'serialServer' && zone && { timeZone: zone }),
    configHash: config.hash,
    config: {
      level: CONFIG_LEVEL,
      packages,
      abilities: [...abilitiesOf(model)],
      uplink,
      ...(pending && { pending }),
    },
    packages: JSON.parse(row.packages),
    ...(isGateway(part.identity) && { plan: part.collector.revision }),
    ...features,
  }
}
