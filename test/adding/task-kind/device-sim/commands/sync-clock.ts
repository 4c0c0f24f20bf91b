import { syncClock } from '#schema/task/kinds/sync-clock'
import { obeys } from '../command.ts'

export const obeySyncClock = obeys(syncClock, async (part) => {
  const correctedMs = Math.round(part.dice.between(-2000, 2000))
  part.note('notice', 'ntp', `clock set, it was ${correctedMs} ms off`)
  return { correctedMs }
})
