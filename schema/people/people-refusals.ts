import { refusal } from '../kit/refusal.ts'

export const peopleRefusals = {
  passwordsDiffer: refusal(160, 'session:passwordsDiffer'),
  templateLocked: refusal(161, 'role:templateLocked'),
  roleInUse: refusal(162, 'role:inUse'),
  roleBeyondCustomer: refusal(163, 'people:refusal.roleBeyondCustomer'),
  holdsMore: refusal(164, 'people:refusal.holdsMore'),
  selfLockout: refusal(165, 'people:refusal.selfLockout'),
  customerTaken: refusal(166, 'people:refusal.customerTaken'),
  customerInUse: refusal(167, 'people:refusal.customerInUse'),
  userTaken: refusal(168, 'people:refusal.userTaken'),
  emailTaken: refusal(169, 'people:refusal.emailTaken'),
  phoneTaken: refusal(170, 'people:refusal.phoneTaken'),
  superAdminProtected: refusal(171, 'people:refusal.superAdminProtected'),
  roleRequired: refusal(172, 'people:refusal.roleRequired'),
  groupsRequired: refusal(173, 'people:refusal.groupsRequired'),
  notAPicture: refusal(174, 'people:refusal.notAPicture'),
  pictureTooLarge: refusal(175, 'people:refusal.pictureTooLarge'),
  pictureTooManyPixels: refusal(176, 'people:refusal.pictureTooManyPixels'),
  customerRequired: refusal(177, 'people:refusal.customerRequired'),
  typeTooHigh: refusal(178, 'people:refusal.typeTooHigh'),
  notYourself: refusal(179, 'people:refusal.notYourself'),
}
