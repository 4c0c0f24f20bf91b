import { refusal } from '../kit/refusal.ts'

export const transportRefusals = {
  badJson: refusal(400, 'transport:refusal.badJson'),
  unknownPath: refusal(404, 'transport:refusal.unknownPath'),
  tooSlow: refusal(408, 'transport:refusal.tooSlow'),
  tooLarge: refusal(413, 'transport:refusal.tooLarge'),
  pathTooLong: refusal(414, 'transport:refusal.pathTooLong'),
  wrongMediaType: refusal(415, 'transport:refusal.wrongMediaType'),
  expectation: refusal(417, 'transport:refusal.expectation'),
  tooManyRequests: refusal(429, 'transport:refusal.tooManyRequests'),
  headersTooLarge: refusal(431, 'transport:refusal.headersTooLarge'),
  fault: refusal(500, 'transport:refusal.fault'),
  unavailable: refusal(503, 'transport:refusal.unavailable'),
  otherKey: refusal(506, 'transport:refusal.otherKey'),
  storageFull: refusal(507, 'transport:refusal.storageFull'),
}
