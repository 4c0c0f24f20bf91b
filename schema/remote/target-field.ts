import { z } from 'zod'
import { because } from '../kit/fault.ts'
import { storable } from '../kit/list.ts'
import { isTargetPolicy } from './remote-targets.ts'

/** Of a customer, and of a group. */
export const targetPolicy = storable(z.string().trim().max(2000)).refine(
  isTargetPolicy,
  because({ reason: 'format', shape: 'targetPolicy' }),
)
