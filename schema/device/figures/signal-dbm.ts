import { z } from 'zod'
import { figure } from '#schema/kit/figure'

export const signalDbm = figure({
  name: 'signalDbm',
  column: 'signal_dbm',
  reading: z.number().min(-150).max(0),
  summary: 'RSSI in dBm',
  example: -71,
  unit: 'dBm',
  digits: 0,
  place: 10,
})
