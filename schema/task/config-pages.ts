import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'

export const configTaskListPermission = permission({
  id: 9300,
  name: 'configTaskList',
  role: 'viewer',
  under: 'config-task-list',
})
export const configTaskCreatePermission = permission({
  id: 9301,
  name: 'configTaskCreate',
  role: 'operator',
  under: 'config-task-list',
})
export const configTaskControlPermission = permission({
  id: 9302,
  name: 'configTaskControl',
  role: 'operator',
  under: 'config-task-list',
})

export const configTaskScreen = screen({
  name: 'config-task-list',
  path: '/resource/firmware',
  lists: 'configTask/getConfigTaskList',
  menuId: 93,
  role: 'viewer',
  parent: 'configuration',
  place: 20,
  area: 'management',
})

/** The same page as of any task, for users who may see no other tasks. */
export const configTaskDetailScreen = screen({
  name: 'config-task-detail',
  path: '/resource/firmware/:taskId',
  under: configTaskScreen,
  area: 'management',
})
