import { refusal } from '../kit/refusal.ts'

export const configRefusals = {
  pageUnknown: refusal(340, 'config:refusal.pageUnknown'),
  /** [§8] "version not supported, upgrade device" */
  versionUnsupported: refusal(341, 'config:refusal.versionUnsupported'),
  lacking: refusal(342, 'config:refusal.lacking'),
  unread: refusal(343, 'config:refusal.unread'),
  nothingEdited: refusal(344, 'config:refusal.nothingEdited'),
  underWay: refusal(345, 'config:refusal.underWay'),
  faulty: refusal(346, 'config:refusal.faulty'),
  driftGone: refusal(347, 'config:refusal.driftGone'),
  noTrial: refusal(348, 'config:refusal.noTrial'),
  /** Line and reason, in libuci's own words. */
  uciRefused: refusal(349, 'config:refusal.uciRefused'),
  uciEmpty: refusal(357, 'config:refusal.uciEmpty'),
  unmanaged: refusal(358, 'config:refusal.unmanaged'),
  maskUnknown: refusal(366, 'config:refusal.maskUnknown'),
  /** A value of a page: the sentence that its form shows, with the name of the field where it needs one. */
  valueRefused: refusal(367, 'config:refusal.valueRefused'),
  /** What would be sent is not what was reviewed. */
  reviewedOther: refusal(368, 'config:refusal.reviewedOther'),
  notSet: refusal(359, 'config:refusal.notSet'),
}
