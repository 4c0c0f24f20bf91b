import { refusal } from '../kit/refusal.ts'

export const northRefusals = {
  nameTaken: refusal(390, 'north:refusal.nameTaken'),
  addressNotAllowed: refusal(391, 'north:refusal.addressNotAllowed'),
  topicMissing: refusal(392, 'north:refusal.topicMissing'),
  templateInvalid: refusal(393, 'north:refusal.templateInvalid'),
  nothingChosen: refusal(394, 'north:refusal.nothingChosen'),
}
