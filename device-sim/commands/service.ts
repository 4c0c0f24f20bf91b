import { controlService } from '#schema/device/commands/service'
import { obeys } from '../command.ts'

/** Seconds that an init script takes, at speed 1. */
const TAKES_S = [0.3, 2] as const

export const obeyControlService = obeys(controlService, async (part, { name, action }) => {
  const { world, dice, services, sections } = part
  await world.wheel.sleep((dice.between(...TAKES_S) * 1000) / world.speed, part.power)
  const state = await services.control(name, action)
  part.note('notice', 'procd', `${name}: ${action}, now ${state}`)
  sections.tell()
  return { state }
})
