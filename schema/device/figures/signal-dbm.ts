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
  // Common practice for cellular routers: at −85 dBm video starts to stall, below −95 connections break.
  bands: { excellent: -65, good: -75, fair: -85 },
  place: 10,
})
