/** Kinds of targets that values are forwarded to: a customer's own systems. */
export const northKinds = ['mqtt', 'http', 'kafka'] as const
export type NorthKind = (typeof northKinds)[number]

/**
 * What customers see when a target does not accept messages. `unreachable` does not reveal whether a name, an
 * address, a port or our own rules were the cause: a target must not be usable to scan networks. The log has the cause.
 */
export const northFaults = ['unreachable', 'refused', 'unreadable'] as const
/** How long the state of a target says that messages were passed over: it takes others, but refused these for their content. */
export const PASSED_DAYS = 7
export type NorthFault = (typeof northFaults)[number]
