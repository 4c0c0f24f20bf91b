import { refusal } from '../kit/refusal.ts'

export const monitorRefusals = {
  projectNameTaken: refusal(450, 'monitor:refusal.projectNameTaken'),
  groupHasProject: refusal(451, 'monitor:refusal.groupHasProject'),
  groupNotFirstLevel: refusal(452, 'monitor:refusal.groupNotFirstLevel'),
  responsibleOfOthers: refusal(453, 'monitor:refusal.responsibleOfOthers'),
  templateNameTaken: refusal(454, 'monitor:refusal.templateNameTaken'),
  /** [§8 Blocked deletes] */
  templateInUse: refusal(455, 'monitor:refusal.templateInUse'),
  templateOfDeleted: refusal(465, 'monitor:refusal.templateOfDeleted'),
  templateOfOthers: refusal(456, 'monitor:refusal.templateOfOthers'),
  templateOfOtherCustomer: refusal(457, 'monitor:refusal.templateOfOtherCustomer'),
  variableNameTaken: refusal(458, 'monitor:refusal.variableNameTaken'),
  /** [§8 Blocked deletes] */
  variableCollected: refusal(459, 'monitor:refusal.variableCollected'),
  tooManyVariables: refusal(460, 'monitor:refusal.tooManyVariables'),
  /** Each variable has had a number of its own since the template was made. */
  slotsUsedUp: refusal(466, 'monitor:refusal.slotsUsedUp'),
  formulaUnreadable: refusal(461, 'monitor:refusal.formulaUnreadable'),
  formulaUnknownName: refusal(462, 'monitor:refusal.formulaUnknownName'),
  formulaCycle: refusal(463, 'monitor:refusal.formulaCycle'),
  formulaChain: refusal(464, 'monitor:refusal.formulaChain'),
  /** The platform keeps nothing longer. */
  projectHistoryTooLong: refusal(525, 'monitor:refusal.projectHistoryTooLong'),
}
