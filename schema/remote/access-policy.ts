/** Whether sessions with a group's devices need a second person's approval, and the states of a request for it. */

/** The setting of a group: `inherit` uses that of the group above; at the top level it means none is needed. */
export const approvalPolicies = ['inherit', 'required', 'free'] as const

/**
 * waiting → approved → ended; or refused, withdrawn by the requester, or expired undecided. `ended`: its time was over,
 * or a user ended it early.
 */
export const accessStates = ['waiting', 'approved', 'refused', 'withdrawn', 'expired', 'ended'] as const
export type AccessState = (typeof accessStates)[number]
