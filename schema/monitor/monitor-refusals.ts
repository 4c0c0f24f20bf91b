import { refusal } from '../kit/refusal.ts'

export const monitorRefusals = {
  projectNameTaken: refusal(350, 'monitor:refusal.projectNameTaken'),
  groupHasProject: refusal(351, 'monitor:refusal.groupHasProject'),
  groupNotFirstLevel: refusal(352, 'monitor:refusal.groupNotFirstLevel'),
  responsibleOfOthers: refusal(353, 'monitor:refusal.responsibleOfOthers'),
  templateNameTaken: refusal(354, 'monitor:refusal.templateNameTaken'),
  /** [§8 Blocked deletes] */
  templateInUse: refusal(355, 'monitor:refusal.templateInUse'),
  templateOfOthers: refusal(356, 'monitor:refusal.templateOfOthers'),
  templateOfOtherCustomer: refusal(357, 'monitor:refusal.templateOfOtherCustomer'),
  variableNameTaken: refusal(358, 'monitor:refusal.variableNameTaken'),
  /** [§8 Blocked deletes] */
  variableCollected: refusal(359, 'monitor:refusal.variableCollected'),
  tooManyVariables: refusal(360, 'monitor:refusal.tooManyVariables'),
}
