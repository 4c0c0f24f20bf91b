import { refusal } from '../kit/refusal.ts'

export const northRefusals = {
  northNameTaken: refusal(390, 'north:refusal.nameTaken'),
  targetNotAllowed: refusal(391, 'north:refusal.addressNotAllowed'),
  topicMissing: refusal(392, 'north:refusal.topicMissing'),
  northTemplateInvalid: refusal(393, 'north:refusal.templateInvalid'),
  nothingChosen: refusal(394, 'north:refusal.nothingChosen'),
}
