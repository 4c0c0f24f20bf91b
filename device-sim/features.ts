/** The features that a device lists in hello. */
import { setRelay } from '#schema/device/commands/relay'
import { sendSms } from '#schema/device/commands/sms'
import { COLLECTION_FEATURE, INTERFACES_FEATURE } from '#schema/monitor/collection'
import { probeRegisters, readRegisters, scanSlaves } from '#schema/monitor/commands/commissioning'
import { writeVariable } from '#schema/monitor/commands/write-variable'
import { setPortal } from '#schema/portal/set-portal'
import { abilitiesOf } from './config/abilities.ts'
import type { Identity } from './fleet.ts'

const ofGateways = new Set<string>([
  COLLECTION_FEATURE,
  ...[readRegisters, scanSlaves, probeRegisters, writeVariable].map(({ name }) => name),
])

type Kind = Pick<Identity, 'model'>
export const hasOutputs = ({ model }: Kind) => abilitiesOf(model).includes('gpio')
/** Print and serial servers have no Wi-Fi. */
export const hasPortal = ({ model }: Kind) => model.radio !== null
/** Models with a serial port or a network with slaves. */
export const isGateway = ({ model }: Kind) => model.hardwareType !== 'printServer'

export function featuresOf(commands: Iterable<string>, identity: Identity): string[] {
  return [...commands, COLLECTION_FEATURE, INTERFACES_FEATURE].filter((name) => {
    if (name === setPortal.name) return hasPortal(identity)
    if (name === sendSms.name) return identity.model.radio !== null
    if (name === setRelay.name || name === INTERFACES_FEATURE) return hasOutputs(identity)
    return !ofGateways.has(name) || isGateway(identity)
  })
}
