import { refusal } from '../kit/refusal.ts'

export const portalRefusals = {
  advertisementGone: refusal(380, 'advertisement:refusal.advertisementGone'),
  tooManyAdvertisements: refusal(381, 'advertisement:refusal.tooManyAdvertisements'),
  dayBeforeFirst: refusal(382, 'advertisement:refusal.dayBeforeFirst'),
  hoursHalf: refusal(383, 'advertisement:refusal.hoursHalf'),
  groupsMissing: refusal(384, 'advertisement:refusal.groupsMissing'),
}
