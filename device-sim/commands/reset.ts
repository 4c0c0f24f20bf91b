import { factoryReset } from '#schema/device/commands/reset'
import { obeys } from '../command.ts'
import { configHash } from '../config-files.ts'
import { restart } from '../restart.ts'

export const obeyFactoryReset = obeys(factoryReset, async (part, { keepNetwork }) => {
  part.note('alert', 'init', 'factory reset requested by the platform')
  await part.settings.reset(keepNetwork)
  // Packages installed on top of the firmware are removed, too; the secret stays, because it is the identity.
  part.row.packages = '{}'
  part.row.configHash = configHash(part)
  await part.world.store.saveDevice(part.row)
  await restart(part)
  return {}
})
