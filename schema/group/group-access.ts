/** A group's policy for remote operation of its devices. */
import { z } from 'zod'
import { field } from '../kit/field.ts'
import { approvalPolicies } from '../remote/access-policy.ts'
import { targetPolicy } from '../remote/target-field.ts'

export const accessFields = {
  remoteApproval: field(z.enum(approvalPolicies), { label: 'group:field.remoteApproval' })
    .optional()
    .describe(
      'whether sessions of remote operation need a second person’s approval; needs the right to approve',
    ),
  remoteTargets: field(targetPolicy, { label: 'group:field.remoteTargets', input: 'area' })
    .optional()
    .describe(
      'machines behind its devices that may be reached, a rule a line (`192.168.1.0/24:80,443`, `none`); empty: as the group above; needs the right to approve',
    ),
}
