import { refusal } from '../kit/refusal.ts'

export const viewRefusals = {
  viewNameExists: refusal(150, 'view:refusal.viewNameExists'),
  viewTooMany: refusal(151, 'view:refusal.viewTooMany'),
}
