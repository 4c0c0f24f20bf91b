import { refusal } from '../kit/refusal.ts'

export const commandRefusals = {
  notForMany: refusal(290, 'command:refusal.notForMany'),
  noneEligible: refusal(291, 'command:refusal.noneEligible'),
  selectedOffline: refusal(295, 'command:refusal.selectedOffline'),
  taskGrew: refusal(292, 'command:refusal.taskGrew'),
}
