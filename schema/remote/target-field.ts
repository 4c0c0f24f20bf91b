import { z } from 'zod'
import { because } from '../kit/fault.ts'
import { field } from '../kit/field.ts'
import { storable } from '../kit/list.ts'
import { isTargetPolicy } from './remote-targets.ts'

/** The field of a customer and of a group. */
export const targetPolicy = field(
  storable(z.string().trim().max(2000)).refine(
    isTargetPolicy,
    because({ reason: 'format', shape: 'targetPolicy' }),
  ),
  { input: 'area' },
)
