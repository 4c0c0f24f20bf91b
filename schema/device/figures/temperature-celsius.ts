import { z } from 'zod'
import { figure } from '#schema/kit/figure'

export const temperatureCelsius = figure({
  name: 'temperatureCelsius',
  column: 'temperature_celsius',
  reading: z.number().min(-100).max(200),
  summary: 'of the processor or the board',
  example: 47.5,
  unit: '°C',
  digits: 1,
  place: 50,
})
