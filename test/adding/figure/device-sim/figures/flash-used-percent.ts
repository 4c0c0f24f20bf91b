import { flashUsedPercent } from '#schema/device/figures/flash-used-percent'
import { drift, shows } from '../figure.ts'

export const showFlashUsedPercent = shows(flashUsedPercent, ({ dice }, before = 55) =>
  drift(before, 60, 0.01, dice.between(-0.2, 0.2)),
)
