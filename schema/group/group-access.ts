/** What a group demands of remote operation of its devices. */
import { z } from 'zod'
import { field } from '../kit/field.ts'
import { approvalPolicies } from '../remote/access-policy.ts'

export const accessFields = {
  remoteApproval: field(z.enum(approvalPolicies), { label: 'group:field.remoteApproval' })
    .optional()
    .describe(
      'whether sessions of remote operation need a second person’s approval; needs the right to approve',
    ),
}
