import { tOr } from '../kit/i18n.ts'

/** For example of `device/createDevice`. A call of a later version is shown by its path. */
export const callName = (call: string): string => tOr(`operation:call.${call}`, call)
