import { temperatureCelsius } from '#schema/device/figures/temperature-celsius'
import { drift, shows } from '../figure.ts'

export const showTemperatureCelsius = shows(temperatureCelsius, ({ busy, dice }, before = 38) =>
  drift(before, 36 + busy * 12, 0.1, dice.between(-0.5, 0.5)),
)
