import { refusal } from '../kit/refusal.ts'

export const southRefusals = {
  southNameTaken: refusal(765, 'south:refusal.nameTaken'),
  southTopicsInvalid: refusal(766, 'south:refusal.topicsInvalid'),
  southMappingInvalid: refusal(767, 'south:refusal.mappingInvalid'),
  terminalNotInProject: refusal(768, 'south:refusal.terminalNotInProject'),
  terminalLinked: refusal(769, 'south:refusal.terminalLinked'),
}
