/** Whether sessions of a group's devices need a second person's approval, and how far a request for it has come. */

/** Of a group: `inherit` is that of the group above; without one, none is needed. */
export const approvalPolicies = ['inherit', 'required', 'free'] as const

/**
 * waiting → approved → ended; or refused, withdrawn by who asked, or expired undecided. `ended`: its time was over, or
 * somebody ended it early.
 */
export const accessStates = ['waiting', 'approved', 'refused', 'withdrawn', 'expired', 'ended'] as const
export type AccessState = (typeof accessStates)[number]
