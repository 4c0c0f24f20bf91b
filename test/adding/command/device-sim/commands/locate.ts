import { locate } from '#schema/device/commands/locate'
import { obeys } from '../command.ts'

export const obeyLocate = obeys(locate, async (part, { durationS }) => {
  part.note('notice', 'leds', `blinking for ${durationS} s`)
  return {}
})
