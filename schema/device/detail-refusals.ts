import { refusal } from '../kit/refusal.ts'

export const detailRefusals = {
  backupMissing: refusal(230, 'detail:refusal.backupMissing'),
  backupWaiting: refusal(231, 'detail:refusal.backupWaiting'),
  timeZoneUnknown: refusal(232, 'detail:refusal.timeZoneUnknown'),
  scheduleNoDate: refusal(233, 'detail:refusal.scheduleNoDate'),
  scheduleNoDays: refusal(234, 'detail:refusal.scheduleNoDays'),
  schedulePast: refusal(235, 'detail:refusal.schedulePast'),
}
