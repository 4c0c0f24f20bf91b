import { refusal } from '../kit/refusal.ts'

/** Refusals when two users edit the same object [decisions/059]. */
export const editionRefusals = {
  changedMeanwhile: refusal(310, 'edition:refusal.changedMeanwhile'),
}
