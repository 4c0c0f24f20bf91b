/** When terminals are recorded, and how a recording ends. */

/** The setting of a customer. `on`: a terminal opens even if it cannot be recorded; `required`: it does not. */
export const recordingPolicies = ['off', 'on', 'required'] as const
export type RecordingPolicy = (typeof recordingPolicies)[number]

/**
 * `full`: the session had reached its limit before the terminal was closed; `failed`: the file store was not writable.
 */
export const recordingStates = ['recording', 'ended', 'full', 'failed'] as const
export type RecordingState = (typeof recordingStates)[number]
