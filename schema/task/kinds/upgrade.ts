import { taskKind } from '#schema/kit/task-kind'
import { packageSteps } from '../package-steps.ts'
import { upgradeControlPermission, upgradeCreatePermission } from '../task-pages.ts'

/** Complete firmware, downloaded from the file server and installed. */
export const upgradeKind = taskKind({
  ...packageSteps,
  name: 'upgrade',
  permission: { create: upgradeCreatePermission, control: upgradeControlPermission },
  sends: { by: 'offer', fileType: 'upgrade' },
  icon: 'package-import',
})
