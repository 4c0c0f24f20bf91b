import { taskKind } from '#schema/kit/task-kind'
import {
  configTaskControlPermission,
  configTaskCreatePermission,
  configTaskListPermission,
} from '../config-pages.ts'
import { packageSteps } from '../package-steps.ts'

/** A configuration file, downloaded and restored; the device restarts with it and names the item in its hello. */
export const configFileKind = taskKind({
  ...packageSteps,
  name: 'configFile',
  permission: {
    create: configTaskCreatePermission,
    control: configTaskControlPermission,
    see: configTaskListPermission,
  },
  sends: { by: 'offer', fileType: 'config' },
  needs: 'configFile',
  done: 'item',
  icon: 'file-settings',
  columns: [],
})
