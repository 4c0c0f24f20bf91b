import { refusal } from '../kit/refusal.ts'

export const taskRefusals = {
  taskNoEligible: refusal(130, 'task:refusal.taskNoEligible'),
  taskOngoing: refusal(131, 'task:refusal.taskOngoing'),
  taskCompleted: refusal(132, 'task:refusal.taskCompleted'),
  taskNothingToRetry: refusal(133, 'task:refusal.taskNothingToRetry'),
  taskTooMany: refusal(134, 'task:refusal.taskTooMany'),
  taskPaused: refusal(136, 'task:refusal.taskPaused'),
  taskNotPaused: refusal(137, 'task:refusal.taskNotPaused'),
  taskOfOthersToo: refusal(138, 'task:refusal.taskOfOthersToo'),
  taskAwaitsNothing: refusal(320, 'task:refusal.taskAwaitsNothing'),
  taskOwnApproval: refusal(321, 'task:refusal.taskOwnApproval'),
  taskAwaitsApproval: refusal(322, 'task:refusal.taskAwaitsApproval'),
  taskCountDiffers: refusal(323, 'task:refusal.taskCountDiffers'),
  taskNoNextWave: refusal(324, 'task:refusal.taskNoNextWave'),
  taskNotRolledBack: refusal(325, 'task:refusal.taskNotRolledBack'),
  formerPackageGone: refusal(326, 'task:refusal.formerPackageGone'),
  joinNeedsFilter: refusal(327, 'task:refusal.joinNeedsFilter'),
  joinOfMoment: refusal(328, 'task:refusal.joinOfMoment'),
  joinEnd: refusal(329, 'task:refusal.joinEnd'),
  joinCounted: refusal(330, 'task:refusal.joinCounted'),
  fileServerUnknown: refusal(135, 'task:refusal.fileServerUnknown'),
}
