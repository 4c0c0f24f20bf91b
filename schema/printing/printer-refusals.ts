import { refusal } from '../kit/refusal.ts'

export const printerRefusals = {
  driverSignTaken: refusal(280, 'printer:refusal.driverSignTaken'),
  driverInUse: refusal(281, 'printer:refusal.driverInUse'),
  printerPresent: refusal(282, 'printer:refusal.printerPresent'),
  terminalNameTaken: refusal(283, 'printer:refusal.terminalNameTaken'),
  slaveTaken: refusal(284, 'printer:refusal.slaveTaken'),
}
