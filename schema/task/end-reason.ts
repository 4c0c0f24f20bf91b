/**
 * Why the platform itself ended an item of a task, or a command: a code, some with a value (`backWith:1.4.1`). In the same
 * columns stand the names of users who cancelled, and the device's own words. The texts are `task:ended`.
 */

/** With what they cancel items before a device was told, or while it could still be called back. */
export const cancelReasons = [
  'deviceDeleted',
  'deviceMoved',
  'deviceReplaced',
  'paused',
  'hours',
  'mobileData',
  'rolledBack',
  'outOfReach',
  'overtaken',
  'refused',
  'approvalExpired',
] as const

export const failReasons = [
  'expired',
  'rolledBack',
  'soakOffline',
  'soakAlarm',
  'soakWan',
  'soakReboot',
  'backWithoutFile',
  'backUnknown',
  'noReason',
  'badReply',
  'noConfiguration',
  'otherKey',
  'alreadyConfigured',
] as const

/** What follows the code is a version, a number of offers, a step. */
export const valuedReasons = ['backWith', 'neverReceived', 'silentIn'] as const

type EndReason =
  | (typeof cancelReasons)[number]
  | (typeof failReasons)[number]
  | `${(typeof valuedReasons)[number]}:${string | number}`

/** Checks the code where it is written. */
export const endReason = (reason: EndReason): string => reason
