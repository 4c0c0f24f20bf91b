/**
 * Every product code [§8] with its text. 0 success, 1 failed, 2/20 session, 5 permission, 15 wrong password; ours
 * from 100, one file per subject in schema/refusals/.
 */
import type { RefusalKind } from './kit/refusal.ts'
import { accountRefusals } from './refusals/account.ts'
import { alarmRefusals } from './refusals/alarm.ts'
import { commandBatchRefusals } from './refusals/command-batch.ts'
import { detailRefusals } from './refusals/detail.ts'
import { deviceRefusals } from './refusals/device.ts'
import { editionRefusals } from './refusals/edition.ts'
import { groupRefusals } from './refusals/group.ts'
import { packageRefusals } from './refusals/package.ts'
import { peopleRefusals } from './refusals/people.ts'
import { printerRefusals } from './refusals/printer.ts'
import { reportRefusals } from './refusals/report.ts'
import { sessionRefusals } from './refusals/session.ts'
import { taskRefusals } from './refusals/task.ts'
import { transportRefusals } from './refusals/transport.ts'
import { unusualRefusals } from './refusals/unusual.ts'
import { viewRefusals } from './refusals/view.ts'

export const refusals = {
  ...accountRefusals,
  ...alarmRefusals,
  ...commandBatchRefusals,
  ...detailRefusals,
  ...deviceRefusals,
  ...editionRefusals,
  ...groupRefusals,
  ...packageRefusals,
  ...peopleRefusals,
  ...printerRefusals,
  ...reportRefusals,
  ...sessionRefusals,
  ...taskRefusals,
  ...transportRefusals,
  ...unusualRefusals,
  ...viewRefusals,
} as const satisfies Record<string, RefusalKind>
export type RefusalName = keyof typeof refusals
