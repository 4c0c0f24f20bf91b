import { refusal } from '../kit/refusal.ts'

/** [§8] In the specification's words; the rest are ours. */
export const remoteRefusals = {
  remoteInUse: refusal(350, 'remote:inUse'),
  remoteTooMany: refusal(351, 'remote:refusal.tooMany'),
  remoteOff: refusal(352, 'remote:refusal.off'),
  remoteWebOff: refusal(353, 'remote:refusal.webOff'),
  remoteEnded: refusal(354, 'remote:refusal.ended'),
  remoteNotReady: refusal(355, 'remote:refusal.notReady'),
  remoteOthers: refusal(356, 'remote:refusal.others'),
  recordingMissing: refusal(470, 'remote:refusal.recordingMissing'),
  recordingOpen: refusal(471, 'remote:refusal.recordingOpen'),
  recordingRequired: refusal(472, 'remote:refusal.recordingRequired'),
  accessNeeded: refusal(473, 'access:refusal.needed'),
  accessAsked: refusal(474, 'access:refusal.asked'),
  accessOwn: refusal(475, 'access:refusal.own'),
  accessDecided: refusal(476, 'access:refusal.decided'),
  accessOthers: refusal(477, 'access:refusal.others'),
  accessFree: refusal(478, 'access:refusal.free'),
  remoteTarget: refusal(479, 'remote:refusal.target'),
  snippetTaken: refusal(490, 'remote:refusal.snippetTaken'),
  fileLogin: refusal(335, 'remote:fault.password'),
  fileFailed: refusal(336, 'remote:refusal.fileFailed'),
  fileTooLarge: refusal(337, 'remote:refusal.fileTooLarge'),
  filesClosed: refusal(338, 'remote:refusal.filesClosed'),
}
