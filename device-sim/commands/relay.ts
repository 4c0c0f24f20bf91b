import { setRelay } from '#schema/device/commands/relay'
import { obeys } from '../command.ts'

export const obeySetRelay = obeys(setRelay, async (part, { name, on }) => {
  const state = part.outputs.switch(name, on)
  part.note('notice', 'gpio', `${name}: ${state ? 'on' : 'off'}`)
  part.sections.tell()
  return { on: state }
})
