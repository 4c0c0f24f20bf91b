import { refusal } from '../kit/refusal.ts'

export const reportRefusals = {
  unknownZone: refusal(260, 'report:refusal.unknownZone'),
  rangeBackwards: refusal(261, 'report:refusal.rangeBackwards'),
  rangeTooLong: refusal(262, 'report:refusal.rangeTooLong'),
  tooManySchedules: refusal(263, 'report:refusal.tooManySchedules'),
  scheduleStopped: refusal(264, 'report:refusal.scheduleStopped'),
  noneConfirmed: refusal(265, 'report:refusal.noneConfirmed'),
}
