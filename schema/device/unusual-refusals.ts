import { refusal } from '../kit/refusal.ts'

/** 220–229. */
export const unusualRefusals = {
  snDeleted: refusal(220, 'unusual:refusal.snDeleted'),
  swapSame: refusal(221, 'unusual:refusal.swapSame'),
  swapTaken: refusal(222, 'unusual:refusal.swapTaken'),
}
