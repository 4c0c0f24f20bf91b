import { z } from 'zod'

/** Devices of a group with those of the groups below it, as the tree of the console adds them up. */
export const treeCounts = {
  treeTotal: z.number().describe('devices of the group and of the groups below it'),
  treeOnline: z.number(),
}
