/** What the lists of a device's history have in common. */
import { z } from 'zod'

/** How far back a history is read; absent: as far as it is kept. */
export const pastDays = z.coerce.number().int().min(1).max(3650).optional().describe('only the last n days')
