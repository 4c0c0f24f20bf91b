import { refusal } from '../kit/refusal.ts'
import { TOTP_NEEDED } from '../people/before-login.ts'
import { LINK_INVALID } from '../people/invitation.ts'

/** Refusals about the user's own account, parameters and mail. */
export const accountRefusals = {
  totpNeeded: refusal(TOTP_NEEDED, 'account:refusal.totpNeeded'),
  totpWrong: refusal(181, 'account:refusal.totpWrong'),
  totpEnrolFirst: refusal(182, 'account:refusal.totpEnrolFirst'),
  totpRequired: refusal(183, 'account:refusal.totpRequired'),
  totpUnreadable: refusal(184, 'account:refusal.totpUnreadable'),
  totpAlreadyOn: refusal(185, 'account:refusal.totpAlreadyOn'),
  totpNotBegun: refusal(186, 'account:refusal.totpNotBegun'),
  emailFormat: refusal(187, 'session:emailWrong'),
  mailTooOften: refusal(188, 'account:refusal.mailTooOften'),
  linkInvalid: refusal(LINK_INVALID, 'account:refusal.linkInvalid'),
  parameterZhTaken: refusal(190, 'account:refusal.parameterZhTaken'),
  parameterEnTaken: refusal(191, 'account:refusal.parameterEnTaken'),
  parameterRange: refusal(192, 'account:refusal.parameterRange'),
  parameterShared: refusal(193, 'account:refusal.parameterShared'),
  parameterTooMany: refusal(194, 'account:refusal.parameterTooMany'),
  tokenOutlives: refusal(195, 'account:refusal.tokenOutlives'),
  mailNotFailed: refusal(196, 'account:refusal.mailNotFailed'),
  noTransport: refusal(197, 'account:refusal.noTransport'),
  sendBudgetSpent: refusal(198, 'account:refusal.sendBudgetSpent'),
}
