import { refusal } from '../kit/refusal.ts'

export const deviceRefusals = {
  notFound: refusal(110, 'device:refusal.notFound'),
  nothingSelected: refusal(111, 'device:refusal.nothingSelected'),
  deviceOffline: refusal(112, 'device:refusal.deviceOffline'),
  deviceUnsupported: refusal(113, 'device:reason.unsupported'),
  snTaken: refusal(114, 'device:refusal.snTaken'),
  nameTaken: refusal(115, 'device:refusal.nameTaken'),
  groupUnknown: refusal(116, 'device:refusal.groupUnknown'),
  commandBusy: refusal(117, 'device:refusal.commandBusy'),
  csvUnreadable: refusal(118, 'device:refusal.csvUnreadable'),
  csvTooLong: refusal(119, 'device:refusal.csvTooLong'),
  keyExhausted: refusal(140, 'device:refusal.keyExhausted'),
  grantExceeds: refusal(141, 'device:refusal.grantExceeds'),
  csvColumn: refusal(142, 'device:refusal.csvColumn'),
  csvNoColumn: refusal(143, 'device:refusal.csvNoColumn'),
  csvRepeated: refusal(144, 'device:refusal.csvRepeated'),
  csvNoGroup: refusal(145, 'device:refusal.csvNoGroup'),
  csvGroupAmbiguous: refusal(146, 'device:refusal.csvGroupAmbiguous'),
  snExists: refusal(147, 'device:refusal.snExists'),
  csvCells: refusal(152, 'device:refusal.csvCells'),
  csvColumnTwice: refusal(153, 'device:refusal.csvColumnTwice'),
}
