import { refusal } from '../kit/refusal.ts'

export const reportRefusals = {
  unknownZone: refusal(
    260,
    '时区 {zone} 无法识别',
    '無法識別時區 {zone}',
    'The time zone {zone} is not known',
  ),
  rangeBackwards: refusal(
    261,
    '开始日期必须早于结束日期且不晚于今天',
    '開始日期必須早於結束日期且不晚於今天',
    'The first day must not be after the last day, nor after today',
  ),
  rangeTooLong: refusal(
    262,
    '时间范围不能超过 {days} 天',
    '時間範圍不能超過 {days} 天',
    'A range has at most {days} days',
  ),
  tooManySchedules: refusal(
    263,
    '定时报表最多 {max} 个',
    '排程報表最多 {max} 個',
    'You have {max} scheduled reports already',
  ),
  scheduleStopped: refusal(
    264,
    '该定时报表已停止，请先启用',
    '該排程報表已停止，請先啟用',
    'This scheduled report has stopped: enable it first',
  ),
}
