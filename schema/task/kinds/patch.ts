import { taskKind } from '#schema/kit/task-kind'
import { packageSteps } from '../package-steps.ts'
import { upgradeControlPermission, upgradeCreatePermission } from '../task-pages.ts'

/** Something small that is installed beside the firmware, fetched from the file server and installed. */
export const patchKind = taskKind({
  ...packageSteps,
  name: 'patch',
  permission: { create: upgradeCreatePermission, control: upgradeControlPermission },
  sends: { by: 'offer', packageType: 'patch' },
  icon: 'bandage',
})
