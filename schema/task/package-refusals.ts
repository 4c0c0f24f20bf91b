import { refusal } from '../kit/refusal.ts'

export const packageRefusals = {
  packageNotTarGz: refusal(120, 'package:refusal.packageNotTarGz'),
  packageUnsafe: refusal(121, 'package:refusal.packageUnsafe'),
  packageTooLarge: refusal(122, 'package:refusal.packageTooLarge'),
  packageExists: refusal(123, 'package:refusal.packageExists'),
  packageInUse: refusal(124, 'package:refusal.packageInUse'),
  packageTruncated: refusal(125, 'package:refusal.packageTruncated'),
  packageNotSynced: refusal(126, 'package:refusal.packageNotSynced'),
  packageSharing: refusal(127, 'package:refusal.packageSharing'),
  packageGone: refusal(128, 'package:refusal.packageGone'),
  signatureMissing: refusal(331, 'package:refusal.signatureMissing'),
  signatureWrong: refusal(332, 'package:refusal.signatureWrong'),
  signingKeyInvalid: refusal(333, 'package:refusal.signingKeyInvalid'),
  signingKeyKnown: refusal(334, 'package:refusal.signingKeyKnown'),
}
