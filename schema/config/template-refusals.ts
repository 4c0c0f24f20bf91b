import { refusal } from '../kit/refusal.ts'

export const templateRefusals = {
  templateGone: refusal(360, 'config-template:refusal.templateGone'),
  variableGone: refusal(361, 'config-template:refusal.variableGone'),
  tooMany: refusal(362, 'config-template:refusal.tooMany'),
  variableUnknown: refusal(363, 'config-template:refusal.variableUnknown'),
  variableUsed: refusal(364, 'config-template:refusal.variableUsed'),
  scopeTwice: refusal(365, 'config-template:refusal.scopeTwice'),
  deviceUnknown: refusal(374, 'config-template:refusal.deviceUnknown'),
  valueMasked: refusal(369, 'config-template:refusal.valueMasked'),
}
