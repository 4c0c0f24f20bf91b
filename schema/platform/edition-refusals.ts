import { refusal } from '../kit/refusal.ts'

/** Two people edit the same thing [decisions/059]. */
export const editionRefusals = {
  changedMeanwhile: refusal(310, 'edition:refusal.changedMeanwhile'),
}
