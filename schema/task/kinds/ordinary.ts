import { taskKind } from '#schema/kit/task-kind'
import { packageSteps } from '../package-steps.ts'
import { upgradeControlPermission, upgradeCreatePermission } from '../task-pages.ts'

/** An ordinary package besides the firmware, downloaded from the file server and installed. */
export const ordinaryKind = taskKind({
  ...packageSteps,
  name: 'ordinary',
  permission: { create: upgradeCreatePermission, control: upgradeControlPermission },
  sends: { by: 'offer', fileType: 'ordinary' },
  icon: 'package',
})
