/** The data that the signature of a package covers, and its accepted formats. */
import { z } from 'zod'
import { field } from '../kit/field.ts'
import { storable } from '../kit/list.ts'

/** The signed text: one property per line, the name last, so that no two packages have the same text. */
export const signedText = (of: {
  sha256: string
  sizeBytes: number
  type: string
  model: string
  version: string
  name: string
}) => `${['iot-package 1', of.sha256, of.sizeBytes, of.type, of.model, of.version, of.name].join('\n')}\n`

/** A key or a signature as a tool writes it: base64, PEM, or the file of signify and usign. */
export const pasted = storable(z.string().trim().max(1000))
export const packageSignature = field(pasted, { label: 'package:field.signature', input: 'area' })
  .optional()
  .describe('required where the owner has signing keys: Ed25519, base64 or as usign writes it')
