import { refusal } from '../kit/refusal.ts'

export const southRefusals = {
  southNameTaken: refusal(395, 'south:refusal.nameTaken'),
  southTopicsInvalid: refusal(396, 'south:refusal.topicsInvalid'),
  southMappingInvalid: refusal(397, 'south:refusal.mappingInvalid'),
  terminalNotInProject: refusal(398, 'south:refusal.terminalNotInProject'),
  terminalLinked: refusal(399, 'south:refusal.terminalLinked'),
}
