import { refusal } from '../kit/refusal.ts'

export const alarmRefusals = {
  alarmRuleGone: refusal(240, '获取告警规则失败', '取得告警規則失敗', 'Alarm rule fetch failed'),
  recoverySide: refusal(
    241,
    '恢复阈值必须在阈值的正常一侧',
    '恢復門檻必須在門檻的正常一側',
    'The recovery threshold must lie on the good side of the threshold',
  ),
  thresholdRange: refusal(
    242,
    '请输入 {min} 至 {max} 之间的数值',
    '請輸入 {min} 至 {max} 之間的數值',
    'Enter a number from {min} to {max}',
  ),
  contactPhoneTaken: refusal(243, '手机号已存在', '電話號碼已存在', 'Phone already exists'),
  contactEmailTaken: refusal(244, '邮箱已存在', '電子郵件已存在', 'Email already exists'),
  contactInUse: refusal(
    245,
    '告警规则 {rule} 正在通知此联系人，请先从规则中移除',
    '告警規則 {rule} 正在通知此聯絡人，請先從規則中移除',
    'The alarm rule {rule} tells this contact: take it out of the rule first',
  ),
  channelInUse: refusal(
    246,
    '告警规则 {rule} 正在使用此渠道，请先从规则中移除',
    '告警規則 {rule} 正在使用此管道，請先從規則中移除',
    'The alarm rule {rule} uses this channel: take it out of the rule first',
  ),
  addressNotAllowed: refusal(
    247,
    '不允许使用该地址：{reason}',
    '不允許使用該位址：{reason}',
    'This address is not allowed: {reason}',
  ),
  scopeEmpty: refusal(248, '请至少选择一项', '請至少選擇一項', 'Choose at least one'),
  endBeforeStart: refusal(
    249,
    '结束时间必须晚于开始时间，且不超过重复周期',
    '結束時間必須晚於開始時間，且不超過重複週期',
    'The end must lie after the start, and within the repetition',
  ),
  customerMissing: refusal(250, '请选择客户', '請選擇客戶', 'Choose a customer'),
  deliveryPending: refusal(251, '该通知正在发送', '該通知正在傳送', 'This notice is being sent already'),
  deliveryWayGone: refusal(
    252,
    '该通知渠道已删除',
    '該通知管道已刪除',
    'The channel of this notice was deleted',
  ),
  intervalMissing: refusal(253, '请输入重复间隔', '請輸入重複間隔', 'Enter the interval of repetition'),
  templateInvalid: refusal(
    254,
    '模板必须是 JSON，并包含 {needed}',
    '範本必須是 JSON，並包含 {needed}',
    'The template must be JSON and name {needed}',
  ),
  noteTemplatesFull: refusal(
    255,
    '最多 {max} 条常用备注',
    '最多 {max} 條常用備註',
    'At most {max} note templates',
  ),
  quietHalf: refusal(
    256,
    '免打扰需要同时填写开始和结束时间',
    '勿擾需要同時填寫開始和結束時間',
    'Quiet hours need both a start and an end',
  ),
  receiverOfOthers: refusal(
    257,
    '您分组以外的告警规则也在使用它，只有能看到整个客户的用户才能修改',
    '您群組以外的告警規則也在使用它，只有能看到整個客戶的使用者才能修改',
    'Alarm rules beyond your groups use it: only a user who sees the whole customer may change it',
  ),
}
