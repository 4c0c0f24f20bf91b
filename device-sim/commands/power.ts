import { reboot } from '#schema/commands/power'
import { obeys } from '../command.ts'
import { fault } from '../world.ts'

/** Seconds that a boot takes, at speed 1. */
const BOOT_S = [18, 40] as const

export const obeyReboot = obeys(reboot, async (part, { delayS }) => {
  const { world, dice } = part
  part.note('notice', 'init', 'reboot requested by the platform')
  await world.wheel.sleep((delayS * 1000) / world.speed, part.power)
  part.down()
  const away = dice.between(...BOOT_S) * 1000
  // Not awaited: the command is over when the device is down; what follows is the boot.
  world.wheel.sleep(away / world.speed).then(() => part.boot(), fault(part))
  return {}
})
