import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'
import { configTaskDetailScreen } from './config-pages.ts'

export const taskListPermission = permission({
  id: 7700,
  name: 'taskList',
  role: 'viewer',
  under: 'task-list',
})
export const upgradeCreatePermission = permission({
  id: 7701,
  name: 'upgradeCreate',
  role: 'operator',
  under: 'task-list',
})
export const upgradeControlPermission = permission({
  id: 7702,
  name: 'upgradeControl',
  role: 'operator',
  under: 'task-list',
})
export const taskDeletePermission = permission({
  id: 7703,
  name: 'taskDelete',
  role: 'customerAdmin',
  under: 'task-list',
})

/** For the second person of a task that needs one; its creator cannot use it on that task. */
export const taskApprovePermission = permission({
  id: 7710,
  name: 'taskApprove',
  role: 'operator',
  under: 'task-list',
})

export const taskListScreen = screen({
  name: 'task-list',
  path: '/task/upgrade',
  lists: 'task/getTaskList',
  menuId: 77,
  role: 'viewer',
  parent: 'software',
  place: 20,
  area: 'management',
})

export const taskDetailScreen = screen({
  name: 'task-detail',
  path: '/task/upgrade/:taskId',
  under: taskListScreen,
  elseAt: configTaskDetailScreen,
  area: 'management',
})
