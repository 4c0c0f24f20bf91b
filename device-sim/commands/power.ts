import { reboot } from '#schema/device/commands/power'
import { obeys } from '../command.ts'
import { restart } from '../restart.ts'

export const obeyReboot = obeys(reboot, async (part, { delayS }) => {
  const { world } = part
  part.note('notice', 'init', 'reboot requested by the platform')
  await world.wheel.sleep((delayS * 1000) / world.speed, part.power)
  await restart(part)
  return {}
})
