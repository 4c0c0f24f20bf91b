import { factoryReset } from '#schema/device/commands/reset'
import { obeys } from '../command.ts'
import { keptNetwork, withNetwork } from '../config/kept-network.ts'
import { restart } from '../restart.ts'

export const obeyFactoryReset = obeys(
  factoryReset,
  async (part, { keepNetwork }) => {
    part.note('alert', 'init', 'factory reset requested by the platform')
    const kept = keptNetwork(part.config)
    // All of it in one turn: a power cut must not leave the settings of the factory without the network that is kept.
    const forgotten = [part.settings.reset(keepNetwork), part.config.forget(), part.collector.forget()]
    if (keepNetwork) forgotten.push(part.config.write(withNetwork(part.config, kept)))
    // Packages installed on top of the firmware are removed, too; the secret stays, because it is the identity.
    part.row.packages = '{}'
    await Promise.all([...forgotten, part.world.store.saveDevice(part.row)])
    await restart(part)
    return {}
  },
  ({ trial }) => trial.busy,
)
