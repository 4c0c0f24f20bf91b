import { type Base, fault } from './base.ts'

/** Seconds that a boot takes, at speed 1. */
const BOOT_S = [18, 40] as const

/** Goes down immediately and comes back after a boot. Resolves when it is down. */
export async function restart(part: Base): Promise<void> {
  const { world, dice } = part
  part.down()
  const away = dice.between(...BOOT_S) * 1000
  // Not awaited: the command is over when the device is down; the boot follows.
  world.wheel.sleep(away / world.speed).then(() => part.boot(), fault(part))
}
