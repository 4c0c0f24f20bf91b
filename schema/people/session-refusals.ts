import { refusal } from '../kit/refusal.ts'

export const sessionRefusals = {
  operationFailed: refusal(1, 'session:refusal.operationFailed'),
  notLoggedIn: refusal(2, 'session:expired'),
  invalid: refusal(3, 'kit:fault.sentence'),
  noPermission: refusal(5, 'kit:error.noPermission'),
  wrongPassword: refusal(15, 'session:refusal.wrongPassword'),
  sessionEnded: refusal(20, 'session:refusal.sessionEnded'),
  wrongCredentials: refusal(101, 'session:refusal.wrongCredentials'),
  passwordTooShort: refusal(102, 'session:refusal.passwordTooShort'),
  tooManyAttempts: refusal(103, 'session:refusal.tooManyAttempts'),
  passwordRule: refusal(104, 'session:passwordRule'),
  samePassword: refusal(149, 'session:refusal.samePassword'),
}

/**
 * The object of a call is not there, or not for this user: the text is true for both, since nobody may learn that
 * something of another customer exists. The code says both as well, so this is no refusal of its own.
 */
export const absent = refusal(sessionRefusals.noPermission.code, 'session:refusal.absent')
