import { z } from 'zod'
import { derivedFigure } from '#schema/kit/figure'

type Memory = { memoryTotalBytes?: number | undefined; memoryUsedBytes?: number | undefined }

export const memoryUsedPercent = derivedFigure({
  name: 'memoryUsedPercent',
  column: 'memory_used_percent',
  reading: z.number().min(0).max(100),
  summary: 'memory in use, of all there is',
  unit: '%',
  digits: 0,
  place: 40,
  derive: ({ memoryTotalBytes, memoryUsedBytes }: Memory) =>
    memoryTotalBytes && memoryUsedBytes !== undefined
      ? Math.min(100, (100 * memoryUsedBytes) / memoryTotalBytes)
      : null,
})
