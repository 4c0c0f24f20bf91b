import { taskKind } from '#schema/kit/task-kind'
import { packageSteps } from '../package-steps.ts'
import { upgradeControlPermission, upgradeCreatePermission } from '../task-pages.ts'

/** A patch besides the firmware, downloaded from the file server and installed. */
export const patchKind = taskKind({
  ...packageSteps,
  name: 'patch',
  permission: { create: upgradeCreatePermission, control: upgradeControlPermission },
  sends: { by: 'offer', fileType: 'patch' },
  icon: 'bandage',
})
