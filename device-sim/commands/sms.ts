import { sendSms } from '#schema/device/commands/sms'
import { smsParts } from '#schema/device/sms-parts'
import { obeys } from '../command.ts'

/** Seconds that the network takes for one part, at speed 1. */
const PART_S = [1, 4] as const

export const obeySendSms = obeys(sendSms, async (part, { number, text }) => {
  const { world, dice, identity, power } = part
  if (identity.model.radio === null) throw new Error('there is no modem')
  const parts = smsParts(text)
  for (let i = 0; i < parts; i++)
    await world.wheel.sleep((dice.between(...PART_S) * 1000) / world.speed, power)
  // Neither the text nor the complete number may be logged.
  part.note('notice', 'sms', `sent to …${number.slice(-3)}, ${parts} part${parts === 1 ? '' : 's'}`)
  return { parts }
})
