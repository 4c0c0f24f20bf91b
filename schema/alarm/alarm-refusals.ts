import { refusal } from '../kit/refusal.ts'

export const alarmRefusals = {
  alarmRuleGone: refusal(240, 'alarm:refusal.alarmRuleGone'),
  recoverySide: refusal(241, 'alarm:refusal.recoverySide'),
  thresholdRange: refusal(242, 'alarm:refusal.thresholdRange'),
  contactPhoneTaken: refusal(243, 'alarm:refusal.contactPhoneTaken'),
  contactEmailTaken: refusal(244, 'alarm:refusal.contactEmailTaken'),
  contactInUse: refusal(245, 'alarm:refusal.contactInUse'),
  channelInUse: refusal(246, 'alarm:refusal.channelInUse'),
  addressNotAllowed: refusal(247, 'alarm:refusal.addressNotAllowed'),
  scopeEmpty: refusal(248, 'alarm:refusal.scopeEmpty'),
  endBeforeStart: refusal(249, 'alarm:refusal.endBeforeStart'),
  customerMissing: refusal(250, 'people:refusal.customerRequired'),
  deliveryPending: refusal(251, 'alarm:refusal.deliveryPending'),
  deliveryWayGone: refusal(252, 'alarm:refusal.deliveryWayGone'),
  intervalMissing: refusal(253, 'alarm:refusal.intervalMissing'),
  templateInvalid: refusal(254, 'alarm:refusal.templateInvalid'),
  noteTemplatesFull: refusal(255, 'alarm:refusal.noteTemplatesFull'),
  quietHalf: refusal(256, 'alarm:refusal.quietHalf'),
  receiverOfOthers: refusal(257, 'alarm:refusal.receiverOfOthers'),
  alarmHandled: refusal(266, 'alarm:refusal.alarmHandled'),
  eventsOfOthers: refusal(258, 'alarm:refusal.eventsOfOthers'),
}
